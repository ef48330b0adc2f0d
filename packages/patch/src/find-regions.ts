import type { EditProblem } from './edit-problem.ts';
import { plainPunctuation, RULES, ignoresIndentation, type Overlooked, type Rule } from './equivalence.ts';
import { splitFile, type FileLine, type FileText } from './file-lines.ts';
import { carryIndentation } from './indentation.ts';
import { createLineIndex, SearchTooLong, type LineIndex } from './line-index.ts';

/** A piece of the content and its replacement. */
export type Region = { readonly from: number; readonly to: number; readonly replacement: string };

export type FoundRegions =
  | {
      readonly regions: ReadonlyArray<Region>;
      readonly overlooked: Overlooked | null;
      /** There are more ways to place the text than regions, as with `aa` in `aaa`. */
      readonly overlapping: boolean;
    }
  | Problem;

const MAX_PLACES = 100_000;

/**
 * Where a text occurs: exactly; otherwise ignoring line endings; otherwise, as whole lines, ignoring white space; otherwise ignoring
 * typographic punctuation; otherwise, as whole lines, ignoring both. The first way that finds anything decides. Null: not found.
 */
export function findRegions(content: string, oldText: string, newText: string): FoundRegions | null {
  const exact = withPlaces(content, oldText, { content, oldText, newText });
  if (exact !== null) return reported(exact, null);
  const lineEnds = content.includes('\r') ? withPlainEnds(content, oldText, newText) : null;
  if (lineEnds !== null) return reported(lineEnds, 'line ends');
  const file = splitFile(content);
  const index = createLineIndex(file.lines.map(({ text }) => text));
  for (const rule of RULES) {
    if (rule.name === 'exact') continue;
    const found =
      rule.name === 'punctuation'
        ? withPlainPunctuation(content, oldText, newText)
        : wholeLines(file, index, { oldText, newText, rule });
    if (found !== null) return reported(found, rule.name);
  }
  return null;
}

function reported(found: Placed, overlooked: Overlooked | null): FoundRegions {
  return 'problem' in found ? found : { ...found, overlooked };
}

type Problem = { readonly problem: EditProblem };
type Placed = Problem | { readonly regions: ReadonlyArray<Region>; readonly overlapping: boolean };
type Texts = { readonly content: string; readonly oldText: string; readonly newText: string };

/** `haystack` has the length of the content; matches in it are replaced in the content, without touching what the texts share. */
function withPlaces(haystack: string, needle: string, { content, oldText, newText }: Texts): Placed | null {
  const places: number[] = [];
  for (let at = haystack.indexOf(needle); at >= 0; at = haystack.indexOf(needle, at + needle.length)) {
    if (splitsLineEnd(haystack, at, at + needle.length)) continue;
    if (places.push(at) > MAX_PLACES) return { problem: { kind: 'too_many', most: MAX_PLACES } };
  }
  const [first] = places;
  if (first === undefined) return null;
  const second = haystack.indexOf(needle, first + 1);
  const withEnds = createLineEnds(content);
  const regions = places.map((from) => {
    const to = from + needle.length;
    return { from, to, replacement: withEnds(merge(content.slice(from, to), oldText, newText), from, to) };
  });
  return { regions, overlapping: second >= 0 && second < first + needle.length };
}

/** The two characters of a CRLF are one line ending and are never separated. */
function splitsLineEnd(text: string, from: number, to: number): boolean {
  return (text[from] === '\n' && text[from - 1] === '\r') || (text[to] === '\n' && text[to - 1] === '\r');
}

/** The new text; its beginning and end that equal the old text's keep the file's bytes. */
function merge(found: string, oldText: string, newText: string): string {
  if (found === oldText || found.length !== oldText.length) return newText;
  const shorter = Math.min(oldText.length, newText.length);
  let head = 0;
  while (head < shorter && oldText[head] === newText[head]) head++;
  let tail = 0;
  while (tail < shorter - head && oldText.at(-1 - tail) === newText.at(-1 - tail)) tail++;
  return found.slice(0, head) + newText.slice(head, newText.length - tail) + found.slice(found.length - tail);
}

/**
 * Models write \n; next to CRLF lines they mean CRLF. A text with its own carriage returns is meant literally. Must be called in ascending
 * order: the next line ending is searched once.
 */
function createLineEnds(content: string): (text: string, from: number, to: number) => string {
  if (!content.includes('\r')) return (text) => text;
  const last = content.lastIndexOf('\n');
  const endAt = (at: number): string => (at > 0 && content[at - 1] === '\r' ? '\r\n' : '\n');
  let next = content.indexOf('\n');
  return (text, from, to) => {
    if (!text.includes('\n') || text.includes('\r')) return text;
    if (last < 0) return text.replaceAll('\n', '\r');
    if (next >= 0 && next < from) next = content.indexOf('\n', from);
    const inside = next >= 0 && next < to ? next : content.indexOf('\n', Math.max(to, next));
    return text.replaceAll('\n', endAt(inside < 0 ? last : inside));
  };
}

