import { goOnAfterSplit } from '@attractor/pipeline';
import { type EffectWork, findTask, listCriteria, recordCriteria, type Task, type Tx } from '@attractor/store';

type Done = { readonly taskId: string; readonly work: EffectWork | null };

/** What follows from an effect, in the transaction that records it as done. */
export function afterEffect(defaultAgentType: string): (tx: Tx, effect: Done) => Promise<void> {
  const by = { actor: { type: 'system', name: 'outbox' }, defaultAgentType } as const;
  return async (tx, { taskId, work }) => {
    const task = await findTask(tx, taskId);
    if (task === null) return;
    if (work?.kind === 'roll_back') await leaveEvidence(tx, task);
    // A merge may be the last that another task waits for.
    if (task.parentTaskId !== null) await goOnAfterSplit(tx, task.parentTaskId, by);
  };
}

/** The branch has another commit now: what was shown before is only claimed until it is looked at again. */
async function leaveEvidence(tx: Tx, task: Task): Promise<void> {
  const claims = (await listCriteria(tx, task)).flatMap(({ number, claim }) => {
    if (claim === null || claim.state === 'claimed') return [];
    const seen = `${claim.state} on ${claim.commit.slice(0, 12)}, before work was taken back: verify it again`;
    const evidence = claim.evidence.map((one) => ({ ...one, state: 'claimed' as const, seen }));
    return [[number, { claim: { ...claim, state: 'claimed' as const, evidence } }] as const];
  });
  await recordCriteria(tx, task.id, new Map(claims));
}
