import type { FileDiff } from '@attractor/platform';

type Hunk = FileDiff['hunks'][number];

/** Lines of a file, by their numbers after the change, that were asked for since. `total`: null as long as nobody knows. */
export type KnownLines = { readonly lines: ReadonlyMap<number, string>; readonly total: number | null };

export const NO_LINES: KnownLines = { lines: new Map(), total: null };

/** Lines that nothing changed, left out. `to`: null means to the end of the file, wherever that is. */
export type Fold = { readonly from: number; readonly to: number | null; readonly section: string };

/** What is seen of a file, from its beginning to its end. */
export type Piece = { readonly hunk: Hunk; readonly fold?: never } | { readonly fold: Fold; readonly hunk?: never };

/** Git shows so many lines around a change: fewer of them after it, and the file ends there. */
const AROUND = 3;

/** The hunks of a file with the folds between them; lines that are known stand in their places, and hunks that meet are one. */
export function unfold(hunks: ReadonlyArray<Hunk>, known: KnownLines): ReadonlyArray<Piece> {
  const pieces: Piece[] = [];
  let [next, shift] = [1, 0];
  for (const hunk of hunks) {
    const gap = { from: next, to: hunk.newStart - 1, shift, section: hunk.section };
    pieces.push(...knownBetween(gap, known), { hunk });
    next = hunk.newStart + hunk.lines.filter(({ kind }) => kind !== 'removed').length;
    shift = hunk.oldStart + hunk.lines.filter(({ kind }) => kind !== 'added').length - next;
  }
  const last = hunks.at(-1);
  if (last !== undefined && !isAtEnd(last))
    pieces.push(...knownBetween({ from: next, to: known.total, shift, section: '' }, known));
  return joined(pieces);
}

type Gap = Fold & { readonly shift: number };

function knownBetween({ from, to, shift, section }: Gap, { lines }: KnownLines): ReadonlyArray<Piece> {
  const pieces: Piece[] = [];
  const numbers = [...lines.keys()]
    .filter((line) => line >= from && line <= (to ?? Infinity))
    .toSorted((a, b) => a - b);
  let next = from;
  for (const line of numbers) {
    if (line > next) pieces.push({ fold: { from: next, to: line - 1, section: '' } });
    const text = lines.get(line) ?? '';
    pieces.push({ hunk: { oldStart: line + shift, newStart: line, section: '', lines: [{ kind: 'context', text }] } });
    next = line + 1;
  }
  if (to === null || next <= to) pieces.push({ fold: { from: next, to, section } });
  return pieces;
}

function isAtEnd({ lines }: Hunk): boolean {
  return lines.length - 1 - lines.findLastIndex(({ kind }) => kind !== 'context') < AROUND;
}

function joined(pieces: ReadonlyArray<Piece>): ReadonlyArray<Piece> {
  const all: Piece[] = [];
  for (let at = 0; at < pieces.length; at += 1) {
    const { hunk, fold } = pieces[at] ?? {};
    if (fold !== undefined) all.push({ fold });
    if (hunk === undefined) continue;
    const lines = [...hunk.lines];
    for (let more = pieces[at + 1]?.hunk; more !== undefined; more = pieces[at + 1]?.hunk) {
      lines.push(...more.lines);
      at += 1;
    }
    all.push({ hunk: { ...hunk, lines } });
  }
  return all;
}

/** Whether a line of either side is among what is seen. */
export function isSeen(
  pieces: ReadonlyArray<Piece>,
  { side, line }: { readonly side: 'before' | 'after'; readonly line: number },
) {
  return pieces.some(({ hunk }) => {
    if (hunk === undefined) return false;
    const [start, other] = side === 'before' ? [hunk.oldStart, 'added'] : [hunk.newStart, 'removed'];
    return line >= start && line < start + hunk.lines.filter(({ kind }) => kind !== other).length;
  });
}
