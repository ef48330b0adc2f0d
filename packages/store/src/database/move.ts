import { type RawBuilder, sql } from 'kysely';
import { done } from '@attractor/base';
import { refuse, type Result } from '../types/refusal.ts';
import { COUNTED, readCounter, setCounter } from './dialect.ts';
import type { TellHowFar } from './backup.ts';
import { TABLES } from './schema.ts';
import { openStore, refuseOnDatabaseError, type StoreLocation } from './open-store.ts';
import type { Reader, Store, Tx } from './store.ts';

/** How many rows of each table were moved. */
export type MovedRows = Readonly<Record<(typeof TABLES)[number], number>>;

/**
 * Copies every row of one database into another, empty one. Writes to the source are blocked meanwhile and it stays as it is; the target
 * gets all rows, counted again, in one transaction, or none.
 */
export async function moveDatabase(
  from: StoreLocation,
  to: StoreLocation,
  tell: TellHowFar = () => undefined,
): Promise<Result<MovedRows>> {
  const source = await openStore(from);
  if (!source.ok) return source;
  const target = await openStore(to);
  try {
    if (!target.ok) return target;
    if ((await identityOf(source.value)) === (await identityOf(target.value))) return SAME;
    const moved = await refuseOnDatabaseError(() => moveRows(source.value, target.value, tell));
    if (moved.ok) await learnSizes(target.value);
    return moved;
  } finally {
    await source.value.close();
    if (target.ok) await target.value.close();
  }
}

const SAME = refuse(
  'conflict',
  'The source and the target are the same database; nothing was moved. Say with --from which one to copy, such as sqlite:PATH.',
);

/** A server may be reached by several names. */
const IDENTITIES = {
  sqlite: sql<{ name: string }>`select file as name from pragma_database_list where name = 'main'`,
  postgres: sql<{ name: string }>`
    select concat(oid, ' ', pg_postmaster_start_time()) as name from pg_database where datname = current_database()`,
};

async function identityOf({ dialect, read }: Store): Promise<string> {
  const { rows } = await IDENTITIES[dialect].execute(read);
  return `${dialect} ${rows[0]?.name ?? ''}`;
}

/** PostgreSQL plans queries by table statistics, which it would only collect a minute later. */
async function learnSizes({ dialect, read }: Store): Promise<void> {
  if (dialect === 'postgres') await sql`analyze`.execute(read);
}

function moveRows(source: Store, target: Store, tell: TellHowFar): Promise<Result<MovedRows>> {
  return source.transact((from) =>
    target.transact(async (to): Promise<Result<MovedRows>> => {
      const filled = await firstFilledTable(to);
      if (filled !== null)
        return refuse('conflict', `The target holds ${filled} already: move into a new, empty database.`);
      await sql`delete from pipelines`.execute(to);
      for (const table of TABLES)
        for (const part of PARTS[table] ?? [EVERY]) await copyTable(from, to, { table, part, tell });
      for (const table of ['events', 'transition_history'] as const) {
        const { rows } = await readCounter(source.dialect, table).execute(from);
        for (const step of setCounter(target.dialect, table, rows[0]?.last ?? 0)) await step.execute(to);
      }
      return done(await verifiedCounts(from, to));
    }),
  );
}

/** Pipelines alone do not count: the built-in ones are there from the start. */
async function firstFilledTable(to: Reader): Promise<string | null> {
  for (const table of TABLES) if (table !== 'pipelines' && (await count(to, table)) > 0) return table;
  return null;
}

