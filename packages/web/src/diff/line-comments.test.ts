import { expect, it } from 'vitest';
import { commentText } from './line-comments.ts';

it('makes one text of a message and the words on each line, in the order of the files', () => {
  const text = commentText('Almost.', [
    { path: 'b.ts', line: 2, text: 'Rename this. ' },
    { path: 'a.ts', line: 9, text: 'Why?' },
    { path: 'a.ts', line: 1, text: 'Drop it.' },
  ]);
  expect(text).toBe('Almost.\n\na.ts:1: Drop it.\n\na.ts:9: Why?\n\nb.ts:2: Rename this.');
});
