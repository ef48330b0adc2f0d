import { moveTo, readOptions } from '../pipeline/engine.ts';
import { unresolvedDependencies } from '../pipeline/facts.ts';
import { wayInto } from '../pipeline/way-into.ts';
import { done, refuse } from '../refusal.ts';
import { startRun } from '../run/start-run.ts';
import { stopRun } from '../run/stop-run.ts';
import { findRun, listRuns } from '../store/runs.ts';
import type { Store, Tx } from '../store/store.ts';
import type { Actor, AgentRun, AgentRunMode, PipelineDefinition, Task } from '../types/index.ts';
import type { Result, RunOverrides } from '../workflow-contract.ts';
import { findTaskAndPipeline } from './tasks.ts';

export type StartCommand = {
  readonly taskId: string;
  readonly mode: AgentRunMode;
  readonly overrides?: RunOverrides;
  readonly along?: 'pipeline';
};

type By = { readonly actor: Actor; readonly defaultAgentType: string };

/**
 * Starts one run by hand. Along the pipeline, the task moves as the transition into this mode says, so that what the agent
 * reports leads on; else it stays in its status until the outcome moves it.
 */
export async function startAgent(store: Store, input: StartCommand, by: By): Promise<Result<AgentRun>> {
  return store.transact(async (tx) => {
    const found = await findStartable(tx, input.taskId);
    if (!found.ok) return found;
    const moved = input.along === 'pipeline' ? await moveAlong(tx, { ...found.value, command: input }, by) : null;
    if (moved?.ok === false) return moved;
    const [started] = moved === null ? [] : await listRuns(tx, { taskId: input.taskId, status: 'running' });
    if (started !== undefined) return done(started);
    const task = moved?.value ?? found.value.task;
    return done(
      await startRun(tx, { task, mode: input.mode, hookParams: {}, overrides: input.overrides ?? {}, ...by }),
    );
  });
}

/** Null where the pipeline has no way into this mode from here. */
async function moveAlong(
  tx: Tx,
  on: { readonly task: Task; readonly pipeline: PipelineDefinition; readonly command: StartCommand },
  by: By,
): Promise<Result<Task> | null> {
  const { task, pipeline, command } = on;
  const trigger = { type: 'manual' } as const;
  const to = wayInto(command.mode, { pipeline, options: await readOptions(tx, task, { pipeline, trigger }) });
  if (to === null) return null;
  return moveTo(tx, { task, pipeline, to }, { trigger, ...by, overrides: command.overrides ?? {} });
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
