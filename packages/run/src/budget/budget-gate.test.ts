import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BudgetRow } from '@attractor/store';
import { type Account, isReached } from './budget-state.ts';
import { judgeStart } from './budget-gate.ts';
import { median } from './estimate.ts';
import { showUsd, toNano, toUsd } from '@attractor/analytics';

const BUDGET: BudgetRow = {
  id: 'bud_1',
  scope: 'project',
  subject_id: 'prj_1',
  period: 'total',
  time_zone: 'UTC',
  limit_nano: toNano(5),
  limit_tokens: null,
  when_reached: 'stop',
  created_at: '',
  updated_at: '',
};

const account = (given: Partial<Account>): Account => ({
  budget: BUDGET,
  spentNano: 0,
  spentTokens: 0,
  reservedNano: 0,
  reservedTokens: 0,
  unpricedCalls: 0,
  atWork: 0,
  ...given,
});

const ONE_DOLLAR = { costNano: toNano(1), tokens: 1_000 };

describe('a start', () => {
  it('is let through while what is spent, held and expected fits', () => {
    expect(judgeStart(account({ spentNano: toNano(1), reservedNano: toNano(3), atWork: 3 }), ONE_DOLLAR)).toBe(null);
  });
  it('waits where what is left is held for others', () => {
    expect(judgeStart(account({ spentNano: toNano(1), reservedNano: toNano(3.5), atWork: 3 }), ONE_DOLLAR)).toBe(
      'reserved',
    );
  });
  it('of a run alone needs only that something is left', () => {
    expect(judgeStart(account({ spentNano: toNano(4.9) }), ONE_DOLLAR)).toBe(null);
    expect(judgeStart(account({ spentNano: toNano(5) }), ONE_DOLLAR)).toBe('reached');
  });
  it('is judged by tokens too', () => {
    const budget = { ...BUDGET, limit_nano: null, limit_tokens: 2_000 };
    expect(judgeStart(account({ budget, spentTokens: 1_500, reservedTokens: 100, atWork: 1 }), ONE_DOLLAR)).toBe(
      'reserved',
    );
    expect(judgeStart(account({ budget, spentTokens: 2_000 }), ONE_DOLLAR)).toBe('reached');
    expect(judgeStart(account({ budget, spentNano: toNano(100) }), ONE_DOLLAR)).toBe(null);
  });
  it('never takes more than the limit into work, whatever order runs come and go in', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 900 }), { maxLength: 60 }), (costs) => {
        let held = 0;
        let atWork = 0;
        for (const cost of costs) {
          const here = account({ reservedNano: held, atWork });
          const estimate = { costNano: toNano(cost / 100), tokens: 0 };
          if (judgeStart(here, estimate) !== null) continue;
          held += estimate.costNano;
          atWork += 1;
          expect(held <= toNano(5) || atWork === 1).toBe(true);
        }
      }),
    );
  });
});

describe('money', () => {
  it('is exact in billionths of a dollar', () => {
    expect(toUsd(toNano(0.1) + toNano(0.2))).toBe(0.3);
    expect(showUsd(toNano(0.000_021))).toBe('$0.000021');
    expect(showUsd(toNano(12.3))).toBe('$12.30');
  });
  it('is reached at its limit, not before', () => {
    expect(isReached(account({ spentNano: toNano(4.999_999_999) }))).toBe(false);
    expect(isReached(account({ spentNano: toNano(5) }))).toBe(true);
  });
  it('is expected to be what the middle run used', () => {
    expect([median([]), median([3, 1, 2]), median([1, 2, 3, 10])]).toEqual([null, 2, 3]);
  });
});
