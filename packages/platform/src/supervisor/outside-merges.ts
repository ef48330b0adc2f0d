import { type Check, finding } from './check.ts';

/** Records pull requests that were merged or closed elsewhere; the forge is asked now and then, not every minute. */
export function outsideMerges(reconcile: () => Promise<number>): Check {
  let asked: number | null = null;
  return async () => {
    if (asked !== null && performance.now() - asked < ASK_EVERY_MS) return [];
    asked = performance.now();
    const changed = await reconcile();
    if (changed === 0) return [];
    return [finding('outside-merges', { taskId: null, runId: null }, `${changed} pull requests changed outside`)];
  };
}

const ASK_EVERY_MS = 5 * 60_000;
