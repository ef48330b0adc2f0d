import { defined, done, messageOf } from '@attractor/base';
import { withdrawPrompts } from './ask-person.ts';
import {
  aboutTask,
  type Actor,
  alsoAbout,
  appendEvents,
  appendHistory,
  findPipeline,
  findRunRequest,
  findTask,
  type HistoryEntry,
  isPassing,
  listDependents,
  listRuns,
  nested,
  type PipelineDefinition,
  type PipelineTransition,
  type Reader,
  refuse,
  type Result,
  type Task,
  type TransitionOption,
  type Trigger,
  type Tx,
  updateTask,
} from '@attractor/store';
import { askedGuards, decideOptions } from './decide.ts';
import { readFacts, unresolvedDependencies } from './facts.ts';
import { ACTIONS } from './actions/actions.ts';
import { autoRun } from './auto-run.ts';
import { askWhereTo } from './ask-where-to.ts';
import { tellOfGuards } from './tell-of-guards.ts';
import { startsAgent } from './way-into.ts';
import { endSplit } from './end-split.ts';
import { leaveSplit } from './leave-split.ts';
import { startFreedParts } from './start-freed-parts.ts';
import { startRun } from './start-run.ts';
import { ASKING_OUTCOMES } from './outcomes/schemas.ts';
import type { ActionContext } from './actions/action.ts';

/** Who moves a task and why; `payload` is what an agent reported. */
export type MoveCause = {
  readonly trigger: Trigger;
  readonly actor: Actor;
  readonly reason?: string;
  readonly payload?: unknown;
  readonly runId?: string;
  readonly defaultAgentType: string;
  /** The caller starts the agent itself: actions that would start one are skipped. */
  readonly starts?: 'caller';
};

export async function readOptions(
  db: Reader,
  task: Task,
  by: { readonly pipeline: PipelineDefinition; readonly trigger: Trigger; readonly payload?: unknown },
): Promise<ReadonlyArray<TransitionOption>> {
  const { pipeline, trigger, payload } = by;
  const guards = askedGuards(pipeline, task.status, trigger);
  return decideOptions(pipeline, await readFacts(db, task, { guards, payload }), trigger);
}

/** Moves a task to a named status, or says which guard forbids it and what would satisfy it. */
export async function moveTo(
  tx: Tx,
  move: { readonly task: Task; readonly pipeline: PipelineDefinition; readonly to: string },
  cause: MoveCause,
): Promise<Result<Task>> {
  const { task, pipeline, to } = move;
  const unknown = judgeStatus(pipeline, to);
  if (unknown !== null) return unknown;
  const options = await readOptions(tx, task, { pipeline, ...cause });
  const towards = options.filter((option) => option.transition.to === to);
  const chosen = towards.find((option) => option.allowed) ?? towards[0];
  if (chosen === undefined) {
    const others = [...new Set(options.map((option) => option.transition.to))];
    const back = `It has ended: "attractor tasks reopen ${task.key}" reopens it.`;
    const ended = pipelineEnded(move) ? back : 'No transition leads on from there.';
    const hint = others.length === 0 ? ended : `From there it can go to ${others.join(', ')}.`;
    return refuse('blocked', `No transition leads from "${task.status}" to "${to}". ${hint}`);
  }
  if (!chosen.allowed) {
    return refuse(
      'blocked',
      `"${chosen.transition.label}" is not possible now: ${chosen.blockedBy.map(({ guard, reason }) => `${reason} (${guard})`).join(' ')}`,
      chosen.blockedBy,
    );
  }
  return carryOut(tx, { task, pipeline, transition: chosen.transition }, cause);
}

/** Null if the pipeline has the status. */
export function judgeStatus({ id, statuses }: PipelineDefinition, to: string): ReturnType<typeof refuse> | null {
  if (statuses.some((status) => status.id === to)) return null;
  return refuse(
    'invalid',
    `The pipeline "${id}" has no status "${to}"; it has ${statuses.map((status) => status.id).join(', ')}.`,
  );
}

/**
 * Fires a trigger. Exactly one allowed transition moves the task; none or several leave the decision to a person, who is asked. A task that
 * has ended meanwhile is left alone.
 */
export async function fire(
  tx: Tx,
  on: { readonly task: Task; readonly pipeline: PipelineDefinition },
  cause: MoveCause,
): Promise<Task> {
  const options = await readOptions(tx, on.task, { pipeline: on.pipeline, ...cause });
  const allowed = options.filter((option) => option.allowed);
  if (options.length === 0 && asksPerson(cause.trigger)) {
    await leaveToPerson(tx, on, { cause, allowed });
    return on.task;
  }
  const [only] = allowed;
  if (only !== undefined && allowed.length === 1) {
    const moved = await carryOut(tx, { ...on, transition: only.transition }, cause);
    if (moved.ok) return moved.value;
  }
  await appendEvents(tx, [
    {
      ...about(on.task, cause),
      type: 'status.blocked',
      level: pipelineEnded(on) ? 'warning' : 'error',
      summary: `The task stays in "${on.task.status}": ${allowed.length === 0 ? 'no transition is open' : 'several transitions are open'} for ${triggerName(cause.trigger)}`,
      data: { options, trigger: cause.trigger },
    },
  ]);
  await tellOfGuards(
    tx,
    options.filter((option) => !option.allowed),
    { task: on.task, runId: cause.runId ?? null },
  );
  await leaveToPerson(tx, on, { cause, allowed });
  return on.task;
}

