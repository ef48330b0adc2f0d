import { isRecord } from '@attractor/base';
import { rowOf, whatACallTouches } from '@attractor/tool-table';
import type { SteeringTurn, SystemTurn, Turn, UserTurn } from '../../types/index.ts';

const URL_IN_TEXT = /https?:\/\/[^\s<>"'`{}|\\^]+/gi;
/** Punctuation that ends a sentence or closes a bracket around a URL belongs to the text. */
const TRAILING: ReadonlySet<string> = new Set('.,;:!?\'"*_~]');

/** `task`: what looks like a person's message was written by another model, which gave this one its work. */
export type Speaker = 'person' | 'task';

/**
 * The URLs that a person said, and those on pages that were read because of them, each normalised and without its fragment. Everything
 * else the model may have made up, or may use to smuggle out what it read: a file can be written and edited, a command, another agent, a
 * skill or a server can repeat what it was given, and a page can echo the URL that it was asked for. So pages count only if their own URL
 * was known, and nothing counts that the model said first.
 */
export function mentionedUrls(history: ReadonlyArray<Turn>, speaker: Speaker = 'person'): ReadonlySet<string> {
  const found = new Set<string>();
  const said = new Set<string>();
  const pages = new Set<string>();
  for (const turn of history) {
    if (turn.kind === 'assistant') {
      for (const part of turn.content) {
        if (part.kind === 'TOOL_CALL' && bringsPage(part, found)) pages.add(part.toolCallId);
        const text = part.kind === 'TEXT' ? part.text : part.kind === 'TOOL_CALL' ? JSON.stringify(part.args) : '';
        for (const form of urlsIn(text)) said.add(form);
      }
    } else if (turn.kind === 'tool_results') {
      const read = turn.results.filter(({ toolCallId }) => pages.has(toolCallId));
      for (const form of read.flatMap(({ output }) => urlsIn(output))) if (!said.has(form)) found.add(form);
    } else if (speaker === 'person' && isOfPerson(turn)) {
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

function isOfPerson(turn: UserTurn | SystemTurn | SteeringTurn): boolean {
  return turn.kind === 'user' || (turn.kind === 'steering' && turn.source === undefined);
}

type Call = { readonly toolName: string; readonly args: unknown };

function bringsPage({ toolName, args }: Call, known: ReadonlySet<string>): boolean {
  if (rowOf(toolName)?.bringsPages !== true) return false;
  const touch = whatACallTouches({ toolName, args: isRecord(args) ? args : {} });
  return touch.kind !== 'url' || formsOf(touch.url).some((form) => known.has(form));
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
