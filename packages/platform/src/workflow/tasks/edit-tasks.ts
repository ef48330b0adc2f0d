import { done } from '@attractor/base';
import { moveTo } from '@attractor/pipeline';
import {
  type Actor,
  appendEvents,
  findPipeline,
  findTask,
  idOf,
  listCriteria,
  nested,
  type NewEvent,
  recordCriteria,
  refuse,
  reprioritise,
  type Result,
  setTaskOverrides,
  type Store,
  syncCriteria,
  type Task,
  type TaskChange,
  transactionTime,
  type Tx,
  updateTask,
} from '@attractor/store';
import { askAboutEditedPlan } from './edited-plan.ts';
import { judgeTaskFields } from './task-fields.ts';
import { findTaskAndPipeline, judgeParent } from './tasks.ts';
import type { BulkResult, TaskEdit } from './contract.ts';
import { writtenPlan } from './written-plan.ts';

export type EditCommand = { readonly taskId: string; readonly version?: number; readonly edit: TaskEdit };

export function editTask(store: Store, command: EditCommand, actor: Actor): Promise<Result<Task>> {
  return store.transact((tx) => editIn(tx, command, actor));
}

export type BulkCommand = { readonly taskIds: ReadonlyArray<string>; readonly edit?: TaskEdit; readonly to?: string };

/** One transaction for all; a task that can't be changed is named and left unchanged. */
export function bulkUpdate(
  store: Store,
  command: BulkCommand,
  by: { readonly actor: Actor; readonly defaultAgentType: string },
): Promise<Result<BulkResult>> {
  return store.transact(async (tx) => {
    const changed: string[] = [];
    const refused: Array<BulkResult['refused'][number]> = [];
    for (const taskId of new Set(command.taskIds)) {
      const result = await nested(tx, () => updateOne(tx, { ...command, taskId }, by));
      if (result.ok) changed.push(taskId);
      else refused.push({ taskId, message: result.error.message });
    }
    return done({ done: changed, refused });
  });
}

async function updateOne(
  tx: Tx,
  { taskId, to, edit }: Omit<BulkCommand, 'taskIds'> & { readonly taskId: string },
  by: { readonly actor: Actor; readonly defaultAgentType: string },
): Promise<Result<null>> {
  const found = await findTaskAndPipeline(tx, taskId);
  if (!found.ok) return found;
  if (to !== undefined) {
    const moved = await moveTo(tx, { ...found.value, to }, { trigger: { type: 'manual' }, ...by });
    if (!moved.ok) return moved;
  }
  if (edit === undefined) return done(null);
  const edited = await editIn(tx, { taskId, edit }, by.actor);
  return edited.ok ? done(null) : edited;
}

async function editIn(tx: Tx, { taskId, version, edit }: EditCommand, actor: Actor): Promise<Result<Task>> {
  const task = await findTask(tx, taskId);
  if (task === null) return refuse('not_found', `There is no task ${taskId}.`);
  if (version !== undefined && version !== task.version) return changedMeanwhile(task);
  const change = await judgeEdit(tx, task, edit);
  if (!change.ok) return change;
  const fields = changedFields(task, change.value);
  if (edit.overrides !== undefined) await setTaskOverrides(tx, task.id, edit.overrides);
  if (fields.length === 0 && edit.overrides === undefined) return done(task);
  const edited = await updateTask(tx, task, change.value);
  if (edited === null) return changedMeanwhile(task);
  if (fields.includes('acceptanceCriteria')) await keepCriteria(tx, { before: task, after: edited }, actor);
  if (edited.priority !== task.priority) await reprioritise(tx, edited.id, edited.priority);
  await appendEvents(tx, [editEvent(edited, edit.overrides === undefined ? fields : [...fields, 'overrides'], actor)]);
  if (fields.includes('plan')) await askAboutEditedPlan(tx, edited, actor);
  return done(edited);
}

/** Numbers stay; what a person ticked or unticked in the list is their decision. */
async function keepCriteria(
  tx: Tx,
  { before, after }: { readonly before: Task; readonly after: Task },
  actor: Actor,
): Promise<void> {
  const earlier = await listCriteria(tx, before);
  await syncCriteria(tx, before.acceptanceCriteria, after);
  const at = transactionTime(tx);
  const marks = (await listCriteria(tx, after)).flatMap(({ number }, index) => {
    const met = after.acceptanceCriteria[index]?.met ?? false;
    const place = earlier.findIndex((one) => one.number === number);
    const wasMet = before.acceptanceCriteria[place]?.met ?? false;
    return met === wasMet ? [] : [[number, { mark: { isMet: met, note: null, by: actor, at } }] as const];
  });
  await recordCriteria(tx, after.id, new Map(marks));
}

export function changedMeanwhile(task: Task) {
  return refuse('conflict', 'The task was changed by someone else at the same time: look at it and try again.', {
    task,
  });
}

async function judgeEdit(tx: Tx, task: Task, edit: TaskEdit): Promise<Result<TaskChange>> {
  const unfit = judgeTaskFields(edit);
  if (unfit !== null) return unfit;
  const { overrides: _overrides, parentTaskId, pipelineId, ...fields } = edit;
  const change: { -readonly [Name in keyof TaskChange]: TaskChange[Name] } = { ...fields };
  if (fields.title !== undefined) change.title = fields.title.trim();
  if (typeof fields.plan === 'string') {
    const plan = writtenPlan(fields.plan, task.plan);
    if (!plan.ok) return plan;
    change.plan = plan.value;
  }
  if (fields.tags !== undefined) change.tags = [...new Set(fields.tags)];
  if (parentTaskId !== undefined) {
    const judged = await judgeParent(tx, { projectId: task.projectId, parentTaskId, taskId: task.id });
    if (!judged.ok) return judged;
    change.parentTaskId = parentTaskId === null ? null : idOf('tsk', parentTaskId);
  }
  if (pipelineId === undefined) return done(change);
  const pipeline = await findPipeline(tx, pipelineId);
  if (pipeline === null) return refuse('not_found', `There is no pipeline "${pipelineId}".`);
  if (!pipeline.statuses.some(({ id }) => id === task.status))
    return refuse('blocked', `The pipeline "${pipelineId}" has no status "${task.status}", which the task is in now.`);
  return done({ ...change, pipelineId, pipelineVersion: pipeline.version });
}

function changedFields(task: Task, change: TaskChange): ReadonlyArray<string> {
  return Object.entries(change)
    .filter(([field, value]) => JSON.stringify(Reflect.get(task, field)) !== JSON.stringify(value))
    .map(([field]) => field);
}

function editEvent(task: Task, fields: ReadonlyArray<string>, actor: Actor): NewEvent {
  const only = fields.length === 1 ? fields[0] : undefined;
  return {
    projectId: task.projectId,
    taskId: task.id,
    type: only === 'description' ? 'description.updated' : 'field.updated',
    summary: `Changed: ${fields.join(', ')}`,
    data: { task, fields },
    actor,
  };
}
