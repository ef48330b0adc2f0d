import { fire, keepWork, withdrawPrompts } from '@attractor/pipeline';
import {
  aboutTask,
  type AgentRun,
  alsoAbout,
  appendEvents,
  dropJob,
  findPipeline,
  findRun,
  findTask,
  type Job,
  transactionTime,
  type Tx,
  updateRun,
} from '@attractor/store';

/** Claims in a row without progress. A run that can still be opened ends itself sooner (`openRun`). */
const MAX_ATTEMPTS = 10;

export function isPoison(job: Job): boolean {
  return job.attempts >= MAX_ATTEMPTS;
}

/** Ends the run of a job that crashed every worker that took it, and leaves its task to a person; other jobs continue. */
export async function giveUp(tx: Tx, job: Job, defaultAgentType: string): Promise<void> {
  const claimed = await findRun(tx, job.runId);
  if (claimed !== null) await alsoAbout(tx, aboutTask(claimed.taskId));
  await dropJob(tx, job.id);
  const run = await findRun(tx, job.runId);
  if (run === null || run.status !== 'running') return;
  const finishedAt = transactionTime(tx);
  const ended: AgentRun = {
    ...run,
    status: 'failed',
    error: `The run was given up: it ended ${job.attempts} workers in a row without progress`,
    finishedAt,
    durationMs: Math.max(0, Date.parse(finishedAt) - Date.parse(run.startedAt)),
  };
  await updateRun(tx, ended);
  const actor = { type: 'system', runId: run.id } as const;
  await keepWork(tx, ended, actor);
  await withdrawPrompts(
    tx,
    { taskId: run.taskId, only: (prompt) => prompt.runId === run.id },
    { projectId: run.projectId, actor },
  );
  const about = { projectId: run.projectId, taskId: run.taskId, runId: run.id, actor } as const;
  await appendEvents(tx, [
    {
      ...about,
      type: 'agent.failed',
      summary: `Agent failed: ${ended.error ?? ''}`,
      data: { run: ended, failure: { code: 'poison', message: ended.error ?? '' } },
    },
    {
      ...about,
      type: 'queue.job_given_up',
      summary: `No worker takes this run any more: ${job.attempts} attempts ended their worker`,
      data: { jobId: job.id, attempts: job.attempts },
    },
  ]);
  await parkTask(tx, ended, defaultAgentType);
}

async function parkTask(tx: Tx, run: AgentRun, defaultAgentType: string): Promise<void> {
  const task = await findTask(tx, run.taskId);
  const pipeline = task === null ? null : await findPipeline(tx, task.pipelineId, task.pipelineVersion);
  if (task === null || pipeline === null) return;
  await fire(
    tx,
    { task, pipeline },
    {
      trigger: { type: 'agent_error' },
      actor: { type: 'system', runId: run.id },
      runId: run.id,
      defaultAgentType,
      ...(run.error === null ? {} : { reason: run.error }),
    },
  );
}
