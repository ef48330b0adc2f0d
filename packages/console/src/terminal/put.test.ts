import fc from 'fast-check';
import { anyCharacter } from '@attractor/base/testing/any-character';
import { expect, test } from 'vitest';
import { putBytes, putStyled, putText } from './put.ts';

function put(isTTY: boolean, write: (stream: Parameters<typeof putText>[0]) => unknown): string {
  let text = '';
  write({
    isTTY,
    write: (piece) => Boolean((text += typeof piece === 'string' ? piece : Buffer.from(piece).toString())),
  });
  return text;
}

test('T29: whatever is said, no control character but tab and newline reaches a terminal; a pipe gets every byte', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter() }), (said) => {
      for (const way of [putText, putStyled])
        expect(put(true, (stream) => way(stream, said)).replaceAll(/\u001b\[(?:1|2|22|31|32|36|39)m/g, '')).not.toMatch(
          /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/,
        );
      expect(put(false, (stream) => putText(stream, said))).toBe(said);
    }),
  );
});

test('a line of JSON stays one, and says the same', () => {
  const value = { text: 'a\u009b2J\u{e0041}\u202e' };
  expect(JSON.parse(put(true, (stream) => putText(stream, JSON.stringify(value))))).toEqual(value);
});

test('colours of our own pass, others do not; bytes are shown as text', () => {
  expect(put(true, (stream) => putStyled(stream, '\u001b[31mbad\u001b[39m \u001b[41m'))).toBe(
    '\u001b[31mbad\u001b[39m \\u001b[41m',
  );
  expect(put(true, (stream) => putBytes(stream, Buffer.from('\u001b[31m')))).toBe('\\u001b[31m');
});
