import type { FileDiff } from '@attractor/platform';
import { type MarkedPart, markWords } from './word-marks.ts';

export type DiffLine = {
  readonly kind: 'context' | 'added' | 'removed';
  /** Its number before and after; null where it is not. */
  readonly before: number | null;
  readonly after: number | null;
  readonly parts: ReadonlyArray<MarkedPart>;
};

/** A row of the split view: what was, and what is. */
export type DiffPair = { readonly left: DiffLine | null; readonly right: DiffLine | null };

type Hunk = FileDiff['hunks'][number];

/** The lines of a hunk with their numbers; a removed line beside an added one has its words marked. */
export function linesOf(hunk: Hunk): ReadonlyArray<DiffLine> {
  return unified(pairsOf(hunk));
}

/** Runs of removed lines before runs of added ones, as a person reads them. */
function unified(pairs: ReadonlyArray<DiffPair>): ReadonlyArray<DiffLine> {
  const lines: DiffLine[] = [];
  let added: DiffLine[] = [];
  for (const { left, right } of pairs) {
    if (left !== null && left === right) {
      lines.push(...added, left);
      added = [];
      continue;
    }
    if (left !== null) lines.push(left);
    if (right !== null) added.push(right);
  }
  return [...lines, ...added];
}

export function pairsOf(hunk: Hunk): ReadonlyArray<DiffPair> {
  const pairs: DiffPair[] = [];
  const numbers = { before: hunk.oldStart, after: hunk.newStart };
  let removed: Array<{ readonly text: string; readonly number: number }> = [];
  let added: typeof removed = [];
  const flush = () => {
    for (let at = 0; at < Math.max(removed.length, added.length); at += 1)
      pairs.push(changedPair(removed[at] ?? null, added[at] ?? null));
    removed = [];
    added = [];
  };
  for (const { kind, text } of hunk.lines) {
    if (kind === 'removed') {
      if (added.length > 0) flush();
      removed.push({ text, number: numbers.before });
    } else if (kind === 'added') added.push({ text, number: numbers.after });
    else {
      flush();
      const line = { kind, before: numbers.before, after: numbers.after, parts: [{ text, isMarked: false }] } as const;
      pairs.push({ left: line, right: line });
    }
    if (kind !== 'added') numbers.before += 1;
    if (kind !== 'removed') numbers.after += 1;
  }
  flush();
  return pairs;
}

type Side = { readonly text: string; readonly number: number } | null;

function changedPair(removed: Side, added: Side): DiffPair {
  const marks =
    removed !== null && added !== null
      ? markWords(removed.text, added.text)
      : {
          removed: [{ text: removed?.text ?? '', isMarked: false }],
          added: [{ text: added?.text ?? '', isMarked: false }],
        };
  return {
    left: removed === null ? null : { kind: 'removed', before: removed.number, after: null, parts: marks.removed },
    right: added === null ? null : { kind: 'added', before: null, after: added.number, parts: marks.added },
  };
}
