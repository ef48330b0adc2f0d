import { done } from '@attractor/base';
import { askPerson, leaveSplit, withdrawPrompts } from '@attractor/pipeline';
import {
  type Actor,
  appendEvents,
  appendHistory,
  listHistory,
  listPrompts,
  type PipelineDefinition,
  type Prompt,
  refuse,
  type Result,
  type Store,
  type Task,
  type Tx,
  updateTask,
} from '@attractor/store';
import { findTaskAndPipeline } from './tasks.ts';
import { refuseAtWork } from './at-work.ts';

export type ReopenCommand = { readonly taskId: string; readonly to?: string; readonly reason?: string };

/**
 * The way back that every pipeline has: a task that was closed by mistake returns to the status it was closed from, and any task without an
 * agent returns to a status that it has been in before. A question that was open there is asked again; no agent is started.
 */
export function reopenTask(store: Store, command: ReopenCommand, actor: Actor): Promise<Result<Task>> {
  return store.transact((tx) => reopenIn(tx, command, actor));
}

/** The same within a transaction of the caller. */
export async function reopenIn(tx: Tx, { taskId, to, reason }: ReopenCommand, actor: Actor): Promise<Result<Task>> {
  const found = await findTaskAndPipeline(tx, taskId);
  if (!found.ok) return found;
  const { task, pipeline } = found.value;
  const atWork = await refuseAtWork(tx, taskId);
  if (atWork !== null) return atWork;
  const history = await listHistory(tx, taskId);
  const target = chooseTarget({ task, pipeline, history }, to);
  if (!target.ok) return target;
  const asked = await questionOf(tx, task, stayIn(target.value, history));
  const moved = await updateTask(tx, task, { status: target.value });
  if (moved === null) return refuse('conflict', 'The task was changed by someone else at the same time: try again.');
  const way = { id: 'reopen', summary: `Reopened: ${task.status} → ${moved.status}` };
  await recordMove(tx, { task, moved, reason: reason ?? null, actor, way });
  await withdrawPrompts(tx, { taskId, only: () => true }, { projectId: task.projectId, actor });
  await leaveSplit(tx, moved, actor);
  if (asked !== null) await askAgain(tx, asked, { projectId: task.projectId, actor });
  return done(moved);
}

type Closed = {
  readonly task: Task;
  readonly pipeline: PipelineDefinition;
  readonly history: ReadonlyArray<{ readonly from: string; readonly to: string }>;
};

function chooseTarget({ task, pipeline, history }: Closed, wanted: string | undefined): Result<string> {
  const isClosed = pipeline.terminalStatuses.includes(task.status);
  const isWay = (status: string) => !pipeline.terminalStatuses.includes(status) && status !== task.status;
  const been = [pipeline.initialStatus, ...history.flatMap(({ from, to }) => [from, to])].filter(isWay);
  const ways = [...new Set(been)].filter((status) => pipeline.statuses.some(({ id }) => id === status));
  if (wanted === undefined) {
    const last = isClosed ? history.findLast(({ from }) => ways.includes(from))?.from : undefined;
    const target = last ?? ways[0];
    return target === undefined ? refuse('blocked', `The task is "${task.status}": it is already open.`) : done(target);
  }
  if (ways.includes(wanted)) return done(wanted);
  const hint = ways.length === 0 ? 'It has been in no other.' : `It can go back to ${ways.join(', ')}.`;
  return refuse('invalid', `The task has never been in "${wanted}", or is there now. ${hint}`);
}

type MovedByHand = {
  readonly task: Task;
  readonly moved: Task;
  readonly reason: string | null;
  readonly actor: Actor;
  readonly way: { readonly id: string; readonly summary: string };
};

/** A move that is in no pipeline, in the log and in the history. */
export async function recordMove(
  tx: Tx,
  { task, moved, reason, actor, way: { id, summary } }: MovedByHand,
): Promise<void> {
  const way = { from: task.status, to: moved.status, reason };
  await appendEvents(tx, [
    {
      projectId: task.projectId,
      taskId: task.id,
      type: 'status.changed',
      summary,
      data: { task: moved, ...way, transitionId: id },
      actor,
    },
  ]);
  await appendHistory(tx, {
    taskId: task.id,
    transitionId: id,
    ...way,
    trigger: 'manual',
    actor,
    payload: null,
    guardsChecked: [],
    hooksExecuted: [],
  });
}

type Stay = { readonly from: string; readonly to: string | null };

/** When the task was last in a status; `to` is when it left. */
function stayIn(
  status: string,
  history: ReadonlyArray<{ readonly from: string; readonly to: string; readonly at: string }>,
): Stay | null {
  const entered = history.findLastIndex(({ to }) => to === status);
  const from = history[entered]?.at;
  return from === undefined ? null : { from, to: history[entered + 1]?.at ?? null };
}

/** The question that was open when the task was last in the status. */
async function questionOf(tx: Tx, task: Task, stay: Stay | null): Promise<Prompt | null> {
  if (stay === null) return null;
  const prompts = await listPrompts(tx, { taskId: task.id });
  const isOf = ({ type, createdAt }: Prompt) =>
    OF_STATUSES.has(type) && createdAt >= stay.from && (stay.to === null || createdAt < stay.to);
  return prompts.findLast(isOf) ?? null;
}

/** The others belong to a run that has ended. */
const OF_STATUSES: ReadonlySet<Prompt['type']> = new Set([
  'question',
  'options',
  'plan_approval',
  'review',
  'split_proposal',
]);

async function askAgain(
  tx: Tx,
  prompt: Prompt,
  asking: { readonly projectId: string; readonly actor: Actor },
): Promise<void> {
  if (prompt.type !== 'unknown') await askPerson(tx, { ...prompt, key: null }, asking);
}
