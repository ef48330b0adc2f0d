import { setTimeout as wait } from 'node:timers/promises';

/** Resolves when the condition holds; the test's own limit ends what never comes. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await wait(2);
}
