import { array, assert, integer, jsonValue, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { partialJsonReader } from './partial-json.ts';

function read(...pieces: string[]): unknown {
  const reader = partialJsonReader();
  for (const piece of pieces) reader.push(piece);
  return reader.value();
}

describe('JSON that is still arriving', () => {
  it.each<[string, unknown]>([
    ['', undefined],
    ['  ', undefined],
    ['{', {}],
    ['{"na', {}],
    ['{"name"', {}],
    ['{"name":', {}],
    ['{"name":"', { name: '' }],
    ['{"name":"Ad', { name: 'Ad' }],
    ['{"name":"Ad\\', { name: 'Ad' }],
    ['{"name":"A\\u00e', { name: 'A' }],
    ['{"name":"A\\u00e9', { name: 'Aé' }],
    ['{"smile":"\\ud83d', { smile: '' }],
    ['{"smile":"\\ud83d\\ude00', { smile: '😀' }],
    ['{"n":12', {}],
    ['{"n":12,', { n: 12 }],
    ['{"n":12,"m":tr', { n: 12 }],
    ['{"n":-1.5e3,"m":true}', { n: -1500, m: true }],
    ['{"list":[1,[2,{"x":"y', { list: [1, [2, { x: 'y' }]] }],
    ['[[],{}, null ', [[], {}, null]],
    ['"whole"', 'whole'],
  ])('reads %j as %j', (text, value) => {
    expect(read(text)).toEqual(value);
  });

  it.each(['{"a":1,]', '{"a" 1', '[1 2]', '{"a":nope,"b":1', '{a:1', 'hello', '{"a":01,', '["\\x', '{} {}'])(
    'stops at what is not JSON: %j',
    (text) => {
      const reader = partialJsonReader();
      reader.push(text);
      const before = structuredClone(reader.value());
      expect(reader.push('"more":"text"}]')).toBe(false);
      expect(reader.value()).toEqual(before);
    },
  );

  it('keeps __proto__ a plain key', () => {
    const value = read('{"__proto__":{"polluted":true},"a":1}');
    expect(Object.hasOwn(Object(value), '__proto__')).toBe(true);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  it('never changes a value it has given out', () => {
    const reader = partialJsonReader();
    reader.push('{"a":{"b":["x');
    const early = reader.value();
    reader.push('yz"],"c":1},"d":2}');
    expect(early).toEqual({ a: { b: ['x'] } });
    expect(reader.value()).toEqual({ a: { b: ['xyz'], c: 1 }, d: 2 });
  });

  it('ends with exactly what JSON.parse gives, however the text is cut', () => {
    assert(
      property(jsonValue(), array(integer({ min: 1, max: 7 }), { minLength: 1 }), (value, sizes) => {
        const text = `${JSON.stringify(value, null, 1)} `;
        const reader = partialJsonReader();
        for (let at = 0, turn = 0; at < text.length; turn += 1) {
          const size = sizes[turn % sizes.length] ?? 1;
          reader.push(text.slice(at, at + size));
          at += size;
        }
        expect(reader.value()).toEqual(JSON.parse(text));
      }),
      { numRuns: 200 },
    );
  });
});