/** No pipeline needs a place for it: a person is asked wherever the task is. */
function asksPerson(trigger: Trigger): boolean {
  return trigger.type === 'agent_outcome' && ASKING_OUTCOMES.has(trigger.outcome);
}

/**
 * A task that waited for its subtasks goes on once all of them are settled: by the pipeline's transition if it has one, else by the agent
 * that proposed the split. If one was closed, or nobody knows how to go on, a person is asked.
 */
export async function goOnAfterSplit(
  tx: Tx,
  taskId: string,
  by: { readonly actor: Actor; readonly defaultAgentType: string },
): Promise<void> {
  await alsoAbout(tx, aboutTask(taskId));
  const task = await findTask(tx, taskId);
  const pipeline = task === null ? null : await findPipeline(tx, task.pipelineId, task.pipelineVersion);
  if (task === null || pipeline === null) return;
  const end = await endSplit(tx, task, by.actor);
  if (end === null) return startFreedParts(tx, taskId, by);
  if (pipelineEnded({ task, pipeline })) return;
  const { split, isWhole, summary } = end;
  const trigger = { type: 'subtasks_settled' } as const;
  const payload = { isWhole, summary };
  const cause: MoveCause = {
    ...by,
    trigger,
    payload,
    reason: summary,
    ...defined({ runId: split.runId ?? undefined }),
  };
  const options = await readOptions(tx, task, { pipeline, trigger, payload });
  const allowed = options.filter((option) => option.allowed);
  const [only] = allowed;
  if (only !== undefined && allowed.length === 1) {
    const moved = await carryOut(tx, { task, pipeline, transition: only.transition }, cause);
    if (moved.ok) return;
  }
  const isFree = (await listRuns(tx, { taskId, status: 'running' })).length === 0;
  if (allowed.length === 0 && isWhole && split.mode !== null && isFree) {
    const { hookParams, overrides } = split.runId === null ? NO_REQUEST : await findRunRequest(tx, split.runId);
    await startRun(tx, { task, mode: split.mode, hookParams, overrides, ...by });
    return;
  }
  await leaveToPerson(tx, { task, pipeline }, { cause, allowed });
}

const NO_REQUEST = { hookParams: {}, overrides: {} };

function pipelineEnded({ task, pipeline }: { readonly task: Task; readonly pipeline: PipelineDefinition }): boolean {
  return pipeline.terminalStatuses.includes(task.status);
}

async function leaveToPerson(
  tx: Tx,
  on: { readonly task: Task; readonly pipeline: PipelineDefinition },
  { cause, allowed }: { readonly cause: MoveCause; readonly allowed: ReadonlyArray<TransitionOption> },
): Promise<void> {
  if (pipelineEnded(on)) return;
  const { task, pipeline } = on;
  const byHand = await readOptions(tx, task, { pipeline, trigger: { type: 'manual' } });
  const { trigger, actor, payload = null, reason = null, runId = null } = cause;
  await askWhereTo(tx, { task, pipeline, trigger, actor, payload, reason, runId, ways: [...allowed, ...byHand] });
}

async function carryOut(
  tx: Tx,
  move: { readonly task: Task; readonly pipeline: PipelineDefinition; readonly transition: PipelineTransition },
  cause: MoveCause,
): Promise<Result<Task>> {
  const { task, transition, pipeline } = move;
  const unknown = (transition.hooks ?? []).find((action) => ACTIONS[action.type] === undefined);
  if (unknown !== undefined)
    return refuse(
      'blocked',
      `The transition "${transition.id}" names a hook "${unknown.type}" that does not exist: correct the pipeline.`,
    );
  const moved = await updateTask(tx, task, {
    status: transition.to,
    pendingPayload: pendingAfter(task, pipeline, { to: transition.to, cause }),
  });
  if (moved === null)
    return refuse('conflict', 'The task was changed by someone else at the same time: look at it and try again.');
  await appendEvents(tx, [
    {
      ...about(task, cause),
      type: 'status.changed',
      summary: `${transition.label}: ${task.status} → ${transition.to}`,
      data: {
        task: moved,
        from: task.status,
        to: transition.to,
        transitionId: transition.id,
        reason: cause.reason ?? null,
      },
    },
  ]);
  await withdrawPrompts(
    tx,
    { taskId: task.id, only: (prompt) => prompt.type !== 'tool_approval' && prompt.type !== 'budget' },
    { projectId: task.projectId, actor: cause.actor },
  );
  await leaveSplit(tx, task, cause.actor);
  await tellOfGuards(tx, [{ transition, allowed: true, blockedBy: [] }], { task, runId: cause.runId ?? null });
  const hooksExecuted = await runActions({ ...actionContext(tx, moved, cause), from: task.status, transition }, cause);
  await appendHistory(tx, {
    taskId: task.id,
    transitionId: transition.id,
    from: task.status,
    to: transition.to,
    trigger: triggerName(cause.trigger),
    actor: cause.actor,
    reason: cause.reason ?? null,
    payload: cause.payload,
    guardsChecked: (transition.guards ?? []).map((guard) => guard.type),
    hooksExecuted,
  });
  if (pipeline.terminalStatuses.includes(moved.status)) await letOthersGoOn(tx, moved, cause);
  // Not after a failure: it would start what failed again, without end.
  if (cause.trigger.type !== 'agent_error' && cause.starts !== 'caller')
    await autoRun(tx, { task: moved, pipeline }, { actor: cause.actor, defaultAgentType: cause.defaultAgentType });
  return done(moved);
}

