import type { FileDiff } from '@attractor/platform';
import { expect, it } from 'vitest';
import { isSeen, type KnownLines, NO_LINES, unfold } from './unfolded.ts';

/** A file of thirty lines: line 10 was changed, 20 is new; three lines are shown around each. */
const text = (line: number) => `line ${line}`;
const around = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => ({ kind: 'context', text: text(from + at) }) as const);
const HUNKS: FileDiff['hunks'] = [
  {
    oldStart: 7,
    newStart: 7,
    section: '',
    lines: [...around(7, 9), { kind: 'removed', text: 'old' }, { kind: 'added', text: 'new' }, ...around(11, 13)],
  },
  {
    oldStart: 17,
    newStart: 17,
    section: 'function second()',
    lines: [...around(17, 19), { kind: 'added', text: 'more' }, ...around(21, 23)],
  },
];
const knowing = (total: number | null, ...numbers: ReadonlyArray<number>): KnownLines => ({
  lines: new Map(numbers.map((line) => [line, text(line)])),
  total,
});
const shown = (known: KnownLines) =>
  unfold(HUNKS, known).map(({ hunk, fold }) =>
    fold === undefined
      ? `${hunk.oldStart}/${hunk.newStart}+${hunk.lines.length}`
      : `${fold.from}–${fold.to} ${fold.section}`.trim(),
  );

it('has a fold before, between and after what changed, each with the numbers of its lines', () => {
  expect(shown(NO_LINES)).toEqual(['1–6', '7/7+8', '14–16 function second()', '17/17+7', '24–null']);
});

it('puts lines that are known into their places, and makes one of what meets', () => {
  expect(shown(knowing(null, 5, 6))).toEqual(['1–4', '5/5+10', '14–16 function second()', '17/17+7', '24–null']);
  expect(shown(knowing(null, 14, 15, 16))).toEqual(['1–6', '7/7+18', '24–null']);
  // One line was added before: from there on the numbers of both sides differ.
  expect(shown(knowing(30, 25))).toEqual([
    '1–6',
    '7/7+8',
    '14–16 function second()',
    '17/17+7',
    '24–24',
    '24/25+1',
    '26–30',
  ]);
  expect(shown(knowing(23))).toEqual(['1–6', '7/7+8', '14–16 function second()', '17/17+7']);
});

it('has no fold where a file ends with the change, nor in a file that is new or gone', () => {
  const short = {
    oldStart: 1,
    newStart: 1,
    section: '',
    lines: [{ kind: 'added', text: 'a' } as const, ...around(2, 3)],
  };
  expect(unfold([short], NO_LINES)).toEqual([{ hunk: short }]);
  const fresh = { oldStart: 0, newStart: 1, section: '', lines: [{ kind: 'added', text: 'a' } as const] };
  expect(unfold([fresh], NO_LINES)).toEqual([{ hunk: fresh }]);
  const gone = { oldStart: 1, newStart: 0, section: '', lines: [{ kind: 'removed', text: 'a' } as const] };
  expect(unfold([gone], NO_LINES)).toEqual([{ hunk: gone }]);
});

it('knows which lines of either side are seen', () => {
  const pieces = unfold(HUNKS, NO_LINES);
  const seen = (side: 'before' | 'after', ...lines: ReadonlyArray<number>) =>
    lines.filter((line) => isSeen(pieces, { side, line }));
  expect(seen('after', 6, 7, 13, 14, 20, 23, 24)).toEqual([7, 13, 20, 23]);
  expect(seen('before', 6, 7, 13, 22, 23)).toEqual([7, 13, 22]);
});
