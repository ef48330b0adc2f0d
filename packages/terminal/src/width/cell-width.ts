import { wideRanges } from './wide-ranges.ts';

/** How many cells a text takes in a terminal. Text that is all printable ASCII, as most is, costs one test. */
export function cellWidth(text: string): number {
  if (isPlain(text)) return text.length;
  const before = measured.get(text);
  if (before !== undefined) return before;
  let width = 0;
  for (const { cells } of clusters(text)) width += cells;
  if (measured.size >= MOST_MEASURED) measured.clear();
  measured.set(text, width);
  return width;
}

/** What is drawn with every frame is measured once. */
const measured = new Map<string, number>();
const MOST_MEASURED = 200;

/** What a person sees as one character, with the cells that it takes. */
export type Cluster = { readonly text: string; readonly cells: number };

/** The characters of a text as a person sees them. The segmenter is costly to make, so it is made for the first text that needs it. */
export function* clusters(text: string): Generator<Cluster, void> {
  if (ALONE.test(text)) {
    for (const character of text) yield { text: character, cells: cellsOf(character.codePointAt(0) ?? 0) };
    return;
  }
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  for (const { segment } of segmenter.segment(text)) yield { text: segment, cells: cellsOfCluster(segment) };
}

let segmenter: Intl.Segmenter | null = null;
let ranges: Uint32Array | null = null;

export function isPlain(text: string): boolean {
  return PLAIN.test(text);
}

const PLAIN = /^[\x20-\x7e]*$/;

/** Latin letters, punctuation, symbols, CJK and Hangul: text in which each code point is a character of its own. */
const ALONE =
  /^[\u0000-\u02ff\u2010-\u2027\u2030-\u205e\u2070-\u20cf\u2100-\u3029\u3030-\u3098\u309b-\ua48f\uac00-\ud7a3\uff00-\uffef]*$/;

/**
 * The cells that a character may take in a terminal that does not know joined characters and draws each part. What must not be wider than the
 * screen, whoever draws it, is measured this way.
 */
export function mostCells({ text, cells }: Cluster): number {
  if (text.length <= 1) return cells;
  let sum = 0;
  for (const character of text) sum += cellsOf(character.codePointAt(0) ?? 0);
  return Math.max(sum, cells);
}

/** An emoji that is drawn as one takes two cells; otherwise the first character with a width decides. */
function cellsOfCluster(cluster: string): number {
  if (cluster.includes('\ufe0f') || /^(?:\ud83c[\udde6-\uddff]){2}/.test(cluster)) return 2;
  let cells = 0;
  for (const character of cluster) {
    cells = Math.max(cells, cellsOf(character.codePointAt(0) ?? 0));
    if (cells === 2) break;
  }
  return cells;
}

function cellsOf(code: number): number {
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return 0;
  if (code < 0x300) return 1;
  if (isMark(code)) return 0;
  return code >= 0x1100 && isWide(code) ? 2 : 1;
}

function isMark(code: number): boolean {
  return MARK.test(String.fromCodePoint(code));
}

const MARK = /^[\p{Mn}\p{Me}\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u;

function isWide(code: number): boolean {
  ranges ??= wideRanges();
  let low = 0;
  let high = ranges.length / 2 - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (code < (ranges[middle * 2] ?? 0)) high = middle - 1;
    else if (code > (ranges[middle * 2 + 1] ?? 0)) low = middle + 1;
    else return true;
  }
  return false;
}
