import { done } from '@attractor/base';
import { moveTo, readOptions, startRun, stopRun, unresolvedDependencies, wayInto } from '@attractor/pipeline';
import {
  type Actor,
  type AgentRun,
  type AgentRunMode,
  findRun,
  type PipelineDefinition,
  type Reader,
  refuse,
  type Result,
  type RunOverrides,
  type Store,
  type Task,
  type Tx,
} from '@attractor/store';
import { findTaskAndPipeline } from '../tasks/tasks.ts';
import { refuseAtWork } from '../tasks/at-work.ts';

export type StartCommand = {
  readonly taskId: string;
  readonly mode: AgentRunMode;
  readonly overrides?: RunOverrides;
  readonly along?: 'pipeline';
};

type By = { readonly actor: Actor; readonly defaultAgentType: string };

/**
 * Starts one run by hand. Along the pipeline, the task takes the transition into this mode, so that the agent's report moves it on;
 * otherwise it stays in its status until the outcome moves it.
 */
export async function startAgent(store: Store, input: StartCommand, by: By): Promise<Result<AgentRun>> {
  return store.transact(async (tx) => {
    const found = await findStartable(tx, input.taskId);
    if (!found.ok) return found;
    const on = { ...found.value, mode: input.mode };
    const begun = input.along === 'pipeline' ? await moveAlong(tx, on, by) : asItStands(on.task);
    if (!begun.ok) return begun;
    const { mode, overrides = {} } = input;
    return done(await startRun(tx, { ...begun.value, mode, overrides, ...by }));
  });
}

/** A task in the status in which its agent starts, and the pipeline's parameters for that agent. */
type Begun = { readonly task: Task; readonly hookParams: Readonly<Record<string, unknown>> };

function asItStands(task: Task): Result<Begun> {
  return done({ task, hookParams: {} });
}

/** Moves a task along the pipeline's transition into a mode, if there is one; the caller starts the run. */
export async function moveAlong(
  tx: Tx,
  on: { readonly task: Task; readonly pipeline: PipelineDefinition; readonly mode: AgentRunMode },
  by: By,
): Promise<Result<Begun>> {
  const { task, pipeline, mode } = on;
  const trigger = { type: 'manual' } as const;
  const way = wayInto(mode, { pipeline, options: await readOptions(tx, task, { pipeline, trigger }) });
  if (way === null) return asItStands(task);
  const moved = await moveTo(tx, { task, pipeline, to: way.to }, { trigger, ...by, starts: 'caller' });
  return moved.ok ? done({ task: moved.value, hookParams: way.hookParams }) : moved;
}

/** A task on which an agent may be started by hand now. */
export async function findStartable(tx: Reader, taskId: string): ReturnType<typeof findTaskAndPipeline> {
  const found = await findTaskAndPipeline(tx, taskId);
  if (!found.ok) return found;
  const { task, pipeline } = found.value;
  if (pipeline.terminalStatuses.includes(task.status))
    return refuse('blocked', `The task is "${task.status}": reopen it first (attractor tasks reopen ${task.key}).`);
  const waitingFor = await unresolvedDependencies(tx, task.id);
  if (waitingFor.length > 0)
    return refuse(
      'blocked',
      `The task depends on ${waitingFor.map(({ key, title }) => `"${title}" (${key})`).join(', ')}: finish or cancel those first.`,
      { waitingFor: waitingFor.map(({ id }) => id) },
    );
  return (await refuseAtWork(tx, task.id)) ?? found;
}

export async function stopAgent(store: Store, runId: string, actor: Actor): Promise<Result<AgentRun>> {
  return store.transact(async (tx) => {
    const run = await findRun(tx, runId);
    if (run === null) return refuse('not_found', `There is no run ${runId}.`);
    if (run.status !== 'running') return refuse('conflict', `The run has ended already: ${run.status}.`, { run });
    return done(await stopRun(tx, run, actor));
  });
}
