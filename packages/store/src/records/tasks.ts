import type { RunOverrides } from '../types/run-overrides.ts';
import type { AcceptanceCriterion, PendingPayload, Task } from '../types/index.ts';
import { idOf, parseJson } from '../database/json.ts';
import type { TaskRow } from '../database/schema.ts';
import type { Reader, Tx } from '../database/store.ts';
import { transactionTime } from '../database/transaction-time.ts';

export async function insertTask(tx: Tx, task: Task, overrides: RunOverrides): Promise<void> {
  await tx
    .insertInto('tasks')
    .values({ ...toRow(task), overrides: JSON.stringify(overrides) })
    .execute();
  await insertTags(tx, task);
}

export async function findTask(db: Reader, id: string): Promise<Task | null> {
  const row = await db.selectFrom('tasks').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : taskOf(row);
}

/** The first task of the project that came from there. */
export async function findTaskBySource(db: Reader, projectId: string, sourceUrl: string): Promise<Task | null> {
  const query = db.selectFrom('tasks').selectAll().where('project_id', '=', projectId);
  const row = await query.where('source_url', '=', sourceUrl).orderBy('id').limit(1).executeTakeFirst();
  return row === undefined ? null : taskOf(row);
}

export async function findTaskOverrides(db: Reader, id: string): Promise<RunOverrides> {
  const row = await db.selectFrom('tasks').select('overrides').where('id', '=', id).executeTakeFirst();
  return parseJson<RunOverrides>(row?.overrides ?? null, {});
}

export async function setTaskOverrides(tx: Tx, id: string, overrides: RunOverrides): Promise<void> {
  await tx
    .updateTable('tasks')
    .set({ overrides: JSON.stringify(overrides) })
    .where('id', '=', id)
    .execute();
}

export type TaskChange = Partial<Omit<Task, 'id' | 'projectId' | 'version' | 'createdAt' | 'updatedAt'>>;

/** Null when someone else changed the task meanwhile: nothing was written. */
export async function updateTask(tx: Tx, task: Task, change: TaskChange): Promise<Task | null> {
  const next: Task = { ...task, ...change, version: task.version + 1, updatedAt: transactionTime(tx) };
  const { id: _id, project_id: _project, created_at: _created, ...columns } = toRow(next);
  const result = await tx
    .updateTable('tasks')
    .set(columns)
    .where('id', '=', task.id)
    .where('version', '=', task.version)
    .executeTakeFirst();
  if (result.numUpdatedRows !== 1n) return null;
  if (change.tags !== undefined) {
    await tx.deleteFrom('task_tags').where('task_id', '=', task.id).execute();
    await insertTags(tx, next);
  }
  return next;
}

async function insertTags(tx: Tx, task: Task): Promise<void> {
  const rows = [...new Set(task.tags)].map((tag) => ({ task_id: task.id, tag }));
  if (rows.length > 0) await tx.insertInto('task_tags').values(rows).execute();
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
    parent_id: task.parentTaskId,
    sort_order: task.sortOrder,
    acceptance: JSON.stringify(task.acceptanceCriteria),
    pending_payload: task.pendingPayload === null ? null : JSON.stringify(task.pendingPayload),
    source_url: task.sourceUrl,
    version: task.version,
    created_at: task.createdAt,
    updated_at: task.updatedAt,
  };
}

export function taskOf(row: TaskRow): Task {
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
    parentTaskId: row.parent_id === null ? null : idOf('tsk', row.parent_id),
    sortOrder: row.sort_order,
    acceptanceCriteria: parseJson<ReadonlyArray<AcceptanceCriterion>>(row.acceptance, []),
    pendingPayload: parseJson<PendingPayload | null>(row.pending_payload, null),
    sourceUrl: row.source_url,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
