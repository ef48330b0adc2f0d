import type { TextPart } from '@attractor/llm';
import type { Mcp } from '@attractor/mcp';
import type { Called } from '../contract/session.ts';
import type { SessionInput } from '../types/index.ts';
import type { SessionFiles } from './session-files.ts';

type Written = Pick<SessionFiles, 'expand' | 'calledIn' | 'mentioned'>;

/** What an input calls by its name: a command or a skill, or what a server offers as one. Null: it calls nothing. */
export function calledBy(input: SessionInput, files: Written, mcp: Mcp | null): Called | null {
  const text = typeof input === 'string' ? input : (input.find((part) => part.kind === 'TEXT')?.text ?? '');
  const expand = (): Promise<SessionInput> => expandInput(input, files, mcp);
  const own = files.calledIn(text);
  if (own !== null) return { type: 'slash_command', expand, ...own };
  const [, name, given = ''] = /^\/(mcp__\S+)(?:\s+([^]*))?$/.exec(text.trim()) ?? [];
  if (mcp === null || name === undefined) return null;
  return { type: 'mcp_prompt', expand, name, arguments: given.trim(), source: 'mcp' };
}

/** A person's input as the session gets it: commands are expanded; files and resources of servers that it mentions are read. */
export async function expandInput(input: SessionInput, files: Written, mcp: Mcp | null): Promise<SessionInput> {
  if (typeof input === 'string') {
    const read = (await files.mentioned(input)).flatMap(({ mention, content }) =>
      content.kind === 'TEXT' ? [shown(mention, content.text)] : [shown(mention, ''), content],
    );
    const said = await withServers(await files.expand(input), mcp);
    return read.length === 0 ? said : [...partsOf(said), ...read];
  }
  const parts = await Promise.all(
    input.map(async (part) => (part.kind === 'TEXT' ? partsOf(await expandInput(part.text, files, mcp)) : [part])),
  );
  return eachImageOnce(parts.flat());
}

/** What is mentioned may have come with the words already. */
function eachImageOnce(parts: Exclude<SessionInput, string>): Exclude<SessionInput, string> {
  const seen = new Set<string>();
  return parts.filter((part) => {
    if (part.kind !== 'IMAGE' || !('data' in part.source)) return true;
    const isNew = !seen.has(part.source.data);
    seen.add(part.source.data);
    return isNew;
  });
}

function partsOf(input: SessionInput): Exclude<SessionInput, string> {
  return typeof input === 'string' ? [textPart(input)] : input;
}

function textPart(text: string): TextPart {
  return { kind: 'TEXT', text };
}

function shown(mention: string, content: string): TextPart {
  return textPart(`\n\n${mention}:\n${content}`);
}

async function withServers(prompt: string, mcp: Mcp | null): Promise<SessionInput> {
  if (mcp === null) return prompt;
  const expanded = await mcp.expand(prompt);
  if (expanded !== null)
    return expanded.ok ? expanded.value.parts : `${prompt}\n\n[This command failed: ${expanded.error.message}]`;
  const mentions = await mcp.mentions(prompt);
  if (mentions.length === 0) return prompt;
  const read = mentions.flatMap(({ mention, output, images = [] }) => [shown(mention, output), ...images]);
  return [textPart(prompt), ...read];
}
