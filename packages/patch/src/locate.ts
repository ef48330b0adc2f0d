import { RULES, type Rule } from './equivalence.ts';
import type { LineIndex, Range } from './line-index.ts';
import type { Hunk } from './parse.ts';

/** `at` is the position of the hunk's first line; `lines` are all places that match equally well. */
export type HunkPlace =
  | { readonly ok: true; readonly at: number; readonly rule: Rule }
  | { readonly ok: false; readonly problem: 'not found' }
  | { readonly ok: false; readonly problem: 'header not found'; readonly header: string }
  | { readonly ok: false; readonly problem: 'ambiguous'; readonly lines: ReadonlyArray<number>; readonly rule: Rule };

const MAX_LISTED = 20;
const ANYWHERE: ReadonlyArray<Inside> = ['file'];
const NAMED: ReadonlyArray<Inside> = ['after header', 'header'];

/**
 * Where a hunk belongs, at or after `from`. Without a header it must match exactly one place; after a header the first place counts, and if
 * the header itself occurs several times, only one of them may lead to a place. Nothing is guessed.
 */
export function locateHunk(hunk: Hunk, index: LineIndex, from: number): HunkPlace {
  const named = namedRanges(hunk, index, from);
  if (!Array.isArray(named)) return named;
  const wanted = oldLines(hunk);
  if (wanted.length === 0) return placeOfInsertion(hunk, index, named);
  const [exact] = RULES;
  for (const inside of named.length === 0 ? ANYWHERE : NAMED) {
    for (const rule of RULES) {
      const places = placesUnder({ rule, wanted, index, hunk }, rangesFor(inside, named, { from, to: index.length }));
      const [only] = places;
      if (only !== undefined && places.length === 1) return { ok: true, at: only, rule };
      const byNumber = places.find((place) => place + 1 === hunk.lineNumber);
      if (byNumber !== undefined && rule === exact) return { ok: true, at: byNumber, rule };
      if (places.length > 1) return { ok: false, problem: 'ambiguous', lines: places, rule };
    }
  }
  return { ok: false, problem: 'not found' };
}

export function oldLines(hunk: Hunk): ReadonlyArray<string> {
  return hunk.lines.filter((line) => line.kind !== 'add').map((line) => line.text);
}

/** Where a hunk may start: anywhere, after its header or, if it repeats its header as context, on it. */
type Inside = 'file' | 'after header' | 'header';

function rangesFor(
  inside: Inside,
  named: ReadonlyArray<Range>,
  whole: Range,
): ReadonlyArray<Range & { readonly limit: number }> {
  if (inside === 'file') return [{ ...whole, limit: MAX_LISTED }];
  return named.map(({ from, to }) =>
    inside === 'after header' ? { from: from + 1, to, limit: 1 } : { from, to: from, limit: 1 },
  );
}

type Search = {
  readonly rule: Rule;
  readonly wanted: ReadonlyArray<string>;
  readonly index: LineIndex;
  readonly hunk: Hunk;
};

function placesUnder({ rule, wanted, index, hunk }: Search, ranges: ReadonlyArray<Range & { readonly limit: number }>) {
  const end = index.length - wanted.length;
  const places = ranges.flatMap((range) =>
    index.places(rule, wanted, hunk.atEndOfFile ? { ...range, from: Math.max(range.from, end) } : range),
  );
  return [...new Set(places)].slice(0, MAX_LISTED);
}

function placeOfInsertion(hunk: Hunk, index: LineIndex, named: ReadonlyArray<Range>): HunkPlace {
  const [rule] = RULES;
  if (rule === undefined) return { ok: false, problem: 'not found' };
  const [only] = named;
  if (hunk.atEndOfFile || only === undefined) return { ok: true, at: index.length, rule };
  if (named.length === 1) return { ok: true, at: only.from + 1, rule };
  return { ok: false, problem: 'ambiguous', lines: named.slice(0, MAX_LISTED).map(({ from }) => from), rule };
}

/**
 * One range for each occurrence of the innermost header, inside those of the outer ones: from the header's line up to its next occurrence.
 * Empty if the hunk has no header.
 */
function namedRanges(hunk: Hunk, index: LineIndex, from: number): Range[] | Extract<HunkPlace, { ok: false }> {
  if (hunk.contextHeader === null) return [];
  let ranges: Range[] = [{ from: from - 1, to: index.length - 1 }];
  for (const header of [...hunk.outerHeaders, hunk.contextHeader]) {
    const inner = ranges.flatMap((range) => occurrences(header, index, range));
    if (inner.length === 0) return { ok: false, problem: 'header not found', header };
    ranges = inner;
  }
  return ranges;
}

function occurrences(header: string, index: LineIndex, range: Range): Range[] {
  const within = { from: range.from + 1, to: range.to, limit: MAX_LISTED };
  const whole = RULES.map((rule) => index.places(rule, [header], within)).find((places) => places.length > 0);
  const places = whole ?? linesWith(header.trim(), index, within);
  return places.map((place, order) => ({ from: place, to: places[order + 1] ?? range.to }));
}

/** Models abbreviate headers: `class A` for `class A(Base):`. */
function linesWith(
  header: string,
  index: LineIndex,
  { from, to, limit }: Range & { readonly limit: number },
): number[] {
  const places: number[] = [];
  for (let line = Math.max(0, from); line <= to && line < index.length && places.length < limit; line++) {
    if (index.text(line).includes(header)) places.push(line);
  }
  return places;
}
