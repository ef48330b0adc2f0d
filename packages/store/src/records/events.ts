import { newId } from '@attractor/base/id';
import { type SelectQueryBuilder, sql } from 'kysely';
import { type Actor, EVENT_TYPES, type NewEvent, type PlatformEvent, readEvent } from '../types/index.ts';
import { idOf, parseJson } from '../database/json.ts';
import { containing } from '../database/match-text.ts';
import type { EventRow, Schema } from '../database/schema.ts';
import type { Reader, Tx } from '../database/store.ts';
import { knowsTime, transactionTime } from '../database/transaction-time.ts';
import { settledSeq } from '../database/settled-seq.ts';
import { alsoAbout, hasOthersBeside } from '../database/held-subjects.ts';
import { aboutTask, type Subjects } from '../database/subjects.ts';
import type { StoredEventRow } from './archive-file.ts';
import { ARCHIVED_TYPE, archivedEvents } from './archived-events.ts';
import { addToAudit } from './audit.ts';
import type { EventCategory } from '../types/event-category.ts';
import { compiledOnce, type Given } from '../database/compiled-once.ts';
import { rowsInOne } from '../database/rows-in-one.ts';
import { asUnasked } from '../database/unasked.ts';

export type EventFilter = {
  readonly after?: number;
  readonly taskId?: string;
  readonly runId?: string;
  readonly projectId?: string;
  readonly projectIds?: ReadonlyArray<string>;
  readonly category?: EventCategory | ReadonlyArray<EventCategory>;
  readonly level?: PlatformEvent['level'] | ReadonlyArray<PlatformEvent['level']>;
  readonly actorType?: Actor['type'];
  /** Such as `status.changed`. */
  readonly type?: string | ReadonlyArray<string>;
  /** ISO times, both included. */
  readonly since?: string;
  readonly until?: string;
  /** Text in the summary. */
  readonly search?: string;
  readonly limit?: number;
  readonly offset?: number;
  /** Which end of the log `limit` and `offset` count from; the answer is ordered by `seq` either way. Default `oldest`. */
  readonly from?: 'oldest' | 'newest';
};

/** Numbered in order: a task's events in that of its transactions. What people did is also kept where it outlives the task. */
export async function appendEvents(tx: Tx, events: ReadonlyArray<NewEvent>): Promise<void> {
  await alsoAbout(tx, events.flatMap(subjectsOfEvent));
  const rows = events.map(toRow);
  if (knowsTime(tx)) await insertAll(tx, rows);
  // Rows of several transactions may become one statement later.
  else for (const row of rows) await insertEventNow(tx, row);
  await addToAudit(
    tx,
    events.map((event) => ({ ...event, act: event.type })),
  );
}

/** A row costs PostgreSQL a fraction of a statement. */
async function insertAll(tx: Tx, rows: ReadonlyArray<ReturnType<typeof toRow>>): Promise<void> {
  const at = transactionTime(tx);
  const queries = rows.map((row) => insertEvent.fill(tx, { ...row, at }));
  for (const query of hasOthersBeside(tx) ? rowsInOne([queries]) : queries) await tx.executeQuery(query);
}

