import type { Reader, Tx } from '../database/store.ts';
import { dropRunFiles } from './run-files.ts';

/** What belongs to a task by its id, in an order in which nothing is left that references a deleted row. */
const OF_TASK = [
  'task_tags',
  'task_notes',
  'task_messages',
  'task_splits',
  'task_criteria',
  'attachments',
  'task_phases',
  'artifacts',
  'prompts',
  'transition_history',
  'deliveries',
  'prompt_replies',
  'outbox',
  'events',
] as const;

/** Deletes the task and all its records, including its events. Subtasks stay, without a parent. */
export async function removeTask(tx: Tx, taskId: string): Promise<void> {
  const runIds = await runsOf(tx, taskId);
  if (runIds.length > 0) {
    await tx.deleteFrom('jobs').where('run_id', 'in', runIds).execute();
    await tx.deleteFrom('run_steps').where('run_id', 'in', runIds).execute();
    await dropRunFiles(tx, runIds);
    await tx.deleteFrom('run_archives').where('run_id', 'in', runIds).execute();
  }
  for (const table of OF_TASK) await tx.deleteFrom(table).where('task_id', '=', taskId).execute();
  await tx
    .deleteFrom('task_dependencies')
    .where((row) => row.or([row('task_id', '=', taskId), row('depends_on_id', '=', taskId)]))
    .execute();
  await tx.deleteFrom('runs').where('task_id', '=', taskId).execute();
  await tx.updateTable('tasks').set({ parent_id: null }).where('parent_id', '=', taskId).execute();
  await tx.deleteFrom('budgets').where('subject_id', '=', taskId).execute();
  await tx.deleteFrom('tasks').where('id', '=', taskId).execute();
}

/** Deletes the project and all records of it and of its tasks; its files are not ours to delete. */
export async function removeProject(tx: Tx, projectId: string): Promise<void> {
  for (const taskId of await taskIdsOf(tx, projectId)) await removeTask(tx, taskId);
  await tx.deleteFrom('events').where('project_id', '=', projectId).execute();
  await tx.deleteFrom('pull_requests').where('project_id', '=', projectId).execute();
  await tx.deleteFrom('budgets').where('subject_id', '=', projectId).execute();
  await tx.deleteFrom('project_keys').where('project_id', '=', projectId).execute();
  await tx.deleteFrom('projects').where('id', '=', projectId).execute();
}

export async function taskIdsOf(db: Reader, projectId: string): Promise<ReadonlyArray<string>> {
  const rows = await db.selectFrom('tasks').select('id').where('project_id', '=', projectId).execute();
  return rows.map(({ id }) => id);
}

async function runsOf(db: Reader, taskId: string): Promise<ReadonlyArray<string>> {
  const rows = await db.selectFrom('runs').select('id').where('task_id', '=', taskId).execute();
  return rows.map(({ id }) => id);
}
