import { setTimeout as sleep } from 'node:timers/promises';
import { isPassing } from './postgres-failure.ts';

/** `isWorthIt`: which failures pass by themselves. Default: the server comes back, or the other transaction ends. */
export type Patience = { readonly patienceMs: number; readonly isWorthIt?: (error: unknown) => boolean };

/** Retries while the server is away, up to this long after it was first missed; every other failure is reported at once. */
export async function patiently<Value>(
  work: () => Promise<Value>,
  { patienceMs, isWorthIt = isPassing }: Patience,
): Promise<Value> {
  let deadline: number | null = null;
  for (let wait = 20; ; wait = Math.min(wait * 2, 500)) {
    try {
      return await work();
    } catch (error) {
      deadline ??= performance.now() + patienceMs;
      if (!isWorthIt(error) || performance.now() + wait > deadline) throw error;
      await sleep(wait);
    }
  }
}
