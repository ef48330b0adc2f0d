import fc from 'fast-check';
import { anyCharacter } from '@attractor/base/testing/any-character';
import { describe, expect, it } from 'vitest';
import { runs } from '@attractor/base/testing';
import { contentHash } from './content-hash.ts';
import { readShown, shownCall, visible } from './shown.ts';

/** What a terminal or a browser would obey, or not draw. */
const OBEYED = /(?![\n\t ])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Zs}]/u;

const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom('\u001b', '\u009b', '\u202e', '\u2066', '\u200b', '\u00a0', '\r', '\0', '\\', 'u', '{', '}', '1'),
    fc.string({ unit: anyCharacter(), minLength: 1, maxLength: 1 }),
  ),
});

describe('what a person is shown', () => {
  it('T29: holds nothing that a terminal obeys, and T8: gives back what runs byte for byte', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(visible(text)).not.toMatch(OBEYED);
        expect(readShown(visible(text))).toBe(text);
        expect(shownCall({ toolName: 'shell', args: { command: text } })).toBe(visible(text));
      }),
      { numRuns: runs(150, 50_000) },
    );
  });

  it('leaves plain text as it is', () => {
    expect(visible('grep -n "a\\nb" src/ü.ts\n\tnext 日本 👍')).toBe('grep -n "a\\nb" src/ü.ts\n\tnext 日本 👍');
  });

  it('is the whole call: where it runs, every line of a change, every argument of a tool that we do not know', () => {
    expect(
      shownCall({ toolName: 'shell', args: { command: 'ls', working_dir: '/etc', description: 'harmless' } }),
    ).toBe('ls\n{"working_dir":"/etc"}');
    expect(
      shownCall({
        toolName: 'edit_file',
        args: { file_path: 'a', old_string: 'x\ny', new_string: 'z', replace_all: true },
      }),
    ).toBe('a {"replace_all":true}\n-x\n-y\n+z');
    expect(shownCall({ toolName: 'write_file', args: { file_path: 'a', content: '1\n2' } })).toBe('a\n+1\n+2');
    const rewritten = { toolName: 'write_file', args: { file_path: 'a', content: 'one\n2\nthree\n4\n5\n6\n7' } };
    expect(shownCall(rewritten, 'one\ntwo\nthree\n4\n5\n6\n7')).toBe('a\n one\n-two\n+2\n three\n 4\n…');
    expect(shownCall(rewritten, 'one\n2\nthree\n4\n5\n6\n7\n')).toBe('a\n…\n 6\n 7\n-');
    expect(shownCall(rewritten, rewritten.args.content)).toBe('a\n(as it is)');
    expect(shownCall({ toolName: 'mcp__x__y', args: { a: 1 } })).toBe('mcp__x__y {\n  "a": 1\n}');
  });
});

describe('T7: the hash of a call', () => {
  it('is of the tool and every byte of its arguments, and of nothing else', () => {
    const hash = (toolName: string, args: Readonly<Record<string, unknown>>) => contentHash({ toolName, args });
    expect(hash('a', { x: 1, y: { b: 2, a: [1] } })).toBe(hash('a', { y: { a: [1], b: 2 }, x: 1 }));
    const others = [
      hash('b', { x: '1' }),
      hash('a', { x: 1 }),
      hash('a', { x: '1 ' }),
      hash('a', { x: '1', y: null }),
      hash('a', { x: ['1'] }),
      hash('a', { y: '1' }),
    ];
    expect(new Set([hash('a', { x: '1' }), ...others]).size).toBe(7);
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.dictionary(fc.string(), fc.jsonValue()),
        (one, other) => {
          fc.pre(JSON.stringify(one) !== JSON.stringify(other));
          const same =
            JSON.stringify(Object.entries(one).toSorted()) === JSON.stringify(Object.entries(other).toSorted());
          if (!same && hash('a', one) === hash('a', other)) expect(one).toEqual(other);
        },
      ),
      { numRuns: runs(100, 10_000) },
    );
  });
});
