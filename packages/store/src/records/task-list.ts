import type { SelectQueryBuilder } from 'kysely';
import type { Task } from '../types/index.ts';
import { containing } from '../database/match-text.ts';
import type { Schema, TaskRow } from '../database/schema.ts';
import type { Reader, Tx } from '../database/store.ts';
import { tasksWithText } from './task-text.ts';
import { taskOf } from './tasks.ts';
import type { Complexity, Priority, Size } from '../types/task.ts';
import { compiledOnce, type Given } from '../database/compiled-once.ts';

export type TaskFilter = {
  readonly projectId?: string;
  readonly projectIds?: ReadonlyArray<string>;
  readonly status?: ReadonlyArray<string>;
  readonly priority?: ReadonlyArray<Priority>;
  readonly size?: ReadonlyArray<Size>;
  readonly complexity?: ReadonlyArray<Complexity>;
  /** Tasks that have any of them. */
  readonly tags?: ReadonlyArray<string>;
  /** Text in the title or the description. */
  readonly search?: string;
  /** Null: only tasks that have no parent. */
  readonly parentTaskId?: string | null;
  readonly pipelineId?: string;
  readonly limit?: number;
  /** For newest first: the last id of the previous page. */
  readonly before?: string;
  /** For board order: the last id of the previous page. */
  readonly after?: string;
};

/** Newest first; `before` is the last id of the previous page. */
export async function listTasks(db: Reader, filter: TaskFilter): Promise<ReadonlyArray<Task>> {
  let { query } = await filtered(db, filter);
  if (filter.before !== undefined) query = query.where('id', '<', filter.before);
  const rows = await query
    .orderBy('id', 'desc')
    .limit(filter.limit ?? 100)
    .execute();
  return rows.map(taskOf);
}

/** How many there are, however many are listed. */
export async function countTasks(db: Reader, filter: TaskFilter): Promise<number> {
  let { query } = await filtered(db, filter);
  if (filter.before !== undefined) query = query.where('id', '<', filter.before);
  const row = await query
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirst();
  return row?.count ?? 0;
}

export async function countByStatus(db: Reader, projectId: string): Promise<Readonly<Record<string, number>>> {
  const rows = await db
    .selectFrom('tasks')
    .select(['status', ({ fn }) => fn.countAll<number>().as('count')])
    .where('project_id', '=', projectId)
    .groupBy('status')
    .orderBy('status')
    .execute();
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

/** A page of the board or of one of its columns (`status`), in order. */
export type TaskPage = { readonly tasks: ReadonlyArray<Task>; readonly next: string | null };

/**
 * In board order, after the task `after`. An index has this order: with a project, and a status or none, a page costs as much as its rows,
 * however many tasks there are.
 */
export async function pageTasks(db: Reader, filter: Omit<TaskFilter, 'before'>): Promise<TaskPage> {
  const limit = filter.limit ?? 100;
  let { query } = await filtered(db, filter);
  if (filter.after !== undefined) {
    const last = await db
      .selectFrom('tasks')
      .select(['id', 'sort_order'])
      .where('id', '=', filter.after)
      .executeTakeFirst();
    if (last === undefined) return { tasks: [], next: null };
    query = query
      .where('sort_order', '>=', last.sort_order)
      .where((row) =>
        row.or([
          row('sort_order', '>', last.sort_order),
          row.and([row('sort_order', '=', last.sort_order), row('id', '>', last.id)]),
        ]),
      );
  }
  const rows = await query
    .orderBy('sort_order')
    .orderBy('id')
    .limit(limit + 1)
    .execute();
  const tasks = rows.slice(0, limit).map(taskOf);
  return { tasks, next: rows.length > limit ? (tasks.at(-1)?.id ?? null) : null };
}

type Query = SelectQueryBuilder<Schema, 'tasks', TaskRow>;

async function filtered(db: Reader, filter: TaskFilter): Promise<{ readonly query: Query }> {
  let query: Query = db.selectFrom('tasks').selectAll();
  if (filter.projectId !== undefined) query = query.where('project_id', '=', filter.projectId);
  if (filter.projectIds !== undefined) query = query.where('project_id', 'in', filter.projectIds);
  if (filter.status !== undefined) query = oneOf(query, 'status', filter.status);
  if (filter.priority !== undefined) query = oneOf(query, 'priority', filter.priority);
  if (filter.size !== undefined) query = oneOf(query, 'size', filter.size);
  if (filter.complexity !== undefined) query = oneOf(query, 'complexity', filter.complexity);
  if (filter.pipelineId !== undefined) query = query.where('pipeline_id', '=', filter.pipelineId);
  if (filter.parentTaskId === null) query = query.where('parent_id', 'is', null);
  else if (filter.parentTaskId !== undefined) query = query.where('parent_id', '=', filter.parentTaskId);
  const { tags, search } = filter;
  if (tags !== undefined)
    query = query.where('id', 'in', (sub) => sub.selectFrom('task_tags').select('task_id').where('tag', 'in', tags));
  if (search !== undefined) {
    const ids = await tasksWithText(db, search);
    if (ids !== null) query = query.where('id', 'in', ids.length === 0 ? [''] : ids);
    query = query.where((row) => row.or([containing('title', search), containing('description', search)]));
  }
  return { query };
}

/** A single value is compared with `=`: only then can an index provide the order. */
function oneOf(
  query: Query,
  column: 'status' | 'priority' | 'size' | 'complexity',
  values: ReadonlyArray<string>,
): Query {
  const [only] = values;
  if (only !== undefined && values.length === 1)
    return query.where((row) => row.eb(row.ref(column), '=', row.val(only)));
  return query.where((row) => row.eb(row.ref(column), 'in', values.length === 0 ? [''] : values));
}

const STEP = 1024;

/** The position after all others. */
export async function lastPlace(db: Reader, projectId: string): Promise<number> {
  const [row] = (await lastOf(db, { projectId })).rows;
  return (row?.sort_order ?? 0) + STEP;
}

const lastOf = compiledOnce((db, { projectId }: Given<{ projectId: string }>) =>
  db
    .selectFrom('tasks')
    .select('sort_order')
    .where('project_id', '=', projectId)
    .orderBy('sort_order', 'desc')
    .limit(1),
);

/** The positions between which a task after `after` (null: none) fits. */
export async function placeAfter(
  db: Reader,
  projectId: string,
  after: Task | null,
): Promise<{ readonly from: number; readonly to: number }> {
  const from = after?.sortOrder ?? null;
  let query = db.selectFrom('tasks').select('sort_order').where('project_id', '=', projectId);
  if (from !== null) query = query.where('sort_order', '>', from);
  const next = await query.orderBy('sort_order').limit(1).executeTakeFirst();
  if (next === undefined) return { from: from ?? 0, to: (from ?? 0) + 2 * STEP };
  return { from: from ?? next.sort_order - 2 * STEP, to: next.sort_order };
}

/** Spaces all tasks of the project evenly again; only needed after many moves into the same gap. */
export async function spreadPlaces(tx: Tx, projectId: string): Promise<void> {
  const rows = await tx
    .selectFrom('tasks')
    .select('id')
    .where('project_id', '=', projectId)
    .orderBy('sort_order')
    .orderBy('id')
    .execute();
  for (const [index, { id }] of rows.entries())
    await tx
      .updateTable('tasks')
      .set({ sort_order: (index + 1) * STEP })
      .where('id', '=', id)
      .execute();
}
