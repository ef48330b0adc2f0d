import { expect, test } from 'vitest';
import { costText, durationText } from './amounts.ts';

test('a cost has its thousands apart, four digits where two would say nothing, and is never guessed', () => {
  expect([0, 0.0012, 0.1, 12.345, 1234.5, 1_234_567].map(costText)).toEqual([
    '$0.00',
    '$0.0012',
    '$0.10',
    '$12.35',
    '$1,234.50',
    '$1,234,567.00',
  ]);
  expect(costText(null)).toBe('unknown');
});

test('a duration is told in the two largest units that it has', () => {
  expect([null, 1, 999, 1_500, 61_000, 3_600_000].map(durationText)).toEqual([
    '',
    '1 ms',
    '999 ms',
    '1.5 s',
    '1 m 1 s',
    '1 h 0 m',
  ]);
});
