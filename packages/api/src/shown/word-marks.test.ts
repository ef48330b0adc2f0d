import { expect, it } from 'vitest';
import { markWords } from './word-marks.ts';

const shown = (parts: ReadonlyArray<{ readonly text: string; readonly isMarked: boolean }>) =>
  parts.map(({ text, isMarked }) => (isMarked ? `[${text}]` : text)).join('');

it('marks the words that changed, and only those', () => {
  const { removed, added } = markWords('return a - b;', 'return a + b;');
  expect([shown(removed), shown(added)]).toEqual(['return a [-] b;', 'return a [+] b;']);
});

it('leaves a very long line unmarked instead of comparing it', () => {
  const { removed } = markWords('x '.repeat(2000), 'y');
  expect(removed).toEqual([{ text: 'x '.repeat(2000), isMarked: false }]);
});
