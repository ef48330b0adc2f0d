import { sql } from 'kysely';
import type { Task } from '../types/index.ts';
import type { TaskRow } from '../database/schema.ts';
import type { Reader, Tx } from '../database/store.ts';
import { tasksOfIds } from './of-many-tasks.ts';
import { taskOf } from './tasks.ts';
import { transactionTime } from '../database/transaction-time.ts';

export type Dependency = { readonly taskId: string; readonly dependsOnId: string };

/** False if it already existed. */
export async function insertDependency(tx: Tx, { taskId, dependsOnId }: Dependency): Promise<boolean> {
  const result = await tx
    .insertInto('task_dependencies')
    .values({ task_id: taskId, depends_on_id: dependsOnId, created_at: transactionTime(tx) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export async function deleteDependency(tx: Tx, { taskId, dependsOnId }: Dependency): Promise<boolean> {
  const result = await tx
    .deleteFrom('task_dependencies')
    .where('task_id', '=', taskId)
    .where('depends_on_id', '=', dependsOnId)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}

/** The tasks that have to be done first. */
export async function listDependencies(db: Reader, taskId: string): Promise<ReadonlyArray<Task>> {
  const rows = await db
    .selectFrom('task_dependencies')
    .innerJoin('tasks', 'tasks.id', 'task_dependencies.depends_on_id')
    .selectAll('tasks')
    .where('task_id', '=', taskId)
    .orderBy('tasks.id')
    .execute();
  return rows.map(taskOf);
}

/** The tasks that wait for this one. */
export async function listDependents(db: Reader, taskId: string): Promise<ReadonlyArray<Task>> {
  const rows: ReadonlyArray<TaskRow> = await db
    .selectFrom('task_dependencies')
    .innerJoin('tasks', 'tasks.id', 'task_dependencies.task_id')
    .selectAll('tasks')
    .where('depends_on_id', '=', taskId)
    .orderBy('tasks.id')
    .execute();
  return rows.map(taskOf);
}

/** Every task of a project that waits for another one, with that one; in their order. */
export async function listProjectDependencies(
  db: Reader,
  projectId: string,
): Promise<ReadonlyArray<{ readonly task: Task; readonly dependsOn: Task }>> {
  const edges = await db
    .selectFrom('task_dependencies')
    .innerJoin('tasks', 'tasks.id', 'task_dependencies.task_id')
    .select(['task_id', 'depends_on_id'])
    .where('tasks.project_id', '=', projectId)
    .orderBy('task_id')
    .orderBy('depends_on_id')
    .execute();
  const ids = new Set(edges.flatMap((edge) => [edge.task_id, edge.depends_on_id]));
  const tasks = new Map<string, Task>((await tasksOfIds(db, [...ids])).map((task) => [task.id, task]));
  return edges.flatMap((edge) => {
    const [task, dependsOn] = [tasks.get(edge.task_id), tasks.get(edge.depends_on_id)];
    return task === undefined || dependsOn === undefined ? [] : [{ task, dependsOn }];
  });
}

/** From `from` along the dependencies to `to`, both included; null if there is no such path. */
export async function findDependencyPath(db: Reader, from: string, to: string): Promise<ReadonlyArray<string> | null> {
  const cameFrom = new Map<string, string | null>([[from, null]]);
  for (const id of cameFrom.keys()) {
    if (id === to) return wayTo(cameFrom, id);
    const { rows } = await sql<{ id: string }>`
      select depends_on_id as id from task_dependencies where task_id = ${id} order by depends_on_id`.execute(db);
    for (const next of rows) if (!cameFrom.has(next.id)) cameFrom.set(next.id, id);
  }
  return null;
}

function wayTo(cameFrom: ReadonlyMap<string, string | null>, end: string): ReadonlyArray<string> {
  const way: string[] = [];
  for (let at: string | null = end; at !== null; at = cameFrom.get(at) ?? null) way.unshift(at);
  return way;
}
