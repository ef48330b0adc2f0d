import { sql } from 'kysely';
import type { Reader } from '../database/store.ts';
import type { IdKind } from './find-ids.ts';

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
} as const satisfies Readonly<Record<IdKind, readonly [table: string, place: string] | null>>;

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