const NONE: MovedRows = {
  projects: 0,
  project_keys: 0,
  pipelines: 0,
  templates: 0,
  tasks: 0,
  task_tags: 0,
  task_dependencies: 0,
  task_notes: 0,
  task_messages: 0,
  task_splits: 0,
  task_criteria: 0,
  attachments: 0,
  task_phases: 0,
  runs: 0,
  run_steps: 0,
  run_files: 0,
  run_archives: 0,
  artifacts: 0,
  prompts: 0,
  events: 0,
  transition_history: 0,
  jobs: 0,
  job_labels: 0,
  queue_lanes: 0,
  queue_limits: 0,
  schedules: 0,
  run_usage: 0,
  run_meters: 0,
  reservations: 0,
  budgets: 0,
  attempt_groups: 0,
  attempts: 0,
  notify_cursors: 0,
  deliveries: 0,
  prompt_replies: 0,
  outbox: 0,
  pull_requests: 0,
  provider_limits: 0,
  supervisor_marks: 0,
  users: 0,
  api_keys: 0,
  ended_sessions: 0,
  audit: 0,
};

const EVERY = sql<boolean>`1 = 1`;

/** Rows that others of the same table reference come first. */
const PARTS: Readonly<Record<string, ReadonlyArray<RawBuilder<boolean>>>> = {
  tasks: [sql<boolean>`parent_id is null`, sql<boolean>`parent_id is not null`],
};

/** The columns by which a table is read on from the end of the last batch. */
const KEYS: Readonly<Record<string, ReadonlyArray<string>>> = {
  pipelines: ['id', 'version'],
  project_keys: ['key'],
  task_tags: ['task_id', 'tag'],
  task_dependencies: ['task_id', 'depends_on_id'],
  task_criteria: ['task_id', 'number'],
  run_steps: ['run_id', 'step'],
  run_files: ['run_id', 'path', 'start'],
  run_archives: ['run_id'],
  job_labels: ['job_id', 'label'],
  queue_lanes: ['project_id'],
  queue_limits: ['name'],
  run_usage: ['run_id', 'model', 'slot'],
  run_meters: ['run_id'],
  reservations: ['run_id'],
  attempts: ['run_id'],
  notify_cursors: ['channel'],
  prompt_replies: ['token_hash'],
  provider_limits: ['account'],
  supervisor_marks: ['key'],
  events: [COUNTED.events],
};

const BATCH = 200;

type Part = {
  readonly table: (typeof TABLES)[number];
  readonly part: RawBuilder<boolean>;
  readonly tell: TellHowFar;
};

async function copyTable(from: Reader, to: Tx, { table, part, tell }: Part): Promise<void> {
  const keys = KEYS[table] ?? ['id'];
  const columns = sql.join(keys.map((key) => sql.ref(key)));
  let last: ReadonlyArray<unknown> | null = null;
  for (let copied = 0; ; copied += BATCH) {
    tell(`${table}, ${copied} rows`);
    const after: RawBuilder<boolean> =
      last === null ? EVERY : sql<boolean>`(${columns}) > (${sql.join(last.map((value) => sql.val(value)))})`;
    const { rows } = await sql<Record<string, unknown>>`
      select * from ${sql.table(table)} where ${part} and ${after} order by ${columns} limit ${sql.lit(BATCH)}`.execute(
      from,
    );
    await insertRows(to, table, rows);
    const end = rows.at(-1);
    if (end === undefined || rows.length < BATCH) return;
    last = keys.map((key) => end[key]);
  }
}

async function insertRows(
  to: Tx,
  table: string,
  rows: ReadonlyArray<Readonly<Record<string, unknown>>>,
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const columns = Object.keys(first);
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => sql.val(row[column])))})`);
  await sql`
    insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))}) values ${sql.join(values)}`.execute(
    to,
  );
}

/** Throws if a count differs: then nothing was moved. */
async function verifiedCounts(from: Reader, to: Reader): Promise<MovedRows> {
  const counts: { -readonly [Table in keyof MovedRows]: number } = { ...NONE };
  for (const table of TABLES) {
    const [there, here] = [await count(from, table), await count(to, table)];
    if (there !== here) throw new Error(`${table}: ${there} rows were read and ${here} arrived; nothing was moved`);
    counts[table] = here;
  }
  return counts;
}

async function count(db: Reader, table: string): Promise<number> {
  const { rows } = await sql<{ rows: number }>`select count(*) as rows from ${sql.table(table)}`.execute(db);
  return rows[0]?.rows ?? 0;
}