/** Both texts with \n only; positions are then mapped back to the bytes of the file. */
function withPlainEnds(content: string, oldText: string, newText: string): Placed | null {
  const plain = plainEnds(content);
  const found = withPlaces(plain, plainEnds(oldText), { content: plain, oldText: plainEnds(oldText), newText });
  if (found === null || 'problem' in found) return found;
  const offsets = createOffsets(content);
  const withEnds = createLineEnds(content);
  const regions = found.regions.map((region) => {
    const [from, to] = [offsets(region.from), offsets(region.to)];
    return { from, to, replacement: withEnds(plainEnds(region.replacement), from, to) };
  });
  return { regions, overlapping: found.overlapping };
}

function plainEnds(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
}

/** Maps a position in the text with plain line endings to the content; must be called in ascending order. */
function createOffsets(content: string): (plain: number) => number {
  let next = content.indexOf('\r\n');
  let dropped = 0;
  return (plain) => {
    while (next >= 0 && next - dropped < plain) {
      dropped++;
      next = content.indexOf('\r\n', next + 2);
    }
    return plain + dropped;
  };
}

/** Each typographic character maps to one plain character, so positions and lengths stay the same. */
function withPlainPunctuation(content: string, oldText: string, newText: string): Placed | null {
  const needle = plainPunctuation(oldText);
  return withPlaces(plainPunctuation(content), needle, { content, oldText, newText });
}

type LineSearch = { readonly oldText: string; readonly newText: string; readonly rule: Rule };

function wholeLines(file: FileText, index: LineIndex, { oldText, newText, rule }: LineSearch): Placed | null {
  const asked = splitFile(plainEnds(oldText));
  const wanted = asked.lines.map(({ text }) => text);
  if (wanted.every((line) => line.trim() === '')) return null;
  let places: number[];
  try {
    places = index.places(rule, wanted, { from: 0, to: file.lines.length, limit: MAX_PLACES });
  } catch (error) {
    if (!(error instanceof SearchTooLong)) throw error;
    return null;
  }
  const starts = startsOf(file.lines, file.mark.length);
  const regions: Region[] = [];
  for (const place of places) {
    const found = file.lines.slice(place, place + wanted.length);
    const replacement = rewritten(found, asked.lines, { newText: plainEnds(newText), rule, newLine: file.newLine });
    if (replacement === null) return { problem: unclearIndentation(place, found) };
    const from = starts[place] ?? 0;
    const to = from + found.reduce((sum, { text, end }) => sum + text.length + end.length, 0);
    const keptEnd = asked.endsWithNewLine ? '' : (found.at(-1)?.end ?? '');
    regions.push({ from, to: to - keptEnd.length, replacement });
  }
  if (regions.some(({ from }, order) => from < (regions[order - 1]?.to ?? 0))) {
    return { problem: { kind: 'overlapping' } };
  }
  return places.length === 0 ? null : { regions, overlapping: false };
}

type Rewriting = { readonly newText: string; readonly rule: Rule; readonly newLine: string };

/** The new text as lines of this file: first and last lines that it shares with the old text stay as in the file. */
function rewritten(
  found: ReadonlyArray<FileLine>,
  asked: ReadonlyArray<FileLine>,
  { newText, rule, newLine }: Rewriting,
) {
  const wanted = asked.map(({ text }) => text);
  const lines = newText.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const endsWithNewLine = newText.endsWith('\n');
  const shorter = Math.min(wanted.length, lines.length);
  let head = 0;
  while (head < shorter && wanted[head] === lines[head]) head++;
  let tail = 0;
  while (tail < shorter - head && wanted.at(-1 - tail) === lines.at(-1 - tail)) tail++;
  const pairs = wanted.map((line, order) => ({ asked: line, found: found[order]?.text ?? '' }));
  const carry = ignoresIndentation(rule) ? carryIndentation(pairs) : (line: string) => line;
  const middle = lines.slice(head, lines.length - tail).map((line) => carry?.(line) ?? null);
  const end = found.find((line) => line.end !== '')?.end ?? newLine;
  const result = [
    ...found.slice(0, head).map(({ text }) => text),
    ...middle,
    ...(tail === 0 ? [] : found.slice(-tail).map(({ text }) => text)),
  ];
  if (result.includes(null)) return null;
  return result.join(end) + (endsWithNewLine ? end : '');
}

function startsOf(lines: ReadonlyArray<FileLine>, first: number): ReadonlyArray<number> {
  let at = first;
  return lines.map(({ text, end }) => {
    const start = at;
    at += text.length + end.length;
    return start;
  });
}

function unclearIndentation(place: number, found: ReadonlyArray<FileLine>): EditProblem {
  return { kind: 'unclear_indentation', line: place + 1, shown: found.slice(0, 8).map(({ text }) => text) };
}
