import { newId } from '@attractor/base/id';
import { idOf } from '../database/json.ts';
import type { AuditRow } from '../database/people-rows.ts';
import type { Reader, Tx } from '../database/store.ts';
import { transactionTime } from '../database/transaction-time.ts';
import { type Actor, personOf } from '../types/actor.ts';
import { NO_PROJECT } from '../types/event.ts';
import type { AuditEntry } from '../types/people.ts';
import { compiledOnce, type Given } from '../database/compiled-once.ts';
import { asUnasked } from '../database/unasked.ts';

export type Act = {
  readonly actor: Actor;
  /** If it is not the actor's: somebody whom nobody knows. */
  readonly person?: string;
  readonly act: string;
  readonly summary: string;
  readonly projectId?: string | null;
  readonly taskId?: string | null;
  readonly runId?: string | null;
};

export type AuditFilter = {
  readonly person?: string;
  readonly act?: string;
  readonly projectId?: string;
  /** ISO times, both included. */
  readonly since?: string;
  readonly until?: string;
  /** The last id of the previous page. */
  readonly before?: string;
  readonly limit?: number;
};

/** What people did; the acts of agents and of the service are in the log alone. */
export async function addToAudit(tx: Tx, acts: ReadonlyArray<Act>): Promise<void> {
  for (const act of acts) if (act.actor.type === 'user') await insertAct(tx, toRow(act, transactionTime(tx)));
}

const insertAct = compiledOnce((db, row: Given<AuditRow>) => asUnasked(db.insertInto('audit').values(row)));

/** Newest first. */
export async function listAudit(db: Reader, filter: AuditFilter): Promise<ReadonlyArray<AuditEntry>> {
  let query = db.selectFrom('audit').selectAll();
  if (filter.person !== undefined) query = query.where('person', '=', filter.person);
  if (filter.act !== undefined) query = query.where('act', '=', filter.act);
  if (filter.projectId !== undefined) query = query.where('project_id', '=', filter.projectId);
  if (filter.since !== undefined) query = query.where('at', '>=', filter.since);
  if (filter.until !== undefined) query = query.where('at', '<=', filter.until);
  if (filter.before !== undefined) query = query.where('id', '<', filter.before);
  const rows = await query
    .orderBy('id', 'desc')
    .limit(filter.limit ?? 100)
    .execute();
  return rows.map(fromRow);
}

function toRow({ actor, person, act, summary, projectId, taskId, runId }: Act, at: string): AuditRow {
  return {
    id: newId('aud'),
    at,
    person: person ?? personOf(actor) ?? actor.name ?? '',
    via: actor.via ?? actor.name ?? null,
    api_key: actor.apiKey ?? null,
    act,
    summary,
    project_id: projectId === NO_PROJECT ? null : (projectId ?? null),
    task_id: taskId ?? null,
    run_id: runId ?? null,
  };
}

function fromRow(row: AuditRow): AuditEntry {
  return {
    id: idOf('aud', row.id),
    at: row.at,
    person: row.person,
    via: row.via,
    apiKey: row.api_key,
    act: row.act,
    summary: row.summary,
    projectId: row.project_id,
    taskId: row.task_id,
    runId: row.run_id,
  };
}
