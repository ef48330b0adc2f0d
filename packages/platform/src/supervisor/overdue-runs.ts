import type { AgentConfig } from '@attractor/adapters';
import {
  appendEvents,
  findRun,
  type Job,
  listRunningJobs,
  listSteps,
  type SavedStep,
  saveStep,
  type Store,
} from '@attractor/store';
import type { Finding } from './findings.ts';
import { type Check, finding, findingEvent } from './check.ts';
import { freeJob } from './dead-owners.ts';

/**
 * A run whose agent exceeded its time limit, over all restarts, and whose worker did not end it: it is taken from that worker and ends as
 * timed out, which the next worker carries out. Time spent waiting for a person does not count.
 */
export const overdueRuns: Check = async ({ store, settings }) => {
  const findings: Finding[] = [];
  for (const job of await listRunningJobs(store.read)) {
    const found = await endOverdue(store, job, settings.overdueMs);
    if (found !== null) findings.push(found);
  }
  return findings;
};

async function endOverdue(store: Store, job: Job, patienceMs: number): Promise<Finding | null> {
  const glance = isOverdue(await listSteps(store.read, job.runId), await usedMs(store.read, job.runId), patienceMs);
  if (glance === null) return null;
  return store.transact(async (tx) => {
    const running = (await listRunningJobs(tx)).find(({ id, fence }) => id === job.id && fence === job.fence);
    const run = await findRun(tx, job.runId);
    const limitMs = isOverdue(await listSteps(tx, job.runId), await usedMs(tx, job.runId), patienceMs);
    if (running === undefined || run === null || limitMs === null) return null;
    const message = `The agent took longer than its time limit of ${Math.round(limitMs / 1000)} s`;
    await saveStep(tx, run.id, { step: 'execute', ok: false, result: { code: 'timeout', message } });
    await freeJob(tx, job);
    const subject = { projectId: run.projectId, taskId: run.taskId, runId: run.id };
    await appendEvents(tx, [
      findingEvent(subject, { type: 'supervisor.timeout', summary: message, data: { limitMs } }),
    ]);
    return finding('overdue-runs', subject, message);
  });
}

/** The limit that was exceeded, or null. */
export function isOverdue(steps: ReadonlyArray<SavedStep>, used: number, patienceMs: number): number | null {
  if (steps.some(({ step, ok }) => step === 'execute' || !ok)) return null;
  const configured = steps.find(({ step }) => step === 'configure')?.result;
  const limitMs = timeoutOf(configured);
  return limitMs !== null && used > limitMs + patienceMs ? limitMs : null;
}

function timeoutOf(configured: unknown): number | null {
  if (typeof configured !== 'object' || configured === null || !('config' in configured)) return null;
  const config: AgentConfig =
    typeof configured.config === 'object' && configured.config !== null ? configured.config : {};
  return typeof config.timeout === 'number' ? config.timeout : null;
}

async function usedMs(db: Store['read'], runId: string): Promise<number> {
  const row = await db.selectFrom('run_meters').select('agent_ms').where('run_id', '=', runId).executeTakeFirst();
  return row?.agent_ms ?? 0;
}
