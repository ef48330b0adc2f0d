import {
  type Actor,
  type AgentRun,
  appendEvents,
  dropQueuedJob,
  findAttempt,
  findMeter,
  putEffect,
  requestCancel,
  transactionTime,
  type Tx,
  updateRun,
} from '@attractor/store';
import { withdrawPrompts } from './ask-person.ts';

/** Asks a run to stop. A run without a worker ends here; a worker that has it sees the request and ends it. Either way it ends once. */
export async function stopRun(tx: Tx, run: AgentRun, actor: Actor): Promise<AgentRun> {
  await requestCancel(tx, run.id);
  if (!(await dropQueuedJob(tx, run.id))) {
    await appendEvents(tx, [
      {
        ...about(run),
        type: 'agent.stop_requested',
        summary: 'A person asked the agent to stop',
        data: { run },
        actor,
      },
    ]);
    return run;
  }
  const hasBegun = (await findMeter(tx, run.id)) !== null;
  const finishedAt = transactionTime(tx);
  const ended: AgentRun = {
    ...run,
    status: 'cancelled',
    error: 'Stopped on request',
    finishedAt,
    durationMs: Math.max(0, Date.parse(finishedAt) - Date.parse(run.startedAt)),
  };
  await updateRun(tx, ended);
  await keepWork(tx, ended, actor);
  await withdrawPrompts(
    tx,
    { taskId: run.taskId, only: (prompt) => prompt.runId === run.id },
    { projectId: run.projectId, actor },
  );
  await appendEvents(tx, [
    {
      ...about(run),
      type: 'agent.cancelled',
      level: 'warning',
      summary: `The agent was stopped ${hasBegun ? 'while it waited' : 'before it began'}`,
      data: { run: ended },
      actor,
    },
  ]);
  return ended;
}

/**
 * For a run that ends in the records alone, because nobody works on it: what it left in its worktree is committed to its branch by whoever
 * can reach it, as a worker does at the end of a run. Attempts are judged as they ended.
 */
export async function keepWork(tx: Tx, run: AgentRun, actor: Actor): Promise<void> {
  const { id: runId, projectId, taskId, branch, mode } = run;
  if (branch === null || mode !== 'implement' || (await findAttempt(tx, runId)) !== null) return;
  await putEffect(tx, { projectId, taskId, runId, key: `keep:${runId}`, actor, work: { kind: 'keep_work', branch } });
}

function about(run: AgentRun) {
  return { projectId: run.projectId, taskId: run.taskId, runId: run.id, category: 'agent' } as const;
}
