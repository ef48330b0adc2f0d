import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ticksTo } from './ticks.ts';

const rounded = (amounts: ReadonlyArray<number>) => amounts.map((amount) => Number(amount.toPrecision(6)));

it('has round lines, the highest as high as the highest amount', () => {
  expect(rounded(ticksTo(0.81))).toEqual([0, 0.5, 1]);
  expect(rounded(ticksTo(0.8))).toEqual([0, 0.2, 0.4, 0.6, 0.8]);
  expect(rounded(ticksTo(37))).toEqual([0, 10, 20, 30, 40]);
  expect(ticksTo(0)).toEqual([0, 1]);
});

it('has two to five lines for any amount, and no room for a whole one over the highest', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-9, max: 1e9, noNaN: true }), (most) => {
      const ticks = ticksTo(most);
      const [, step = 0] = ticks;
      const top = ticks.at(-1) ?? 0;
      expect(ticks.length).toBeGreaterThanOrEqual(2);
      expect(ticks.length).toBeLessThanOrEqual(5);
      expect(top).toBeGreaterThanOrEqual(most * 0.999_99);
      expect(top - step).toBeLessThan(most);
    }),
  );
});
