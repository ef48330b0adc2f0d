import { setTimeout as sleep } from 'node:timers/promises';
import { isPassing } from './postgres-failure.ts';

/** Retries while the server is away, up to this long after it was first missed; every other failure is reported at once. */
export async function patiently<Value>(work: () => Promise<Value>, patienceMs: number): Promise<Value> {
  let deadline: number | null = null;
  for (let wait = 20; ; wait = Math.min(wait * 2, 500)) {
    try {
      return await work();
    } catch (error) {
      deadline ??= performance.now() + patienceMs;
      if (!isPassing(error) || performance.now() + wait > deadline) throw error;
      await sleep(wait);
    }
  }
}
