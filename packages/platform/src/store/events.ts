import { newId } from '@attractor/agent';
import type { Actor, EventCategory, PlatformEvent } from '../types/index.ts';
import type { EventFilter } from '../workflow-contract.ts';
import { idOf, parseJson } from './json.ts';
import type { EventRow } from './schema.ts';
import type { Reader, Tx } from './store.ts';

export type NewEvent = {
  readonly projectId: string;
  readonly taskId?: string | null;
  readonly runId?: string | null;
  /** With a run: the event is stored once however often it is told. */
  readonly key?: string;
  readonly category: EventCategory;
  readonly type: string;
  readonly level?: PlatformEvent['level'];
  readonly summary: string;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly actor: Actor;
};

export async function appendEvents(tx: Tx, events: ReadonlyArray<NewEvent>): Promise<void> {
  for (const event of events) {
    await tx
      .insertInto('events')
      .values(toRow(event))
      .onConflict((conflict) => conflict.columns(['run_id', 'key']).where('key', 'is not', null).doNothing())
      .execute();
  }
}

/** In the order of `seq`. */
export async function listEvents(
  db: Reader,
  filter: EventFilter & { readonly category?: EventCategory },
): Promise<ReadonlyArray<PlatformEvent>> {
  let query = db.selectFrom('events').selectAll();
  if (filter.after !== undefined) query = query.where('seq', '>', filter.after);
  if (filter.taskId !== undefined) query = query.where('task_id', '=', filter.taskId);
  if (filter.runId !== undefined) query = query.where('run_id', '=', filter.runId);
  if (filter.projectId !== undefined) query = query.where('project_id', '=', filter.projectId);
  if (filter.category !== undefined) query = query.where('category', '=', filter.category);
  const rows = await query
    .orderBy('seq')
    .limit(filter.limit ?? 1_000)
    .execute();
  return rows.map(fromRow);
}

export async function lastSeq(db: Reader): Promise<number> {
  const row = await db
    .selectFrom('events')
    .select((select) => select.fn.max('seq').as('seq'))
    .executeTakeFirst();
  return row?.seq ?? 0;
}

function toRow(event: NewEvent): Omit<EventRow, 'seq'> {
  return {
    id: newId('evt'),
    at: new Date().toISOString(),
    project_id: event.projectId,
    task_id: event.taskId ?? null,
    run_id: event.runId ?? null,
    key: event.key ?? null,
    category: event.category,
    type: event.type,
    level: event.level ?? 'info',
    summary: event.summary,
    data: JSON.stringify(event.data ?? {}),
    actor: JSON.stringify(event.actor),
  };
}

type StoredEventRow = Omit<EventRow, 'seq'> & { readonly seq: number };

function fromRow(row: StoredEventRow): PlatformEvent {
  return {
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
  };
}
