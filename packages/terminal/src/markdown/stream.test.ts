import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Line, textOf } from '../themes/line.ts';
import { isPlainWords, loadLexer } from './render-block.ts';
import { createMarkdownStream } from './stream.ts';

const lexer = await loadLexer();

const BLOCKS = [
  '# A heading\n',
  'A paragraph with **bold**, *emphasis* and `code`.\nIts second line, **over\ntwo lines**.\n\n',
  '- one\n- two\n  more of two\n\n  a paragraph of two\n- three\n',
  '1. first\n2. second\n   ```js\n   const a = 1; // one\n   ```\n3. third\n\n',
  '```ts\nconst x = `a\nb`; /* c\n d */ let y = "z";\n```\n',
  '```\nno language\n',
  '| a | b |\n|---|---|\n| 1 | two |\n| 漢 | ok |\n\n',
  '> quoted\n> twice\n\n',
  '---\n',
  'a [link](https://example.org) and https://example.org\n\n',
  '\n\n',
  '<b>html</b>\n',
];

function linesOf(pieces: ReadonlyArray<string>): ReadonlyArray<Line> {
  const stream = createMarkdownStream(lexer, () => 80);
  return [
    ...pieces.flatMap((piece) => {
      const lines = stream.add(piece);
      stream.tail();
      return lines;
    }),
    ...stream.end(),
  ];
}

describe('markdown that is being written', () => {
  it('gives the same lines however it is split', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...BLOCKS), { maxLength: 6 }),
        fc.array(fc.nat(300), { maxLength: 10 }),
        (blocks, cuts) => {
          const text = blocks.join('');
          const places = [...new Set(cuts.map((cut) => Math.min(cut, text.length)))].toSorted((a, b) => a - b);
          const pieces = [0, ...places].map((from, at) => text.slice(from, places[at] ?? text.length));
          const whole = linesOf([text]);
          expect(linesOf(pieces)).toEqual(whole);
          expect(linesOf(text.split(''))).toEqual(whole);
        },
      ),
    );
  });

  it('reads as a person expects', () => {
    const text = BLOCKS.filter((block) => !block.startsWith('```\n')).join('\n');
    expect(linesOf([text]).map(textOf).join('\n')).toMatchInlineSnapshot(`
      "A heading

      A paragraph with bold, emphasis and code.
      Its second line, over
      two lines.

      • one
      • two
        more of two
        a paragraph of two
      • three

      1. first
      2. second

      js
      const a = 1; // one

      3. third

      ts
      const x = \`a
      b\`; /* c
       d */ let y = "z";

      a   b
      ──  ───
      1   two
      漢  ok

      │ quoted
      │ twice

      ────────

      a link (https://example.org) and https://example.org

      <b>html</b>"
    `);
  });

  it('finishes code line by line, neither indented nor padded', () => {
    const stream = createMarkdownStream(lexer, () => 80);
    expect(stream.add('```js\n').map(textOf)).toEqual(['js']);
    expect(stream.add('if (a) {\n').map(textOf)).toEqual(['if (a) {']);
    expect(stream.add('  b();\n').map(textOf)).toEqual(['  b();']);
    expect(stream.add('```\n')).toEqual([]);
  });

  it('lays a table that is too wide out as rows of a list', () => {
    const stream = createMarkdownStream(lexer, () => 20);
    const lines = [...stream.add('| name | what it is |\n|--|--|\n| one | a rather long text |\n'), ...stream.end()];
    expect(lines.map(textOf)).toEqual(['name: one', 'what it is: a rather long text']);
  });

  it('takes for plain words only what the parser takes for them too', () => {
    const pieces = [
      'a',
      'B',
      '7',
      ' ',
      '  ',
      ',',
      '.',
      ':',
      "'",
      '"',
      '(',
      ')',
      '?',
      '!',
      '%',
      '$',
      '/',
      '+',
      '=',
      '-',
      '_',
      '*',
      '@',
      '&',
      '#',
      'www.a.b',
      'http://a.b',
      '1. ',
      '\n',
    ];
    const text = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 12 }).map((all) => `W${all.join('')}`);
    fc.assert(
      fc.property(text, (one) => {
        if (isPlainWords(one))
          expect([...lexer(one)]).toMatchObject([{ type: 'paragraph', tokens: [{ type: 'text', text: one }] }]);
      }),
      { numRuns: 300 },
    );
    expect(['Line 7 of it: plain, "as" most (are).', 'a *b*', 'see http://a.b', 'a  '].map(isPlainWords)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});