/** An agent's report stays with the task until it is answered; the answer stays until the next report. */
function pendingAfter(
  task: Task,
  pipeline: PipelineDefinition,
  { to, cause }: { readonly to: string; readonly cause: MoveCause },
): Task['pendingPayload'] {
  const { trigger, payload = null } = cause;
  if (trigger.type === 'agent_outcome') {
    const waits = pipeline.statuses.find(({ id }) => id === to)?.category === 'waiting';
    return waits && payload !== null ? { outcome: trigger.outcome, payload, response: null } : null;
  }
  if (trigger.type === 'agent_error' || task.pendingPayload === null) return null;
  return payload === null ? task.pendingPayload : { ...task.pendingPayload, response: payload };
}

/** The task has ended: what waited for it may start, and the task that it is a part of may go on. */
async function letOthersGoOn(tx: Tx, ended: Task, cause: MoveCause): Promise<void> {
  await tellDependents(tx, ended, cause);
  if (ended.parentTaskId !== null) await goOnAfterSplit(tx, ended.parentTaskId, cause);
}

/** The task has ended: tasks that only waited for it may start. */
async function tellDependents(tx: Tx, ended: Task, cause: MoveCause): Promise<void> {
  for (const waiting of await listDependents(tx, ended.id)) {
    // Two that end at once: the later one sees that the earlier one has ended.
    await alsoAbout(tx, aboutTask(waiting.id));
    const left = (await unresolvedDependencies(tx, waiting.id)).length;
    const summary = `No longer waits for: ${ended.title}${left === 0 ? '; it may start' : `; ${left} left`}`;
    const data = { dependency: { taskId: waiting.id, dependsOnId: ended.id }, left };
    await appendEvents(tx, [{ ...about(waiting, cause), runId: null, type: 'dep.resolved', summary, data }]);
  }
}

async function runActions(context: ActionContext, cause: MoveCause): Promise<HistoryEntry['hooksExecuted']> {
  const executed: Array<HistoryEntry['hooksExecuted'][number]> = [];
  const actions = (context.transition.hooks ?? []).filter(
    (action) => cause.starts !== 'caller' || !startsAgent(action),
  );
  for (const { type, params } of actions) {
    const error = await failureOf(nested(context.tx, async () => ACTIONS[type]?.(context, params ?? {})));
    executed.push(error === null ? { hook: type, ok: true } : { hook: type, ok: false, error });
    await appendEvents(context.tx, [
      {
        ...about(context.task, cause),
        actor: { type: 'system', name: `hook:${type}` },
        type: error === null ? 'hook.executed' : 'hook.failed',
        level: error === null ? 'debug' : 'error',
        summary: error === null ? `Hook ${type} ran` : `Hook ${type} failed: ${error}`,
      },
    ]);
  }
  return executed;
}

async function failureOf(action: Promise<void>): Promise<string | null> {
  try {
    await action;
    return null;
  } catch (error) {
    // The whole transaction is repeated.
    if (isPassing(error)) throw error;
    return messageOf(error);
  }
}

function actionContext(tx: Tx, task: Task, cause: MoveCause): Omit<ActionContext, 'transition' | 'from'> {
  return {
    tx,
    task,
    actor: cause.actor,
    runId: cause.runId ?? null,
    payload: cause.payload ?? null,
    reason: cause.reason ?? null,
    defaultAgentType: cause.defaultAgentType,
  };
}

function about(task: Task, cause: MoveCause) {
  return { projectId: task.projectId, taskId: task.id, runId: cause.runId ?? null, actor: cause.actor };
}

function triggerName(trigger: Trigger): string {
  return trigger.type === 'agent_outcome' ? `agent_outcome:${trigger.outcome}` : trigger.type;
}
