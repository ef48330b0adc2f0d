import { sql } from 'kysely';
import { appendEvents } from '../records/events.ts';
import type { Store } from '../database/store.ts';
import { putProject, putRun, putTask } from './rows.ts';

const EVENTS_A_RUN = 100;
/** Tasks of today: a full page, with any history. */
const CURRENT = 60;
/** What was used today is the same with any history. That has uses on each of 90 days before, so that as many are shown. */
const SLOTS_A_DAY = 96;
const DAYS = 90;
const ROWS_AT_ONCE = 25_000;
const OF_RUN = `((id.i - 1) / ${EVENTS_A_RUN} + 1)`;
const TASK = {
  id: `'tsk_h' || id.i`,
  number: 'id.i + 1000',
  key: `'H-' || id.i`,
  sort_order: 'id.i * 1024',
  status: `'done'`,
  title: `'Earlier task ' || id.i`,
};
const RUN = { id: `'run_h' || id.i`, task_id: `'tsk_h' || id.i`, key: `'H-' || id.i || '.1'`, status: `'completed'` };
const EVENT = { id: `'evt_h' || id.i`, task_id: `'tsk_h' || ${OF_RUN}`, run_id: `'run_h' || ${OF_RUN}` };

/** Fills a database with that many events of the past (a hundred a run, a run a task, all ended) beside 60 open tasks. */
export async function fillHistory(
  store: Store,
  count: number,
): Promise<{ readonly projectId: string; readonly taskId: string; readonly bytes: number }> {
  const project = await putProject(store);
  const task = await putTask(store, project, { title: 'Current task' });
  for (let index = 1; index < CURRENT; index += 1) await putTask(store, project, { title: 'Current task' });
  const run = await store.transact((tx) => putRun(tx, task));
  const about = { projectId: project.id, taskId: task.id, runId: run.id, actor: { type: 'system' } } as const;
  const message = { key: 'k', kind: 'text', text: 'word '.repeat(60), at: new Date().toISOString() } as const;
  await store.transact((tx) =>
    appendEvents(tx, [{ ...about, type: 'agent.message', summary: 'word word', data: { message } }]),
  );
  const runs = Math.ceil(count / EVENTS_A_RUN);
  await copyRows(store, 'tasks', task.id, { rows: runs, changed: TASK });
  await copyRows(store, 'runs', run.id, { rows: runs, changed: RUN });
  await copyRows(store, 'events', null, { rows: count, changed: EVENT });
  const amounts = sql.raw('1, 10, 10, 0, 0, 1000, 0');
  const within = sql.raw(`(id.i * ${SLOTS_A_DAY} + id.i / ${DAYS}) % ${DAYS * SLOTS_A_DAY}`);
  const [today, past] = [sql`${sql.lit(slotNow())} - id.i`, sql`${sql.lit(slotNow() - SLOTS_A_DAY)} - ${within}`];
  const ofToday = sql`insert into run_usage select ${run.id}, 'm', ${today}, ${amounts} from (${sql.raw(numbers(SLOTS_A_DAY))}) as id`;
  const ofRun = sql.raw(`'run_h' || (1 + id.i % ${runs})`);
  const ofPast = sql`insert into run_usage select ${ofRun}, 'm', ${past}, ${amounts} from (${sql.raw(numbers(Math.max(DAYS, runs)))}) as id`;
  for (const usage of [ofToday, ofPast]) await store.transact((tx) => usage.execute(tx));
  if (store.dialect === 'postgres') await sql`analyze`.execute(store.read);
  return { projectId: project.id, taskId: task.id, bytes: await sizeOf(store) };
}

async function sizeOf(store: Store): Promise<number> {
  const size =
    store.dialect === 'postgres'
      ? sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`
      : sql<{ bytes: number }>`select page_count * page_size as bytes from pragma_page_count, pragma_page_size`;
  return (await size.execute(store.read)).rows[0]?.bytes ?? 0;
}

function slotNow(): number {
  return Math.floor(Date.now() / 900_000);
}

function numbers(count: number): string {
  return `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count}) select i from n`;
}

type Copies = { readonly rows: number; readonly changed: Readonly<Record<string, string>> };

/** Copies of one row, made by the database. */
async function copyRows(
  store: Store,
  table: 'tasks' | 'runs' | 'events',
  id: string | null,
  { rows, changed }: Copies,
): Promise<void> {
  const like = await store.read
    .selectFrom(table)
    .selectAll()
    .orderBy('id', 'desc')
    .$if(id !== null, (query) => query.where('id', '=', id ?? ''))
    .executeTakeFirstOrThrow();
  const columns = Object.keys(like).filter((name) => name !== 'seq');
  const values = columns.map((name) => changed[name] ?? `old.${name}`);
  for (let from = 0; from < rows; from += ROWS_AT_ONCE) {
    const some = `select i + ${from} as i from (${numbers(Math.min(ROWS_AT_ONCE, rows - from))}) as numbered`;
    const copies = `insert into ${table} (${columns.join(', ')}) select ${values.join(', ')}
      from (${some}) as id, ${table} as old where old.id = '${like.id}'`;
    await store.transact((tx) => sql.raw(copies).execute(tx));
  }
}
