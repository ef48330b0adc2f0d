import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from './test-support/runs.ts';
import { parseToolArgs } from './tool-args.ts';

describe('tool arguments', () => {
  it('are the object that the text says, and none where there is no text', () => {
    expect(parseToolArgs('{"a":{"b":[1,"x"]}}')).toEqual({ args: { a: { b: [1, 'x'] } } });
    expect(parseToolArgs('')).toEqual({ args: {} });
    expect(parseToolArgs(' \n')).toEqual({ args: {} });
  });

  it.each([
    ['{"a":1', /not valid JSON/],
    ['{"a":1,}', /not valid JSON/],
    ['{"a":NaN}', /not valid JSON/],
    ["{'a':1}", /not valid JSON/],
    ['{"a":1}{"b":2}', /not valid JSON/],
    ['[1]', /not an array/],
    ['"text"', /not a string/],
    ['null', /not null/],
    ['{"a":1,"a":2}', /"a" twice/],
    ['{"x":{"a":1,"b":[{"c":1,"c":2}]}}', /"c" twice/],
    ['{"a":1,"\\u0061":2}', /twice/],
    ['{"__proto__":{"polluted":true}}', /__proto__/],
    ['{"deep":[{"__proto__":1}]}', /__proto__/],
    ['{"\\u005f_proto__":1}', /__proto__/],
  ])('written as %s are refused with a reason, and nothing is guessed', (text, reason) => {
    const { args, rawArgs, argsError } = parseToolArgs(text);
    expect([args, rawArgs]).toEqual([{}, text]);
    expect(argsError).toMatch(reason);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  it('may repeat a key in different objects, or as a value', () => {
    expect(parseToolArgs('{"a":{"a":"a"},"b":[{"a":1},{"a":2}],"c":"a\\":1,\\"a"}').argsError).toBeUndefined();
  });

  it('of ten megabytes are refused without being kept', () => {
    const { argsError, rawArgs } = parseToolArgs(`{"a":"${'x'.repeat(10 * 1024 * 1024)}"}`);
    expect(argsError).toContain('limit');
    expect(rawArgs?.length).toBeLessThan(2000);
  });

  it('survive the way through JSON, whatever they are', () => {
    const object = fc.dictionary(
      fc.string().filter((key) => key !== '__proto__'),
      fc.jsonValue({ maxDepth: 3 }).filter((value) => !JSON.stringify(value).includes('__proto__')),
    );
    fc.assert(
      fc.property(object, (value) => {
        expect(parseToolArgs(JSON.stringify(value)).args).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: runs(200) },
    );
  });

  it('never throw and are never both whole and refused', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json().chain((text) => fc.nat(text.length).map((cut) => text.slice(0, cut))),
        ),
        (text) => {
          const { args, argsError } = parseToolArgs(text);
          if (argsError !== undefined) expect(args).toEqual({});
        },
      ),
      { numRuns: runs(200) },
    );
  });
});
