import { describe, expect, expectTypeOf, it } from 'vitest';
import { defined } from './defined.ts';

describe('defined', () => {
  it('leaves out what is undefined and keeps the order of the rest', () => {
    const fields = { b: 1, a: undefined, c: null, d: '' };
    expect(JSON.stringify(defined(fields))).toBe('{"b":1,"c":null,"d":""}');
    expect(Object.keys(defined(fields))).toEqual(['b', 'c', 'd']);
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
