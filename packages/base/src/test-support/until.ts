import { setTimeout as wait } from 'node:timers/promises';

/** Resolves when the condition is true; otherwise the test's own time limit applies. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await wait(2);
}
