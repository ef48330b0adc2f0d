import { describe, expect, it } from 'vitest';
import { errorOf, messageOf } from './failure.ts';
import { isRecord } from './record.ts';

describe('what was thrown', () => {
  it.each([
    ['an error', new TypeError('no such field'), 'no such field'],
    ['a text', 'gone', 'gone'],
    ['nothing', undefined, 'undefined'],
  ])('%s has a message', (_what, thrown, message) => {
    expect(messageOf(thrown)).toBe(message);
    expect(errorOf(thrown).message).toBe(message);
  });

  it('stays itself when it is an error', () => {
    const thrown = new RangeError('far');
    expect(errorOf(thrown)).toBe(thrown);
  });
});

describe('a record', () => {
  it.each([[{}], [{ a: 1 }], [Object.create(null)]])('is %j', (value) => expect(isRecord(value)).toBe(true));
  it.each([[null], [[]], ['a'], [1], [undefined]])('is not %j', (value) => expect(isRecord(value)).toBe(false));
});
