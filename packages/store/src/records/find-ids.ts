import { sql } from 'kysely';
import type { Reader } from '../database/store.ts';

/** What an id can stand for, and which of its columns a person knows it by. */
const NAMED = {
  tsk: ['tasks', 'title', 'key'],
  run: ['runs', 'mode', 'key'],
  prm: ['prompts', 'title', 'short_key'],
  prj: ['projects', 'name', 'key'],
  sch: ['schedules', 'name', 'id'],
  tpl: ['templates', 'name', 'id'],
  bud: ['budgets', 'scope', 'id'],
  art: ['artifacts', 'label', 'id'],
  att: ['attachments', 'name', 'id'],
  atg: ['attempt_groups', 'task_id', 'id'],
  pha: ['task_phases', 'name', 'id'],
} as const;

export type IdKind = keyof typeof NAMED;

export function isIdKind(text: string): text is IdKind {
  return Object.hasOwn(NAMED, text);
}

export type NamedId = { readonly id: string; readonly key: string; readonly name: string };

/** The newest whose id contains the part, which has to be of the characters of ids. */
export async function findIds(
  db: Reader,
  kind: IdKind,
  { part, limit }: { readonly part: string; readonly limit: number },
): Promise<ReadonlyArray<NamedId>> {
  const [table, name, key] = NAMED[kind];
  const { rows } = await sql<NamedId>`
    select id, ${sql.ref(key)} as key, ${sql.ref(name)} as name from ${sql.table(table)}
    where id like ${`%${part.replaceAll('_', '!_')}%`} escape '!' order by id desc limit ${sql.lit(limit)}`.execute(db);
  return rows;
}
