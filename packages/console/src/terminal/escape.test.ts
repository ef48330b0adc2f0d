import fc from 'fast-check';
import { anyCharacter } from '@attractor/base/testing/any-character';
import { expect, test } from 'vitest';
import { readableText } from './escape.ts';

test('escape sequences and bidirectional controls are shown, not obeyed', () => {
  expect(readableText('a\u001b[31mred\u0007 \u202eevil')).toBe('a\\u{1b}[31mred\\u{7} \\u{202e}evil');
});

test('T29: what takes no room is shown, so that no words hide in it; what joins letters stays', () => {
  expect(readableText('a\u200bb\ufeffc\u00add\u2028e\u2063f\u{e0041}')).toBe(
    'a\\u{200b}b\\u{feff}c\\u{ad}d\\u{2028}e\\u{2063}f\\u{e0041}',
  );
  expect(readableText('می\u200cخواهم 👩\u200d💻')).toBe('می\u200cخواهم 👩\u200d💻');
});

test('T29: every control character but tab and newline is shown, those of eight bits too', () => {
  for (let code = 0; code <= 0x9f; code += 1) {
    const isPlain = (code >= 0x20 && code < 0x7f) || code === 9 || code === 10;
    const character = String.fromCodePoint(code);
    expect(readableText(character)).toBe(isPlain ? character : `\\u{${code.toString(16)}}`);
  }
});

test('tabs, newlines and ordinary Unicode pass unchanged', () => {
  expect(readableText('a\tb\nçédille 漢字 🙂')).toBe('a\tb\nçédille 漢字 🙂');
});

test('whatever comes in, no control character but tab and newline comes out', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter() }), (text) => {
      for (const character of readableText(text)) {
        const code = character.codePointAt(0) ?? 0;
        expect(code >= 0x20 || code === 9 || code === 10).toBe(true);
        expect(code >= 0x7f && code <= 0x9f).toBe(false);
      }
    }),
  );
});
