import { plainPunctuation, singleSpaced } from './equivalence.ts';
import { splitFile, type FileLine } from './file-lines.ts';

const MAX_SHOWN = 12;
const MAX_SHOWN_WIDTH = 200;
const MAX_ALIGNED = 1_000;
/** With more occurrences than this a line is useless for finding a place. */
const MAX_VOTES_OF_LINE = 200;
const MAX_COMPARED_LINES = 2_000;
const ENOUGH_ALIKE = 0.5;
const ENOUGH_OF_PART = 0.75;

/** For a text that was not found: the most similar region and the difference, or advice if there is none. */
export function describeNearMiss(content: string, wanted: string): string {
  const lines = wanted.replace(/\r?\n$/, '').split(/\r?\n/);
  if (lines.every((line) => /^\s*\d+\t/.test(line))) {
    return 'It seems to contain the line numbers that read_file shows: leave them out.';
  }
  return describeClosest(splitFile(content).lines, lines);
}

/** The same for lines that a patch looks for. */
export function describeClosest(content: ReadonlyArray<FileLine>, wanted: ReadonlyArray<string>): string {
  const texts = content.map(({ text }) => text);
  const start = startOfClosest(texts, wanted);
  if (start === null) return 'No similar text was found: read the file again.';
  const found = texts.slice(start, start + wanted.length);
  const last = start + found.length;
  const where = found.length === 1 ? `line ${last}` : `lines ${start + 1} to ${last}`;
  const shown = found
    .slice(0, MAX_SHOWN)
    .map((line, index) => `${String(start + index + 1).padStart(6)}\t${cut(line)}`);
  const more = found.length > MAX_SHOWN ? [`       … ${found.length - MAX_SHOWN} more lines`] : [];
  return [`The closest text is at ${where}. ${differenceOf(found, wanted, start)}`, ...shown, ...more].join('\n');
}

/** Each line that occurs votes for where the region would begin; without any, the most similar line decides. */
function startOfClosest(content: ReadonlyArray<string>, wanted: ReadonlyArray<string>): number | null {
  const votes = new Map<number, number>();
  const places = placesOf(content);
  for (const [offset, line] of wanted.entries()) {
    const key = plain(line);
    const at = key === '' ? [] : (places.get(key) ?? []);
    if (at.length > MAX_VOTES_OF_LINE) continue;
    for (const place of at) votes.set(place - offset, (votes.get(place - offset) ?? 0) + 1 / at.length);
  }
  const [best] = [...votes].toSorted(([a, left], [b, right]) => right - left || a - b);
  return best === undefined ? mostSimilar(content, wanted) : Math.max(0, best[0]);
}

function placesOf(content: ReadonlyArray<string>): ReadonlyMap<string, ReadonlyArray<number>> {
  const places = new Map<string, number[]>();
  for (const [line, text] of content.entries()) {
    const key = plain(text);
    const at = places.get(key);
    if (at === undefined) places.set(key, [line]);
    else if (at.length <= MAX_VOTES_OF_LINE) at.push(line);
  }
  return places;
}

/** Judged by the longest line; for a single one, a part of a line is enough. */
function mostSimilar(content: ReadonlyArray<string>, wanted: ReadonlyArray<string>): number | null {
  const offset = wanted.reduce(
    (longest, line, index) => (line.length > (wanted[longest] ?? '').length ? index : longest),
    0,
  );
  const goal = pairsOfLetters(wanted[offset] ?? '');
  let best = { at: -1, score: ENOUGH_ALIKE };
  for (const at of linesWorthComparing(content, wanted[offset] ?? '')) {
    const score = likeness(goal, pairsOfLetters(content[at] ?? ''), wanted.length === 1 ? 'part' : 'whole');
    if (score > best.score) best = { at, score };
  }
  return best.at < 0 ? null : Math.max(0, best.at - offset);
}

