import v8 from 'node:v8';
import vm from 'node:vm';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { defined } from './defined.ts';

describe('defined', () => {
  it('leaves out what is undefined and keeps the order of the rest', () => {
    const fields = { b: 1, a: undefined, c: null, d: '' };
    expect(JSON.stringify(defined(fields))).toBe('{"b":1,"c":null,"d":""}');
    expect(Object.keys(defined(fields))).toEqual(['b', 'c', 'd']);
  });

  it('makes an object that is as fast to read as one written out', () => {
    v8.setFlagsFromString('--allow-natives-syntax');
    try {
      const isFast = vm.runInThisContext('(one) => %HasFastProperties(one)');
      const deleted: { a?: number; b?: number } = { a: 1, b: 2 };
      delete deleted.a;
      expect([deleted, defined({ a: undefined, b: 2, c: undefined, d: 4 })].map((one) => isFast(one))).toEqual([
        false,
        true,
      ]);
    } finally {
      v8.setFlagsFromString('--no-allow-natives-syntax');
    }
  });

  it('does not touch what it was given', () => {
    const fields = { a: undefined };
    defined(fields);
    expect(Object.keys(fields)).toEqual(['a']);
  });

  it('makes every field optional and none undefined, as exact optional fields want it', () => {
    const fields: { readonly a: number | undefined; readonly b: string | null | undefined } = { a: 1, b: null };
    expectTypeOf(defined(fields)).toEqualTypeOf<{ readonly a?: number; readonly b?: string | null }>();
    const exact: { readonly a?: number } = defined({ a: fields.a });
    expect(exact).toEqual({ a: 1 });
  });
});
