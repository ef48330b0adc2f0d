import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJsonWithLines } from './json-with-lines.ts';

describe('JSON with lines', () => {
  it('reads what JSON.parse reads, to the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const read = readJsonWithLines(text);
        expect(read.ok && read.node.value).toEqual(JSON.parse(text));
      }),
    );
  });

  it('refuses what JSON.parse refuses, and never throws', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"a"',
      ':',
      ',',
      '1',
      '-',
      '0',
      'true',
      'nul',
      '"',
      '\\',
      '\n',
      '/',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.join('');
        const read = readJsonWithLines(text);
        if (read.ok) expect(read.node.value).toEqual(JSON.parse(text));
        else if (!read.message.includes('only once')) expect(() => JSON.parse(text)).toThrow(/JSON|string/);
      }),
    );
  });

  it('knows the line of every key and item', () => {
    const read = readJsonWithLines('{\n  "a": [\n    1,\n    2\n  ],\n  "b":\n    {}\n}');
    if (!read.ok) throw new Error(read.message);
    expect(read.node.members?.get('a')?.items?.map(({ line }) => line)).toEqual([3, 4]);
    expect(read.node.members?.get('b')).toMatchObject({ keyLine: 6, line: 7 });
  });

  it.each([
    ['{\n"a": 1\n"b": 2 }', 3, 'a comma'],
    ['{\n"a": 1,\n"a": 2 }', 3, 'only once'],
    ['', 1, 'the end of the file'],
    ['{ "a": "x\ny" }', 1, 'a string'],
    ['{ // no\n}', 1, 'a key'],
    ['{} x', 1, 'nothing more'],
    ['['.repeat(201), 1, '200 brackets'],
  ])('says where %j is wrong', (text, line, expected) => {
    expect(readJsonWithLines(text)).toMatchObject({ ok: false, line });
    expect(readJsonWithLines(text)).toHaveProperty('message', expect.stringContaining(expected));
  });

  it('allows comments and a last comma where they are usual', () => {
    const read = readJsonWithLines('{ // one\n "a": [1, /* two\n */ 2,],\n}', { comments: true });
    expect(read.ok && read.node.value).toEqual({ a: [1, 2] });
  });

  it('keeps __proto__ a key like any other', () => {
    const read = readJsonWithLines('{ "__proto__": { "x": 1 } }');
    expect(read.ok && Object.hasOwn(Object(read.node.value), '__proto__')).toBe(true);
  });
});
