import { type RawBuilder, sql } from 'kysely';
import type { Reader } from '../database/store.ts';

/** Where the project of a thing is told: in its own row, or in that of its task. */
const TOLD_BY = {
  prj: ['projects', 'id'],
  tsk: ['tasks', 'project_id'],
  run: ['runs', 'project_id'],
  sch: ['schedules', 'project_id'],
  prm: ['prompts', 'task'],
  art: ['artifacts', 'task'],
  att: ['attachments', 'task'],
  atg: ['attempt_groups', 'task'],
  pha: ['task_phases', 'task'],
  bud: null,
  tpl: null,
} as const satisfies Readonly<Record<string, readonly [table: string, place: string] | null>>;

/** Whether a row of this kind belongs to one of these projects; absent: to any, or to none. */
export function ofProjects(
  kind: keyof typeof TOLD_BY,
  projectIds: ReadonlyArray<string> | undefined,
): RawBuilder<unknown> {
  if (projectIds === undefined) return sql`1 = 1`;
  const place = TOLD_BY[kind]?.[1];
  if (place === undefined || projectIds.length === 0) return sql`1 = 0`;
  if (place !== 'task') return sql`${sql.ref(place)} in (${sql.join(projectIds)})`;
  return sql`task_id in (select id from tasks where project_id in (${sql.join(projectIds)}))`;
}

/** The project to which something belongs; null if there is no such thing, or it belongs to none. */
export async function projectOf(db: Reader, id: string): Promise<string | null> {
  const kind = id.slice(0, 3);
  const told = Object.entries(TOLD_BY).find(([name]) => name === kind)?.[1] ?? null;
  if (told === null) return null;
  const [table, place] = told;
  const { rows } =
    place === 'task'
      ? await sql<{ project: string }>`
          select project_id as project from tasks
          where id = (select task_id from ${sql.table(table)} where id = ${id})`.execute(db)
      : await sql<{ project: string }>`
          select ${sql.ref(place)} as project from ${sql.table(table)} where id = ${id}`.execute(db);
  return rows[0]?.project ?? null;
}
