import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Contender, rankAttempts } from './rank-attempts.ts';

const contender = (given: Partial<Contender>): Contender => ({
  number: 1,
  succeeded: true,
  failedChecks: 0,
  changedLines: 10,
  costUsd: 1,
  ...given,
});

describe('the best attempt', () => {
  it.each([
    ['that succeeded', { changedLines: 500, costUsd: null }, { succeeded: false, failedChecks: 1 }],
    ['with fewer failed checks', { succeeded: false, failedChecks: 1 }, { succeeded: false, failedChecks: 2 }],
    ['with the smaller change', { changedLines: 3, costUsd: 9 }, { changedLines: 4, costUsd: 1 }],
    ['that changed anything', { changedLines: 900 }, { changedLines: 0 }],
    ['that was cheaper', { costUsd: 0.5 }, { costUsd: 0.6 }],
    ['whose price is known', { costUsd: 100 }, { costUsd: null }],
    ['that came first', {}, { number: 2 }],
  ] as const)('is the one %s', (_name, better, worse) => {
    const [first, second] = [contender(better), contender({ number: 2, ...worse })];
    expect(rankAttempts([second, first])).toEqual([first, second]);
  });

  it('is the same whatever order they are given in', () => {
    const one = fc.record({
      succeeded: fc.boolean(),
      failedChecks: fc.integer({ min: 0, max: 2 }),
      changedLines: fc.integer({ min: 0, max: 3 }),
      costUsd: fc.option(fc.integer({ min: 0, max: 3 })),
    });
    fc.assert(
      fc.property(fc.array(one, { minLength: 2, maxLength: 8 }), (scores) => {
        const all = scores.map((score, index) => ({ ...score, number: index + 1 }));
        expect(rankAttempts(all.toReversed())).toEqual(rankAttempts(all));
      }),
    );
  });
});