const insertEvent = compiledOnce((db, row: Given<Omit<EventRow, 'seq'>>) => insertion(db, row));
/** At the time at which PostgreSQL has the locks. */
const insertEventNow = compiledOnce((db, row: Given<Omit<EventRow, 'seq' | 'at'>>) =>
  insertion(db, { ...row, at: SERVER_TIME }),
);
const SERVER_TIME = sql<string>`to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

function insertion(db: Reader, row: Given<Omit<EventRow, 'seq'>>) {
  return asUnasked(
    db
      .insertInto('events')
      .values(row)
      .onConflict((conflict) => conflict.columns(['run_id', 'key']).where('key', 'is not', null).doNothing()),
  );
}

function subjectsOfEvent({ taskId }: NewEvent): Subjects {
  return taskId === undefined || taskId === null ? [] : aboutTask(taskId);
}

/** In the order of `seq`. What goes on after the last one misses nothing. Of a task or a run also what was moved into files. */
export async function listEvents(db: Reader, filter: EventFilter): Promise<ReadonlyArray<PlatformEvent>> {
  const { limit = 1_000, offset = 0 } = filter;
  const moved = mayBeArchived(filter) ? (await archivedEvents(db, filter)).filter((row) => isWanted(row, filter)) : [];
  let query = filtered(db.selectFrom('events').selectAll(), filter);
  // The events of one task, or of one of its runs, become visible in their order.
  const settled = filter.taskId === undefined && filter.runId === undefined ? await settledSeq(db) : null;
  if (settled !== null) query = query.where('seq', '<=', settled);
  const newest = filter.from === 'newest';
  const rows = await query
    .orderBy('seq', newest ? 'desc' : 'asc')
    .limit(moved.length === 0 ? limit : limit + offset)
    .offset(moved.length === 0 ? offset : 0)
    .execute();
  const found = moved.length === 0 ? rows : merged(rows, moved, newest).slice(offset, offset + limit);
  return (newest ? found.toReversed() : found).map(fromRow);
}

function mayBeArchived({ taskId, runId, type, category }: EventFilter): boolean {
  if (taskId === undefined && runId === undefined) return false;
  if (type !== undefined && !listOf(type).includes(ARCHIVED_TYPE)) return false;
  return category === undefined || listOf(category).includes(EVENT_TYPES[ARCHIVED_TYPE].category);
}

function merged(
  rows: ReadonlyArray<StoredEventRow>,
  moved: ReadonlyArray<StoredEventRow>,
  newest: boolean,
): ReadonlyArray<StoredEventRow> {
  return [...rows, ...moved].toSorted((one, other) => (newest ? other.seq - one.seq : one.seq - other.seq));
}

/** The same as `filtered`, for rows that are not in the database. */
function isWanted(row: StoredEventRow, filter: EventFilter): boolean {
  const fits = <Item>(wanted: Item | ReadonlyArray<Item> | undefined, has: Item): boolean =>
    wanted === undefined || listOf(wanted).includes(has);
  return (
    row.seq > (filter.after ?? 0) &&
    fits(filter.taskId, row.task_id ?? undefined) &&
    fits(filter.runId, row.run_id ?? undefined) &&
    fits(filter.projectId, row.project_id) &&
    fits(filter.projectIds, row.project_id) &&
    fits(filter.category, row.category) &&
    fits(filter.level, row.level) &&
    fits(filter.type, row.type) &&
    fits(filter.actorType, row.actor_type) &&
    row.at >= (filter.since ?? '') &&
    (filter.until === undefined || row.at <= filter.until) &&
    (filter.search === undefined || row.summary.toLowerCase().includes(filter.search.toLowerCase()))
  );
}

type Query = SelectQueryBuilder<Schema, 'events', StoredEventRow>;

function filtered(all: Query, filter: EventFilter): Query {
  let query = all;
  if (filter.after !== undefined) query = query.where('seq', '>', filter.after);
  if (filter.taskId !== undefined) query = query.where('task_id', '=', filter.taskId);
  if (filter.runId !== undefined) query = query.where('run_id', '=', filter.runId);
  if (filter.projectId !== undefined) query = query.where('project_id', '=', filter.projectId);
  if (filter.projectIds !== undefined) query = query.where('project_id', 'in', filter.projectIds);
  if (filter.category !== undefined) query = query.where('category', 'in', listOf(filter.category));
  if (filter.level !== undefined) query = query.where('level', 'in', listOf(filter.level));
  if (filter.type !== undefined) query = query.where('type', 'in', listOf(filter.type));
  if (filter.actorType !== undefined) query = query.where('actor_type', '=', filter.actorType);
  if (filter.since !== undefined) query = query.where('at', '>=', filter.since);
  if (filter.until !== undefined) query = query.where('at', '<=', filter.until);
  if (filter.search !== undefined) query = query.where(containing('summary', filter.search));
  return query;
}

function listOf<Item>(items: Item | ReadonlyArray<Item>): ReadonlyArray<Item> {
  return isList(items) ? items : [items];
}

function isList<Item>(items: Item | ReadonlyArray<Item>): items is ReadonlyArray<Item> {
  return Array.isArray(items);
}

/** What happened in a project, for a person: newest first, without the messages and steps of runs. */
export async function listActivity(
  db: Reader,
  filter: { readonly projectId: string; readonly before?: number; readonly limit?: number },
): Promise<ReadonlyArray<PlatformEvent>> {
  let query = db
    .selectFrom('events')
    .selectAll()
    .where('project_id', '=', filter.projectId)
    // Must equal the condition of the index `events_of_activity` word for word.
    .where(
      sql<boolean>`level <> 'debug' and type <> 'agent.message' and type <> 'run.step_started' and type <> 'run.step_finished'`,
    );
  if (filter.before !== undefined) query = query.where('seq', '<', filter.before);
  const settled = await settledSeq(db);
  if (settled !== null) query = query.where('seq', '<=', settled);
  const rows = await query
    .orderBy('seq', 'desc')
    .limit(filter.limit ?? 100)
    .execute();
  return rows.map(fromRow);
}

function toRow(event: NewEvent): Omit<EventRow, 'seq' | 'at'> {
  const kind = EVENT_TYPES[event.type];
  return {
    id: newId('evt'),
    project_id: event.projectId,
    task_id: event.taskId ?? null,
    run_id: event.runId ?? null,
    key: event.key ?? null,
    category: kind.category,
    type: event.type,
    level: event.level ?? kind.level,
    summary: event.summary,
    data: JSON.stringify(event.data ?? {}),
    actor: JSON.stringify(event.actor),
    actor_type: event.actor.type,
  };
}

function fromRow(row: StoredEventRow): PlatformEvent {
  return readEvent({
    seq: row.seq,
    id: idOf('evt', row.id),
    at: row.at,
    projectId: row.project_id,
    taskId: row.task_id,
    runId: row.run_id,
    category: row.category,
    type: row.type,
    level: row.level,
    summary: row.summary,
    data: parseJson<Readonly<Record<string, unknown>>>(row.data, {}),
    actor: parseJson<Actor>(row.actor, { type: 'system' }),
  });
}
