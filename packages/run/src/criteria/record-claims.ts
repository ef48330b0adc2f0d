import {
  appendEvents,
  type Actor,
  type CriterionClaim,
  findTask,
  listCriteria,
  metCriteria,
  recordCriteria,
  syncCriteria,
  type Tx,
  updateTask,
} from '@attractor/store';

type Judged = {
  readonly taskId: string;
  readonly runId: string | null;
  readonly commit: string;
  readonly claims: ReadonlyMap<number, { readonly claim: CriterionClaim }>;
  readonly actor: Actor;
};

/** What was found out, with its event, and what counts as met from now on. Criteria that people took away meanwhile are left alone. */
export async function recordClaims(tx: Tx, { taskId, runId, commit, claims, actor }: Judged): Promise<void> {
  const task = await findTask(tx, taskId);
  if (task === null || claims.size === 0) return;
  await syncCriteria(tx, task.acceptanceCriteria, task);
  await recordCriteria(tx, taskId, claims);
  const criteria = (await listCriteria(tx, task)).filter(({ number }) => claims.has(number));
  const summary = criteria.map(({ number, state }) => `${number} ${state}`).join(', ');
  const about = { projectId: task.projectId, taskId, actor };
  const data = {
    commit,
    criteria: criteria.map(({ number, text, state, detail }) => ({ number, text, state, detail })),
  };
  await appendEvents(tx, [{ ...about, runId, type: 'criteria.judged', summary: `Criteria: ${summary}`, data }]);
  const met = await metCriteria(tx, task);
  if (JSON.stringify(met) === JSON.stringify(task.acceptanceCriteria)) return;
  const changed = await updateTask(tx, task, { acceptanceCriteria: met });
  if (changed === null) return;
  await appendEvents(tx, [
    {
      ...about,
      type: 'field.updated',
      summary: 'Changed: acceptanceCriteria',
      data: { task: changed, field: 'acceptanceCriteria' },
    },
  ]);
}
