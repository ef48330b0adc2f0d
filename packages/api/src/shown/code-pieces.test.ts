import { expect, it } from 'vitest';
import { codePieces } from './code-pieces.ts';

const parts = [
  { text: 'const ', isMarked: false },
  { text: 'ab', isMarked: true },
  { text: ' = 1', isMarked: false },
];

it('cuts a line where its marks or its tokens change, and keeps every character', () => {
  const tokens = [
    { text: 'const', kind: 'keyword' },
    { text: ' a', kind: null },
    { text: 'b = 1', kind: 'string' },
  ] as const;
  expect(
    codePieces(parts, tokens).map(({ text, isMarked, kind }) => `${text}|${isMarked ? 'marked' : ''}|${kind}`),
  ).toEqual(['const||keyword', ' ||null', 'a|marked|null', 'b|marked|string', ' = 1||string']);
});

it('keeps the marks of a line whose language nobody knows', () => {
  expect(codePieces(parts, undefined).map(({ text }) => text)).toEqual(['const ', 'ab', ' = 1']);
});
