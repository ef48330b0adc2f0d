import { expect, it } from 'vitest';
import { linesOf, pairsOf } from './changed-lines.ts';

const HUNK = {
  oldStart: 3,
  newStart: 3,
  section: '',
  lines: [
    { kind: 'context', text: 'a' },
    { kind: 'removed', text: 'b one' },
    { kind: 'removed', text: 'c' },
    { kind: 'added', text: 'b two' },
    { kind: 'context', text: 'd' },
  ],
} as const;

it('numbers both sides, and puts what was beside what is', () => {
  const pairs = pairsOf(HUNK).map(({ left, right }) => [left?.before ?? null, right?.after ?? null]);
  expect(pairs).toEqual([
    [3, 3],
    [4, 4],
    [5, null],
    [6, 5],
  ]);
});

it('shows removed lines before added ones in one column', () => {
  const lines = linesOf(HUNK).map(({ kind, parts }) => `${kind} ${parts.map(({ text }) => text).join('')}`);
  expect(lines).toEqual(['context a', 'removed b one', 'removed c', 'added b two', 'context d']);
});
