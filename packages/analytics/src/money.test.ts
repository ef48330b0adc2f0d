import { expect, test } from 'vitest';
import { showTokenCount, showUsd, toNano } from './money.ts';

test('thousands are told apart, and a small amount keeps what there is of it', () => {
  const shown = [0, 0.067, 1, 999.999, 1_234.5, 12_345_678].map((usd) => showUsd(toNano(usd)));
  expect(shown).toEqual(['$0.00', '$0.067', '$1.00', '$1,000.00', '$1,234.50', '$12,345,678.00']);
  expect([999, 120_000].map(showTokenCount)).toEqual(['999 tokens', '120,000 tokens']);
});
