import { expect, it } from 'vitest';
import { showCost, showDuration, showTokens } from './amounts.ts';

it('shows an unknown cost as unknown and a small one in full', () => {
  expect([null, 0, 0.0037, 0.5, 12].map(showCost)).toEqual(['cost unknown', '$0.00', '$0.0037', '$0.50', '$12.00']);
  expect([999.999, 12_345.678].map(showCost)).toEqual(['$1,000.00', '$12,345.68']);
});

it('shows times and tokens in the units that matter', () => {
  expect([8, 1420, 61_000, 3_720_000, 309_600_000].map(showDuration)).toEqual([
    '8 ms',
    '1.4 s',
    '1 m 1 s',
    '1 h 2 m',
    '3 d 14 h',
  ]);
  expect([999, 5210, 24_100, 2_300_000].map(showTokens)).toEqual(['999', '5.2k', '24k', '2.3M']);
});
