import { writeSync } from 'node:fs';
import { runs } from './runs.ts';

/** The seed of generated cases: `normal` in every run of the tests; a new one in a soak, or SOAK_SEED to have the same cases again. */
export function soakSeed(normal: number): number {
  const given = process.env['SOAK_SEED'];
  return runs(normal, given === undefined ? Math.floor(Math.random() * 2 ** 30) : Number(given));
}

export type SoakCases = { readonly what: string; readonly seed: number; readonly count: number };

const EVERY_MS = 30_000;

/** Told after each step how many cases are done; in a soak it says so now and then, with the seed by which they come again. */
export function soakProgress({ what, seed, count }: SoakCases): (done: number, more?: string) => void {
  const start = performance.now();
  let said = -Infinity;
  return (done, more = '') => {
    const now = performance.now();
    if (runs(0, 1) === 0 || (now - said < EVERY_MS && done < count)) return;
    said = now;
    const minutes = ((now - start) / 60_000).toFixed(1);
    // Past the test runner, which keeps what a test says until it ends.
    writeSync(2, `soak ${what}: ${done} of ${count}, ${minutes} min, SOAK_SEED=${seed} ${more}\n`);
  };
}
