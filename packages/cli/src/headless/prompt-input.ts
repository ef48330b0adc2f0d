import type { Mcp } from '@attractor/mcp';
import type { SessionInput } from '@attractor/agent';
import type { Prompt } from './read-user-line.ts';

/** A prompt as the session gets it: commands of servers are expanded, and resources that it mentions are read. */
export async function promptInput(mcp: Mcp | null, { text, images }: Prompt): Promise<SessionInput> {
  const said = text === '' ? [] : await withServers(mcp, text);
  if (images.length === 0) return said;
  return [...(typeof said === 'string' ? [{ kind: 'TEXT', text: said } as const] : said), ...images];
}

async function withServers(mcp: Mcp | null, prompt: string): Promise<SessionInput> {
  if (mcp === null) return prompt;
  const expanded = await mcp.expand(prompt);
  if (expanded !== null)
    return expanded.ok ? expanded.value.parts : `${prompt}\n\n[This command failed: ${expanded.error.message}]`;
  const mentions = await mcp.mentions(prompt);
  if (mentions.length === 0) return prompt;
  const read = mentions.flatMap(({ mention, output, images = [] }) => [
    { kind: 'TEXT', text: `\n\n${mention}:\n${output}` } as const,
    ...images,
  ]);
  return [{ kind: 'TEXT', text: prompt }, ...read];
}
