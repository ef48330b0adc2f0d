import { sql } from 'kysely';
import { withdrawPrompts } from '../prompts.ts';
import { done, refuse } from '../refusal.ts';
import { listArtifacts } from '../store/artifacts.ts';
import { appendEvents } from '../store/events.ts';
import { appendHistory, type HistoryEntry, listMoves } from '../store/history.ts';
import { listRuns } from '../store/runs.ts';
import type { Reader, Tx } from '../store/store.ts';
import { updateTask } from '../store/tasks.ts';
import type { Actor, PipelineDefinition, PipelineTransition, Task, TransitionOption, Trigger } from '../types/index.ts';
import type { Result } from '../workflow-contract.ts';
import { decideOptions } from './decide.ts';
import type { GuardFacts } from './guards.ts';
import { type HookContext, HOOKS } from './hooks.ts';

/** Who moves a task and why; `payload` is what an agent reported. */
export type MoveCause = {
  readonly trigger: Trigger;
  readonly actor: Actor;
  readonly reason?: string;
  readonly payload?: unknown;
  readonly runId?: string;
  readonly defaultAgentType: string;
};

export async function readOptions(
  db: Reader,
  task: Task,
  by: { readonly pipeline: PipelineDefinition; readonly trigger: Trigger },
): Promise<ReadonlyArray<TransitionOption>> {
  return decideOptions(by.pipeline, await readFacts(db, task), by.trigger);
}

/** Moves a task to a named status, or says which guard forbids it and what would satisfy it. */
export async function moveTo(
  tx: Tx,
  move: { readonly task: Task; readonly pipeline: PipelineDefinition; readonly to: string },
  cause: MoveCause,
): Promise<Result<Task>> {
  const { task, pipeline, to } = move;
  if (!pipeline.statuses.some((status) => status.id === to)) {
    return refuse(
      'invalid',
      `The pipeline "${pipeline.id}" has no status "${to}"; it has ${pipeline.statuses.map((status) => status.id).join(', ')}.`,
    );
  }
  const options = await readOptions(tx, task, { pipeline, trigger: cause.trigger });
  const towards = options.filter((option) => option.transition.to === to);
  const chosen = towards.find((option) => option.allowed) ?? towards[0];
  if (chosen === undefined) {
    const others = [...new Set(options.map((option) => option.transition.to))];
    const hint = others.length === 0 ? 'Nothing leads on from there.' : `From there it can go to ${others.join(', ')}.`;
    return refuse('blocked', `No transition leads from "${task.status}" to "${to}". ${hint}`);
  }
  if (!chosen.allowed) {
    return refuse(
      'blocked',
      `"${chosen.transition.label}" is not possible now: ${chosen.blockedBy.map(({ guard, reason }) => `${reason} (${guard})`).join(' ')}`,
      chosen.blockedBy,
    );
  }
  return carryOut(tx, { task, transition: chosen.transition }, cause);
}

/** Fires a trigger. Exactly one allowed transition moves the task; none or several leave it for a person to decide. */
export async function fire(
  tx: Tx,
  on: { readonly task: Task; readonly pipeline: PipelineDefinition },
  cause: MoveCause,
): Promise<Task> {
  const options = await readOptions(tx, on.task, { pipeline: on.pipeline, trigger: cause.trigger });
  const allowed = options.filter((option) => option.allowed);
  const [only] = allowed;
  if (only !== undefined && allowed.length === 1) {
    const moved = await carryOut(tx, { task: on.task, transition: only.transition }, cause);
    if (moved.ok) return moved.value;
  }
  await appendEvents(tx, [
    {
      ...about(on.task, cause),
      category: 'transition',
      type: 'status.blocked',
      level: 'warning',
      summary: `The task stays in "${on.task.status}": ${allowed.length === 0 ? 'no transition is open' : 'several transitions are open'} for ${triggerName(cause.trigger)}`,
      data: { options, trigger: cause.trigger },
    },
  ]);
  return on.task;
}

async function carryOut(
  tx: Tx,
  move: { readonly task: Task; readonly transition: PipelineTransition },
  cause: MoveCause,
): Promise<Result<Task>> {
  const { task, transition } = move;
  const unknown = (transition.hooks ?? []).find((hook) => HOOKS[hook.type] === undefined);
  if (unknown !== undefined)
    return refuse(
      'blocked',
      `The transition "${transition.id}" names a hook "${unknown.type}" that does not exist: correct the pipeline.`,
    );
  const moved = await updateTask(tx, task, { status: transition.to });
  if (moved === null)
    return refuse('conflict', 'The task was changed by someone else at the same time: look at it and try again.');
  await appendEvents(tx, [
    {
      ...about(task, cause),
      category: 'transition',
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
    { taskId: task.id, only: (prompt) => prompt.type !== 'tool_approval' },
    { projectId: task.projectId, actor: cause.actor },
  );
  const hooksExecuted = await runHooks({ ...hookContext(tx, moved, cause), from: task.status, transition }, cause);
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
  return done(moved);
}

async function runHooks(context: HookContext, cause: MoveCause): Promise<HistoryEntry['hooksExecuted']> {
  const executed: Array<HistoryEntry['hooksExecuted'][number]> = [];
  for (const { type, params } of context.transition.hooks ?? []) {
    const error = await inSavepoint(context.tx, async () => HOOKS[type]?.(context, params ?? {}));
    executed.push(error === null ? { hook: type, ok: true } : { hook: type, ok: false, error });
    await appendEvents(context.tx, [
      {
        ...about(context.task, cause),
        actor: { type: 'system', name: `hook:${type}` },
        category: 'hook',
        type: error === null ? 'hook.executed' : 'hook.failed',
        level: error === null ? 'debug' : 'error',
        summary: error === null ? `Hook ${type} ran` : `Hook ${type} failed: ${error}`,
      },
    ]);
  }
  return executed;
}

/** A hook's failure takes back what the hook wrote and nothing else. */
async function inSavepoint(tx: Tx, work: () => Promise<void> | undefined): Promise<string | null> {
  await sql`savepoint hook`.execute(tx);
  try {
    await work();
    await sql`release hook`.execute(tx);
    return null;
  } catch (error) {
    await sql`rollback to hook`.execute(tx);
    await sql`release hook`.execute(tx);
    return error instanceof Error ? error.message : String(error);
  }
}

async function readFacts(db: Reader, task: Task): Promise<GuardFacts> {
  const running = await listRuns(db, { taskId: task.id, status: 'running' });
  const artifacts = await listArtifacts(db, task.id);
  const moves = await listMoves(db, task.id);
  const visits: Record<string, number> = {};
  for (const { to } of moves) visits[to] = (visits[to] ?? 0) + 1;
  return { task, runningRuns: running.length, artifacts, visits };
}

function hookContext(tx: Tx, task: Task, cause: MoveCause): Omit<HookContext, 'transition' | 'from'> {
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
