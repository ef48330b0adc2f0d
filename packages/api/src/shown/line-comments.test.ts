import { expect, it } from 'vitest';
import { commentText, readComments, withComment } from './line-comments.ts';

it('makes one text of a message and the words on each line, in the order of the files, with the side of the change', () => {
  const text = commentText('Almost.', [
    { path: 'b.ts', side: 'after', line: 2, text: 'Rename this. ' },
    { path: 'a.ts', side: 'after', line: 9, text: 'Why?' },
    { path: 'a.ts', side: 'after', line: 1, text: 'Drop it.' },
    { path: 'a.ts', side: 'before', line: 1, text: 'Keep it.' },
  ]);
  expect(text).toBe(
    'Almost.\n\na.ts:1 (as it was before the change): Keep it.\n\na.ts:1: Drop it.\n\na.ts:9: Why?\n\nb.ts:2: Rename this.',
  );
});

it('has one comment on each side of a line, until its text is taken away', () => {
  const on = (side: 'before' | 'after', text: string) => ({ path: 'a.ts', side, line: 1, text });
  const both = withComment(withComment([], on('before', 'was')), on('after', 'is'));
  expect(withComment(both, on('after', 'is now'))).toEqual([on('before', 'was'), on('after', 'is now')]);
  expect(withComment(both, on('before', ' '))).toEqual([on('after', 'is')]);
});

it('reads what an older version has kept, and nothing that is no comment', () => {
  const kept = [{ path: 'a.ts', line: 1, text: 'x' }, { path: 'a.ts', line: '1', text: 'x' }, null, 'x'];
  expect(readComments(JSON.stringify(kept))).toEqual([{ path: 'a.ts', side: 'after', line: 1, text: 'x' }]);
  expect([readComments(''), readComments('{}')]).toEqual([[], []]);
});