/** Lines that share one of the longest words; without any, the first lines of the file. */
function linesWorthComparing(content: ReadonlyArray<string>, line: string): ReadonlyArray<number> {
  const words = (line.match(/[\p{L}\p{N}_]{3,}/gu) ?? []).toSorted((a, b) => b.length - a.length).slice(0, 3);
  const sharing: number[] = [];
  for (let at = 0; at < content.length && sharing.length < MAX_COMPARED_LINES; at++) {
    if (words.some((word) => content[at]?.includes(word) === true)) sharing.push(at);
  }
  return sharing.length > 0 ? sharing : [...content.slice(0, MAX_COMPARED_LINES).keys()];
}

function pairsOfLetters(line: string): ReadonlySet<string> {
  const text = plain(line).slice(0, MAX_SHOWN_WIDTH);
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < text.length; at++) pairs.add(text.slice(at, at + 2));
  return pairs;
}

function likeness(wanted: ReadonlySet<string>, found: ReadonlySet<string>, of: 'part' | 'whole'): number {
  if (wanted.size === 0 || found.size === 0) return 0;
  let shared = 0;
  for (const pair of wanted) if (found.has(pair)) shared++;
  const whole = (2 * shared) / (wanted.size + found.size);
  const part = shared / wanted.size;
  return of === 'part' && wanted.size > 2 && part > ENOUGH_OF_PART ? Math.max(whole, part) : whole;
}

function differenceOf(found: ReadonlyArray<string>, wanted: ReadonlyArray<string>, start: number): string {
  const differs = (same: (line: string) => string): number =>
    wanted.findIndex((line, index) => found[index] === undefined || same(line) !== same(found[index]));
  const first = differs((line) => line);
  if (first < 0) return 'These lines are the same; the text around them differs.';
  const detail = `First at line ${start + first + 1}: ${firstDifference(found[first], wanted[first] ?? '')}`;
  const isPart = wanted.length === 1 && plain(found[0] ?? '').includes(plain(wanted[0] ?? ''));
  if (differs(singleSpaced) < 0) return `It differs only in white space. ${detail}`;
  if (differs(plain) < 0 || isPart) return `It differs only in white space and typographic characters. ${detail}`;
  return `It differs in its text. ${detail}`;
}

function firstDifference(found: string | undefined, wanted: string): string {
  if (found === undefined) return `the file ends before ${JSON.stringify(cut(wanted))}.`;
  const has = Array.from(found.slice(0, MAX_ALIGNED));
  const asks = Array.from(wanted.slice(0, MAX_ALIGNED));
  const start = bestStart(has, asks);
  const same = sharedFrom(has, asks, start);
  return `column ${start + same + 1} has ${named(has[start + same])} where ${named(asks[same])} was looked for.`;
}

/** Where in the line the wanted text begins: where most of it is equal. */
function bestStart(has: ReadonlyArray<string>, asks: ReadonlyArray<string>): number {
  let best = { start: 0, same: sharedFrom(has, asks, 0) };
  for (let start = 1; start < has.length; start++) {
    const same = sharedFrom(has, asks, start);
    if (same > best.same) best = { start, same };
  }
  return best.start;
}

function sharedFrom(has: ReadonlyArray<string>, asks: ReadonlyArray<string>, start: number): number {
  let same = 0;
  while (same < asks.length && start + same < has.length && asks[same] === has[start + same]) same++;
  return same;
}

function named(character: string | undefined): string {
  if (character === undefined) return 'the end of the line';
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  if (character === ' ') return 'a space';
  if (character === '\t') return 'a tab';
  return /^[!-~]$/.test(character) ? JSON.stringify(character) : `${JSON.stringify(character)} (${code})`;
}

function plain(line: string): string {
  return singleSpaced(plainPunctuation(line));
}

function cut(line: string): string {
  return line.length > MAX_SHOWN_WIDTH ? `${line.slice(0, MAX_SHOWN_WIDTH)}…` : line;
}
