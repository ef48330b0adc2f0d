import type { Turn } from '../../types/index.ts';

const URL_IN_TEXT = /https?:\/\/[^\s<>"'`{}|\\^]+/gi;
/** Marks that end a sentence or close a bracket around a URL belong to the text. */
const TRAILING: ReadonlySet<string> = new Set('.,;:!?\'"*_~]');

/**
 * The URLs that a person or the result of a tool brought into the conversation, each in its normal form without the part after '#'.
 * What the model says itself does not count: it may be made up, or may carry what it read somewhere else out of the house.
 */
export function mentionedUrls(history: ReadonlyArray<Turn>): ReadonlySet<string> {
  const found = new Set<string>();
  for (const text of history.flatMap(textsOf)) {
    for (const [piece] of text.matchAll(URL_IN_TEXT)) {
      for (const form of formsOf(piece)) found.add(form);
    }
  }
  return found;
}

/** Whether a fetch of this URL needs nobody's permission beyond the rules on domains. */
export function isMentionedUrl(url: string, history: ReadonlyArray<Turn>): boolean {
  const [form] = formsOf(url);
  return form !== undefined && mentionedUrls(history).has(form);
}

function textsOf(turn: Turn): ReadonlyArray<string> {
  if (turn.kind === 'user' || turn.kind === 'steering') return [turn.content];
  return turn.kind === 'tool_results' ? turn.results.map(({ output }) => output) : [];
}

/** A closing bracket may be part of the URL or stand around it: both are meant. */
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
