import { describe, expect, it } from 'vitest';
import { budgets } from './budgets.ts';
import { judge } from './planted.ts';

const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');
const constants = (count: number) => lines(count, (index) => `export const a${index} = ${index};`);
const longFunction = (count: number) => `export function f(a: number[]) {\n${lines(count, () => '  a.push(1);')}\n}`;

describe('budgets', () => {
  it.each([
    ['a file of 351 lines', 'packages/llm/src/a.ts', constants(351), 'too many lines (351)'],
    ['a test of 801 lines', 'packages/llm/src/a.test.ts', constants(801), 'too many lines (801)'],
    ['a script of 351 lines', 'scripts/a.mjs', constants(351), 'too many lines (351)'],
    ['a function of 61 lines', 'packages/llm/src/a.ts', longFunction(59), 'too many lines (61)'],
    [
      'five parameters',
      'packages/llm/src/a.ts',
      'export const f = (a: 1, b: 2, c: 3, d: 4, e: 5) => [a, b, c, d, e];',
      'too many parameters (5)',
    ],
  ])('refuse %s', (_what, file, text, expected) => {
    expect(judge(budgets, { [file]: text })).toEqual([expect.stringContaining(expected)]);
  });

  it('allow what fits', () => {
    const files = {
      'packages/llm/src/a.ts': constants(350),
      'packages/llm/src/b.ts': longFunction(58),
      'packages/llm/src/a.test.ts': `${constants(700)}\n${longFunction(80)}`,
    };
    expect(judge(budgets, files)).toEqual([]);
  });
});
