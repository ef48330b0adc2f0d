import { describe, expect, it } from 'vitest';
import { judge } from './planted.ts';
import { wholeTests } from './whole-tests.ts';

const FILE = 'packages/llm/src/a.test.ts';

describe('whole tests', () => {
  it.each(['it.skip', 'describe.only', 'test.todo', 'it.concurrent.skip', 'it.skip.each([1])'])(
    'refuses %s',
    (call) => {
      expect(judge(wholeTests, { [FILE]: `${call}('a', () => {});` })).toEqual([expect.stringContaining(`${FILE}:1`)]);
    },
  );

  it('allows words that only look like it', () => {
    expect(judge(wholeTests, { [FILE]: `it('a', () => { list.skip(1); options.only; });` })).toEqual([]);
  });
});
