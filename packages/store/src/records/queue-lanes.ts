import { sql } from 'kysely';
import type { ProjectSettings } from '../types/index.ts';
import { parseJson } from '../database/json.ts';
import type { QueueLaneRow, QueueLimitRow } from '../database/queue-rows.ts';
import type { ProjectRow } from '../database/schema.ts';
import type { Reader, Tx } from '../database/store.ts';
import { asUnasked } from '../database/unasked.ts';
import { compiledOnce, type Given } from '../database/compiled-once.ts';

/** A project's place in the queue. `served` grows with every claim of any project: the lowest was served longest ago. */
export type Lane = {
  readonly projectId: string;
  readonly isPaused: boolean;
  readonly served: number;
  /** Concurrent runs; null: as many as there are workers. */
  readonly maxRunning: number | null;
};

/** How many runs of an agent type or of an account may run at once, across projects. */
export type QueueLimit = { readonly kind: 'agent' | 'account'; readonly name: string; readonly max: number };

/** The projects in which a job could be claimed at this time. Reads one row per project, however many jobs wait. */
export async function listWaitingLanes(db: Reader, at: string): Promise<ReadonlyArray<Lane>> {
  return (await waitingLanes(db, { at })).rows.map(fromRow);
}

export async function listLanes(db: Reader): Promise<ReadonlyArray<Lane>> {
  return (await lanes(db).execute()).map(fromRow);
}

function lanes(db: Reader) {
  return db
    .selectFrom('queue_lanes')
    .innerJoin('projects', 'projects.id', 'queue_lanes.project_id')
    .select(['queue_lanes.project_id', 'queue_lanes.paused', 'queue_lanes.served', 'projects.config'])
    .orderBy('queue_lanes.project_id');
}

const waitingLanes = compiledOnce((db, { at }: Given<{ at: string }>) =>
  lanes(db).where((lane) =>
    lane.exists(
      lane
        .selectFrom('jobs')
        .select('jobs.id')
        .whereRef('jobs.project_id', '=', 'queue_lanes.project_id')
        .where('jobs.state', '=', 'queued')
        .where((job) => job.or([job('jobs.not_before', 'is', null), job('jobs.not_before', '<=', at)])),
    ),
  ),
);

function fromRow(row: Pick<QueueLaneRow, 'project_id' | 'paused' | 'served'> & Pick<ProjectRow, 'config'>): Lane {
  return {
    projectId: row.project_id,
    isPaused: row.paused === 1,
    served: row.served,
    maxRunning: parseJson<ProjectSettings>(row.config, {}).maxConcurrentRuns ?? null,
  };
}

/** Puts the project behind all others that wait. */
export async function markServed(tx: Tx, projectId: string): Promise<void> {
  await putLast(tx, { projectId });
}

const putLast = compiledOnce((db, { projectId }: Given<{ projectId: string }>) =>
  asUnasked(
    db
      .updateTable('queue_lanes')
      .set({ served: sql<number>`(select max(served) + 1 from queue_lanes)` })
      .where('project_id', '=', projectId),
  ),
);

export async function setLanePaused(tx: Tx, projectId: string, pause: 'paused' | 'open'): Promise<void> {
  const paused = pause === 'paused' ? 1 : 0;
  await tx
    .insertInto('queue_lanes')
    .values({ project_id: projectId, paused, served: 0 })
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet({ paused }))
    .execute();
}

const PAUSED = 'paused';

/** What applies to all projects. */
export async function readLimits(
  db: Reader,
): Promise<{ readonly isPaused: boolean; readonly limits: ReadonlyArray<QueueLimit> }> {
  const { rows } = await allLimits(db, {});
  const limits = rows.filter(({ name }) => name !== PAUSED).map(asLimit);
  return { isPaused: limits.length < rows.length, limits };
}

const allLimits = compiledOnce((db) => db.selectFrom('queue_limits').selectAll().orderBy('name'));

function asLimit({ name, value }: QueueLimitRow): QueueLimit {
  const end = name.indexOf(':');
  return { kind: name.startsWith('agent:') ? 'agent' : 'account', name: name.slice(end + 1), max: value };
}

export async function setQueuePaused(tx: Tx, pause: 'paused' | 'open'): Promise<void> {
  await setValue(tx, PAUSED, pause === 'paused' ? 1 : null);
}

/** Null: no limit. */
export async function setLimit(
  tx: Tx,
  limit: Omit<QueueLimit, 'max'> & { readonly max: number | null },
): Promise<void> {
  await setValue(tx, `${limit.kind}:${limit.name}`, limit.max);
}

async function setValue(tx: Tx, name: string, value: number | null): Promise<void> {
  await tx.deleteFrom('queue_limits').where('name', '=', name).execute();
  if (value !== null) await tx.insertInto('queue_limits').values({ name, value }).execute();
}
