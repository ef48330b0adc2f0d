import { rowOf } from '@attractor/tool-table';
import type { Turn } from '../../types/index.ts';

const URL_IN_TEXT = /https?:\/\/[^\s<>"'`{}|\\^]+/gi;
/** Punctuation that ends a sentence or closes a bracket around a URL belongs to the text. */
const TRAILING: ReadonlySet<string> = new Set('.,;:!?\'"*_~]');

/** `task`: what looks like a person's message was written by another model, which gave this one its work. */
export type Speaker = 'person' | 'task';

/**
 * The URLs that a person, or a tool that reads, brought into the conversation, each normalised and without its fragment. URLs from the
 * model itself do not count, nor those it said first and was then shown again: they may be made up, or may smuggle out what it read
 * elsewhere. For the same reason URLs printed by a command, in a list of steps, or from another agent do not count.
 */
export function mentionedUrls(history: ReadonlyArray<Turn>, speaker: Speaker = 'person'): ReadonlySet<string> {
  const found = new Set<string>();
  const said = new Set<string>();
  const tools = new Map<string, string>();
  for (const turn of history) {
    if (turn.kind === 'assistant') {
      for (const part of turn.content) {
        if (part.kind === 'TOOL_CALL') tools.set(part.toolCallId, part.toolName);
        const text = part.kind === 'TEXT' ? part.text : part.kind === 'TOOL_CALL' ? JSON.stringify(part.args) : '';
        for (const form of urlsIn(text)) said.add(form);
      }
    } else if (turn.kind === 'tool_results') {
      const read = turn.results.filter(({ toolCallId }) => bringsText(tools.get(toolCallId)));
      for (const form of read.flatMap(({ output }) => urlsIn(output))) if (!said.has(form)) found.add(form);
    } else if (turn.kind !== 'system' && speaker === 'person') {
      for (const form of urlsIn(turn.content)) found.add(form);
    }
  }
  return found;
}

/** Whether a fetch of this URL needs no permission beyond the rules on domains. */
export function isMentionedUrl(url: string, history: ReadonlyArray<Turn>, speaker?: Speaker): boolean {
  const [form] = formsOf(url);
  return form !== undefined && mentionedUrls(history, speaker).has(form);
}

function bringsText(toolName: string | undefined): boolean {
  return toolName !== undefined && (toolName.startsWith('mcp__') || rowOf(toolName)?.bringsText === true);
}

function urlsIn(text: string): ReadonlyArray<string> {
  return [...text.matchAll(URL_IN_TEXT)].flatMap(([piece]) => formsOf(piece));
}

/** A closing bracket may be part of the URL or surround it: both forms count. */
function formsOf(piece: string): ReadonlyArray<string> {
  const plain = withoutTrailing(piece);
  return [plain, withoutTrailing(plain.slice(0, Math.max(0, plain.lastIndexOf(')'))))].flatMap((one) => {
    const url = URL.parse(one);
    if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return [];
    url.hash = '';
    return [url.href];
  });
}

function withoutTrailing(text: string): string {
  let end = text.length;
  while (end > 0 && TRAILING.has(text[end - 1] ?? '')) end--;
  return text.slice(0, end);
}
