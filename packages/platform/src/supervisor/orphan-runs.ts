import { appendEvents, findRun, putJob, type Reader, type Tx } from '@attractor/store';
import type { Finding } from './findings.ts';
import { type Check, finding, findingEvent } from './check.ts';

/**
 * A run that counts as running, such as a retry that was due, but has no job, or one that waits for a person although nobody is asked: it is
 * queued at once.
 */
export const orphanRuns: Check = async ({ store }) => {
  const findings: Finding[] = [];
  for (const runId of await runsWithoutJob(store.read)) {
    const found = await store.transact((tx) => queueAgain(tx, runId));
    if (found !== null) findings.push(found);
  }
  return findings;
};

async function queueAgain(tx: Tx, runId: string): Promise<Finding | null> {
  const run = await findRun(tx, runId);
  if (run === null || !(await runsWithoutJob(tx)).includes(runId)) return null;
  const known = await tx
    .updateTable('jobs')
    .set(({ eb }) => ({
      state: 'queued',
      owner: null,
      lease_until: null,
      not_before: null,
      blocked: null,
      fence: eb('fence', '+', 1),
    }))
    .where('run_id', '=', runId)
    .executeTakeFirst();
  if (known.numUpdatedRows === 0n) await putJob(tx, runId);
  const summary = 'The run had no place in the queue and was given one';
  await appendEvents(tx, [
    findingEvent(
      { projectId: run.projectId, taskId: run.taskId, runId },
      { type: 'supervisor.retry_released', summary },
    ),
  ]);
  return finding('orphan-runs', { taskId: run.taskId, runId }, summary);
}

async function runsWithoutJob(db: Reader): Promise<ReadonlyArray<string>> {
  const rows = await db
    .selectFrom('runs')
    .leftJoin('jobs', (join) => join.onRef('jobs.run_id', '=', 'runs.id').on('jobs.state', '!=', 'done'))
    .select('runs.id')
    .where('runs.status', '=', 'running')
    .where('jobs.id', 'is', null)
    .execute();
  return [...rows.map(({ id }) => id), ...(await runsWithoutQuestion(db))];
}

async function runsWithoutQuestion(db: Reader): Promise<ReadonlyArray<string>> {
  const rows = await db
    .selectFrom('jobs')
    .leftJoin('prompts', (join) =>
      join.onRef('prompts.run_id', '=', 'jobs.run_id').on('prompts.status', '=', 'pending'),
    )
    .select('jobs.run_id')
    .where('jobs.state', '=', 'waiting')
    .where('prompts.id', 'is', null)
    .execute();
  return rows.map(({ run_id }) => run_id);
}
