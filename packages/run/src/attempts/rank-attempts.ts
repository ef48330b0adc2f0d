import type { AttemptScore } from './attempt.ts';

export type Contender = AttemptScore & { readonly number: number };

/**
 * Best first. The checks decide: passed work comes before failed work, then fewer failed checks, then the smaller change, then the cheaper
 * one, then the earlier number. Work that changed nothing comes last among its equals, and an unknown price counts as the highest.
 */
export function rankAttempts<Attempt extends Contender>(attempts: ReadonlyArray<Attempt>): ReadonlyArray<Attempt> {
  return attempts.toSorted((a, b) => {
    for (const measure of MEASURES) {
      const [left, right] = [measure(a), measure(b)];
      if (left !== right) return left < right ? -1 : 1;
    }
    return 0;
  });
}

/** In order of importance; less is better. */
const MEASURES: ReadonlyArray<(attempt: Contender) => number> = [
  ({ succeeded }) => (succeeded ? 0 : 1),
  ({ failedChecks }) => failedChecks,
  ({ changedLines }) => (changedLines === 0 ? Infinity : changedLines),
  ({ costUsd }) => costUsd ?? Infinity,
  ({ number }) => number,
];
