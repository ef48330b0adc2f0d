import { sql } from 'kysely';
import type { Reader } from '../database/store.ts';
import { ofProjects } from './project-of.ts';

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

/** Those of `NAMED` that have a short key. */
const KEYED = ['tsk', 'run', 'prm', 'prj'] as const;

const AT_ONCE = 500;

/** What people call these. Ids of nothing, and of what has no key, are left out. */
export async function nameIds(db: Reader, ids: ReadonlyArray<string>): Promise<ReadonlyArray<NamedId>> {
  const named: NamedId[] = [];
  for (const kind of KEYED) {
    const [table, name, key] = NAMED[kind];
    const own = [...new Set(ids)].filter((id) => id.startsWith(`${kind}_`));
    for (let from = 0; from < own.length; from += AT_ONCE) {
      const { rows } = await sql<NamedId>`
        select id, ${sql.ref(key)} as key, ${sql.ref(name)} as name from ${sql.table(table)}
        where id in (${sql.join(own.slice(from, from + AT_ONCE))}) order by id`.execute(db);
      named.push(...rows);
    }
  }
  return named;
}

type IdsWanted = {
  /** Of the characters of ids. */
  readonly part: string;
  readonly limit: number;
  /** Only what belongs to these; absent: everything. */
  readonly projectIds?: ReadonlyArray<string> | undefined;
};

/** The newest whose id contains the part, and how many there are. */
export async function findIds(
  db: Reader,
  kind: IdKind,
  { part, limit, projectIds }: IdsWanted,
): Promise<{ readonly found: ReadonlyArray<NamedId>; readonly total: number }> {
  const [table, name, key] = NAMED[kind];
  const { rows } = await sql<NamedId & { total: number | string }>`
    select id, ${sql.ref(key)} as key, ${sql.ref(name)} as name, count(*) over () as total from ${sql.table(table)}
    where id like ${`%${part.replaceAll('_', '!_')}%`} escape '!' and ${ofProjects(kind, projectIds)}
    order by id desc limit ${sql.lit(limit)}`.execute(db);
  return { found: rows.map(({ total: _total, ...named }) => named), total: Number(rows[0]?.total ?? 0) };
}
