import type { RunOverrides } from '../workflow-contract.ts';
import type { Task } from '../types/index.ts';
import { idOf, parseJson } from './json.ts';
import type { TaskRow } from './schema.ts';
import type { Reader, Tx } from './store.ts';

export async function insertTask(tx: Tx, task: Task, overrides: RunOverrides): Promise<void> {
  await tx
    .insertInto('tasks')
    .values({ ...toRow(task), overrides: JSON.stringify(overrides) })
    .execute();
}

export async function findTask(db: Reader, id: string): Promise<Task | null> {
  const row = await db.selectFrom('tasks').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : fromRow(row);
}

export async function findTaskOverrides(db: Reader, id: string): Promise<RunOverrides> {
  const row = await db.selectFrom('tasks').select('overrides').where('id', '=', id).executeTakeFirst();
  return parseJson<RunOverrides>(row?.overrides ?? null, {});
}

/** Newest first; `before` is the last id of the page before. */
export async function listTasks(
  db: Reader,
  filter: { readonly projectId?: string; readonly limit?: number; readonly before?: string },
): Promise<ReadonlyArray<Task>> {
  let query = db.selectFrom('tasks').selectAll();
  if (filter.projectId !== undefined) query = query.where('project_id', '=', filter.projectId);
  if (filter.before !== undefined) query = query.where('id', '<', filter.before);
  const rows = await query
    .orderBy('id', 'desc')
    .limit(filter.limit ?? 100)
    .execute();
  return rows.map(fromRow);
}

/** Null when someone else changed the task meanwhile: nothing was written. */
export async function updateTask(
  tx: Tx,
  task: Task,
  change: { readonly status?: string; readonly plan?: string },
): Promise<Task | null> {
  const next: Task = { ...task, ...change, version: task.version + 1, updatedAt: new Date().toISOString() };
  const { status, plan, version, updated_at } = toRow(next);
  const result = await tx
    .updateTable('tasks')
    .set({ status, plan, version, updated_at })
    .where('id', '=', task.id)
    .where('version', '=', task.version)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n ? next : null;
}

function toRow(task: Task): Omit<TaskRow, 'overrides'> {
  return {
    id: task.id,
    project_id: task.projectId,
    title: task.title,
    description: task.description,
    status: task.status,
    pipeline_id: task.pipelineId,
    pipeline_version: task.pipelineVersion,
    priority: task.priority,
    size: task.size,
    complexity: task.complexity,
    tags: JSON.stringify(task.tags),
    plan: task.plan,
    version: task.version,
    created_at: task.createdAt,
    updated_at: task.updatedAt,
  };
}

function fromRow(row: TaskRow): Task {
  return {
    id: idOf('tsk', row.id),
    projectId: idOf('prj', row.project_id),
    title: row.title,
    description: row.description,
    status: row.status,
    pipelineId: row.pipeline_id,
    pipelineVersion: row.pipeline_version,
    priority: row.priority,
    size: row.size,
    complexity: row.complexity,
    tags: parseJson<ReadonlyArray<string>>(row.tags, []),
    plan: row.plan,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
