import { expect, it } from 'vitest';
import { budgetOf } from './task-draft.ts';

it('a budget is an amount that people write and a budget can have', () => {
  expect(['', ' ', '2.50', '2,50', '1000000'].map(budgetOf)).toEqual([null, null, 2.5, 2.5, 1_000_000]);
  expect(['0', '-1', 'ten', '$5', '1e30', '1000001'].map(budgetOf)).toEqual(
    Array.from({ length: 6 }, () => Number.NaN),
  );
});
