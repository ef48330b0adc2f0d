import { CLASSES, LETTER, isIn, type CharacterClass } from './characters.ts';

/** Where a secret is in a text, and its type. */
export type Span = { readonly start: number; readonly end: number; readonly kind: string };

/**
 * A text while it is searched. Every look beyond its end is recorded in `reachedEnd`: then more text could change the answer. Runs of
 * characters are cached, so that examining one run from many places costs its length once.
 */
export type SearchedText = {
  readonly text: string;
  reachedEnd: boolean;
  /** Where the current candidate would begin. */
  secretFrom: number;
  /** The end of the last secret that was found. */
  covered: number;
  readonly runs: Int32Array;
  readonly turns: Uint8Array;
};

const REMEMBERED = 4;

export function createSearchedText(text: string): SearchedText {
  return {
    text,
    reachedEnd: false,
    secretFrom: 0,
    covered: 0,
    runs: new Int32Array(CLASSES * REMEMBERED * 2),
    turns: new Uint8Array(CLASSES),
  };
}

/** The code of the character there, or -1 past the end. */
export function codeAt(searched: SearchedText, index: number): number {
  if (index < searched.text.length) return searched.text.charCodeAt(index);
  searched.reachedEnd = true;
  return -1;
}

export function charAt(searched: SearchedText, index: number): string {
  if (index >= searched.text.length) searched.reachedEnd = true;
  return searched.text[index] ?? '';
}

/** Where the run of such characters that begins at `from` ends. */
export function runEnd(searched: SearchedText, from: number, set: CharacterClass): number {
  const known = knownEnd(searched, from, set.id);
  const end = known === -1 ? measure(searched, from, set) : known;
  if (end >= searched.text.length) searched.reachedEnd = true;
  return end;
}

/** Whether a word may begin there: no letter precedes it, or only that of an escaped line ending or tab. */
export function isWordStart({ text, covered }: Pick<SearchedText, 'text' | 'covered'>, at: number): boolean {
  if (at === 0 || at === covered) return true;
  const before = text.charCodeAt(at - 1);
  if (before >= 128 || !isIn(LETTER, before)) return true;
  const isEscape = before === 110 || before === 114 || before === 116;
  return isEscape && text.charCodeAt(at - 2) === 92;
}

function knownEnd({ runs }: SearchedText, from: number, id: number): number {
  const first = id * REMEMBERED * 2;
  for (let slot = first; slot < first + REMEMBERED * 2; slot += 2) {
    const end = runs[slot + 1] ?? 0;
    if (from >= (runs[slot] ?? 0) && from < end) return end;
  }
  return -1;
}

function measure({ text, runs, turns }: SearchedText, from: number, { id, members, beyond }: CharacterClass): number {
  let end = from;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if ((code < 128 ? members[code] : beyond) !== 1) break;
  }
  if (end === from) return end;
  const turn = turns[id] ?? 0;
  const slot = (id * REMEMBERED + turn) * 2;
  runs[slot] = from;
  runs[slot + 1] = end;
  turns[id] = (turn + 1) % REMEMBERED;
  return end;
}
