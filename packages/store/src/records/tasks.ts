import { once } from '@attractor/base';
import { isList, storedFields, type StoredTaskFields, type TaskField, type TaskFieldColumns } from '@attractor/facts';
import type { RunOverrides } from '../types/run-overrides.ts';
import type { PendingPayload, Task } from '../types/index.ts';
import { idOf, parseJson } from '../database/json.ts';
import type { TaskRow } from '../database/schema.ts';
import type { Reader, Tx } from '../database/store.ts';
import { transactionTime } from '../database/transaction-time.ts';
import { asUnasked } from '../database/unasked.ts';
import { type GivenKey, nextTaskKey } from './short-keys.ts';
import { compiledOnce, type Given } from '../database/compiled-once.ts';

/** The task with its key, which it gets here unless it has one. */
export async function insertTask(
  tx: Tx,
  task: Omit<Task, 'key'>,
  overrides: RunOverrides,
  key?: GivenKey,
): Promise<Task> {
  const given = key ?? (await nextTaskKey(tx, task.projectId));
  await insertRow(tx, { ...toRow(task), ...given, overrides: JSON.stringify(overrides) });
  await insertTags(tx, task);
  return inOrder({ ...task, key: given.key });
}

const insertRow = compiledOnce((db, row: Given<TaskRow>) => asUnasked(db.insertInto('tasks').values(row)));

export async function findTask(db: Reader, id: string): Promise<Task | null> {
  const [row] = (await taskById(db, { id })).rows;
  return row === undefined ? null : taskOf(row);
}

const taskById = compiledOnce((db, { id }: Given<{ id: string }>) =>
  db.selectFrom('tasks').selectAll().where('id', '=', id),
);

/** The first task of the project with this source. */
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

export type TaskChange = Partial<Omit<Task, 'id' | 'key' | 'projectId' | 'version' | 'createdAt' | 'updatedAt'>>;

/** Null if someone else changed the task meanwhile: nothing was written. */
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

async function insertTags(tx: Tx, task: Pick<Task, 'id' | 'tags'>): Promise<void> {
  const rows = [...new Set(task.tags)].map((tag) => ({ task_id: task.id, tag }));
  if (rows.length > 0) await tx.insertInto('task_tags').values(rows).execute();
}

function toRow(task: Omit<Task, 'key'>): Omit<TaskRow, 'overrides' | 'key' | 'number'> {
  const fields = storedFields().map(([name, field]) => {
    const value: unknown = Reflect.get(task, name);
    return [field.column, isList(field) ? JSON.stringify(value) : value];
  });
  const columns: TaskFieldColumns = Object.fromEntries(fields);
  return {
    ...columns,
    id: task.id,
    project_id: task.projectId,
    status: task.status,
    pipeline_version: task.pipelineVersion,
    sort_order: task.sortOrder,
    pending_payload: task.pendingPayload === null ? null : JSON.stringify(task.pendingPayload),
    version: task.version,
    created_at: task.createdAt,
    updated_at: task.updatedAt,
  };
}

export function taskOf(row: TaskRow): Task {
  const task: Record<string, unknown> = {};
  for (const [name, read] of readers()) task[name] = read(row);
  return task as Task;
}

type ReadField = (row: TaskRow) => unknown;

/** Lists of tasks are long: how a row is read is worked out once. */
const readers = once((): ReadonlyArray<readonly [string, ReadField]> => {
  const stored = storedFields().map(([name, field]) => [name, readerOf(field)] as const);
  const all = new Map<string, ReadField>([...stored, ...Object.entries<ReadField>(OWN)]);
  return [...new Set<string>([...ORDER, ...all.keys()])].flatMap((name) => {
    const read = all.get(name);
    return read === undefined ? [] : [[name, read] as const];
  });
});

const OWN = {
  id: (row) => idOf('tsk', row.id),
  projectId: (row) => idOf('prj', row.project_id),
  status: (row) => row.status,
  pipelineVersion: (row) => row.pipeline_version,
  sortOrder: (row) => row.sort_order,
  pendingPayload: (row) => parseJson<PendingPayload | null>(row.pending_payload, null),
  version: (row) => row.version,
  createdAt: (row) => row.created_at,
  updatedAt: (row) => row.updated_at,
  key: (row) => row.key,
} satisfies { readonly [Name in Exclude<keyof Task, keyof StoredTaskFields>]: (row: TaskRow) => Task[Name] };

function readerOf(field: TaskField & { readonly column: string }): ReadField {
  const { column, id, preset } = field;
  if (isList(field)) return textIn(column, (kept) => parseJson<unknown>(kept, preset));
  return id === undefined ? (row) => Reflect.get(row, column) : textIn(column, (kept) => idOf(id, kept));
}

function textIn(column: string, read: (kept: string) => unknown): ReadField {
  return (row) => {
    const kept: unknown = Reflect.get(row, column);
    return typeof kept === 'string' ? read(kept) : kept;
  };
}

/** A task's fields are written in one order, wherever it comes from; newer fields follow. */
const ORDER = [
  'id',
  'projectId',
  'title',
  'description',
  'status',
  'pipelineId',
  'pipelineVersion',
  'priority',
  'size',
  'complexity',
  'tags',
  'plan',
  'parentTaskId',
  'sortOrder',
  'acceptanceCriteria',
  'pendingPayload',
  'sourceUrl',
  'version',
  'createdAt',
  'updatedAt',
  'key',
] as const;

function inOrder(task: Task): Task {
  const known = Object.fromEntries(ORDER.map((name) => [name, task[name]]));
  return { ...known, ...task };
}
