import { appendEvents, findRun, type Job, listRunningJobs, ownerState, type Store, type Tx } from '@attractor/store';
import type { Finding } from './findings.ts';
import { type Check, finding, findingEvent } from './check.ts';

/** A run whose worker is gone or silent is free for others: the next worker continues at its last saved step. */
export const deadOwners: Check = async ({ store }) => {
  const now = await store.now();
  const lost = (await listRunningJobs(store.read)).filter((job) => whyLost(job, now) !== null);
  const findings: Finding[] = [];
  for (const job of lost) {
    const found = await free(store, job, now);
    if (found !== null) findings.push(found);
  }
  return findings;
};

/** Null while a worker has it, and once it was freed. */
function whyLost(job: Pick<Job, 'owner' | 'leaseUntil'>, now: number): string | null {
  if (job.owner === null) return null;
  if (ownerState(job.owner) === 'dead') return 'its worker is gone';
  return (job.leaseUntil ?? 0) < now ? 'its worker has been silent' : null;
}

function free(store: Store, { id, fence }: Job, now: number): Promise<Finding | null> {
  return store.transact(async (tx) => {
    const job = (await listRunningJobs(tx)).find((running) => running.id === id && running.fence === fence);
    const why = job === undefined ? null : whyLost(job, now);
    const run = job === undefined ? null : await findRun(tx, job.runId);
    if (job === undefined || why === null || run === null) return null;
    await freeJob(tx, job);
    const summary = `Another worker continues the run: ${why}`;
    const subject = { projectId: run.projectId, taskId: run.taskId, runId: run.id };
    await appendEvents(tx, [findingEvent(subject, { type: 'supervisor.orphan_recovered', summary, data: { why } })]);
    return finding('dead-owners', subject, summary);
  });
}

/**
 * Nobody has the job any more, and the next worker takes it before jobs that have not begun. The fence grows, so late writes of the
 * previous worker are refused.
 */
export async function freeJob(tx: Tx, job: Pick<Job, 'id' | 'fence'>): Promise<void> {
  await tx
    .updateTable('jobs')
    .set({ owner: null, lease_until: 0, fence: job.fence + 1 })
    .where('id', '=', job.id)
    .where('fence', '=', job.fence)
    .execute();
}
