import { goOnAfterSplit } from '@attractor/pipeline';
import { findOpenSplit, listOpenSplits } from '@attractor/store';
import { type Check, finding } from './check.ts';
import type { Finding } from './findings.ts';

/**
 * Tasks whose subtasks are all settled go on in the transaction that settles the last. What happens elsewhere (a merge at the forge, a
 * subtask that was deleted or taken out) is noticed here.
 */
export function settledSplits(defaultAgentType: string): Check {
  return async ({ store }) => {
    const findings: Finding[] = [];
    for (const { taskId } of await listOpenSplits(store.read)) {
      const isSettled = await store.transact(async (tx) => {
        await goOnAfterSplit(tx, taskId, { actor: ACTOR, defaultAgentType });
        return (await findOpenSplit(tx, taskId)) === null;
      });
      if (isSettled) findings.push(finding('settled-splits', { taskId, runId: null }, 'Its subtasks are settled'));
    }
    return findings;
  };
}

const ACTOR = { type: 'supervisor', name: 'settled-splits' } as const;
