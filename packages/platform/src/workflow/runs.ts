import { unresolvedDependencies } from '../pipeline/facts.ts';
import { done, refuse } from '../refusal.ts';
import { startRun } from '../run/start-run.ts';
import { stopRun } from '../run/stop-run.ts';
import { findRun, listRuns } from '../store/runs.ts';
import type { Store, Tx } from '../store/store.ts';
import type { Actor, AgentRun, AgentRunMode } from '../types/index.ts';
import type { Result, RunOverrides } from '../workflow-contract.ts';
import { findTaskAndPipeline } from './tasks.ts';

export type StartCommand = { readonly taskId: string; readonly mode: AgentRunMode; readonly overrides?: RunOverrides };

/** Starts one run by hand; the task stays in its status until the run's outcome moves it. */
export async function startAgent(
  store: Store,
  input: StartCommand,
  by: { readonly actor: Actor; readonly defaultAgentType: string },
): Promise<Result<AgentRun>> {
  return store.transact(async (tx) => {
    const found = await findStartable(tx, input.taskId);
    if (!found.ok) return found;
    const { task } = found.value;
    return done(
      await startRun(tx, { task, mode: input.mode, hookParams: {}, overrides: input.overrides ?? {}, ...by }),
    );
  });
}

/** A task that an agent may be started on by hand, now. */
export async function findStartable(tx: Tx, taskId: string): ReturnType<typeof findTaskAndPipeline> {
  const found = await findTaskAndPipeline(tx, taskId);
  if (!found.ok) return found;
  const { task, pipeline } = found.value;
  if (pipeline.terminalStatuses.includes(task.status))
    return refuse('blocked', `The task is "${task.status}": no agent works on it any more.`);
  const waitingFor = await unresolvedDependencies(tx, task.id);
  if (waitingFor.length > 0)
    return refuse(
      'blocked',
      `The task depends on ${waitingFor.map(({ id, title }) => `"${title}" (${id})`).join(', ')}: finish or cancel that first.`,
      { waitingFor: waitingFor.map(({ id }) => id) },
    );
  const [running] = await listRuns(tx, { taskId: task.id, status: 'running' });
  if (running === undefined) return found;
  return refuse('blocked', `An agent is working on this task already (${running.id}): wait for it or stop it.`, {
    run: running,
  });
}

export async function stopAgent(store: Store, runId: string, actor: Actor): Promise<Result<AgentRun>> {
  return store.transact(async (tx) => {
    const run = await findRun(tx, runId);
    if (run === null) return refuse('not_found', `There is no run ${runId}.`);
    if (run.status !== 'running') return refuse('conflict', `The run has ended already: ${run.status}.`, { run });
    return done(await stopRun(tx, run, actor));
  });
}
