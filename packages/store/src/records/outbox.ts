import { newId } from '@attractor/base/id';
import type { Actor, Effect, EffectWork } from '../types/index.ts';
import { compiledOnce, type Given } from '../database/compiled-once.ts';
import { parseJson } from '../database/json.ts';
import type { OutboxRow } from '../database/schema.ts';
import type { Reader, Tx } from '../database/store.ts';
import { alsoAbout } from '../database/held-subjects.ts';
import { ABOUT_OUTBOX } from '../database/subjects.ts';
import { transactionTime } from '../database/transaction-time.ts';
import { unasked } from '../database/unasked.ts';

/** An effect with what its claim needs. `fence` grows with every claim: the result of an older claim is not written. */
export type StoredEffect = Effect & {
  readonly owner: string | null;
  readonly fence: number;
  readonly leaseUntil: number | null;
  readonly notBefore: number | null;
  /** Since when only another machine could do it; null if that was not found yet. */
  readonly elsewhereSince: number | null;
};

export type NewEffect = Pick<Effect, 'projectId' | 'taskId' | 'key' | 'actor'> &
  Partial<Pick<Effect, 'runId' | 'needs'>> & { readonly work: EffectWork };

/** The same key means the same effect; a failed one is retried with the new data. Returns its id. */
export async function putEffect(tx: Tx, effect: NewEffect): Promise<string> {
  const query = tx.selectFrom('outbox').select(['id', 'state']).where('task_id', '=', effect.taskId);
  const known = await query.where('key', '=', effect.key).executeTakeFirst();
  if (known !== undefined) {
    if (known.state === 'failed') await revive(tx, known.id, effect);
    return known.id;
  }
  const row: OutboxRow = {
    ...FRESH,
    ...wordsOf(effect),
    id: newId('obx'),
    seq: await nextSeq(tx),
    key: effect.key,
    fence: 0,
    project_id: effect.projectId,
    task_id: effect.taskId,
    run_id: effect.runId ?? null,
    created_at: transactionTime(tx),
  };
  await unasked(tx.insertInto('outbox').values(row));
  return row.id;
}

const FRESH = {
  state: 'waiting',
  owner: null,
  lease_until: null,
  not_before: null,
  attempts: 0,
  result: null,
  error: null,
  finished_at: null,
} as const;

function wordsOf({ work, needs, actor }: NewEffect) {
  return { kind: work.kind, payload: JSON.stringify(work), needs: needs ?? null, actor: JSON.stringify(actor) };
}

/** It gets a new position: effects put since come before it. */
async function revive(tx: Tx, id: string, effect: NewEffect): Promise<void> {
  const change = { ...FRESH, ...wordsOf(effect), seq: await nextSeq(tx) };
  await tx.updateTable('outbox').set(change).where('id', '=', id).execute();
}

async function nextSeq(tx: Tx): Promise<number> {
  await alsoAbout(tx, ABOUT_OUTBOX);
  const row = await tx
    .selectFrom('outbox')
    .select((select) => select.fn.max('seq').as('last'))
    .executeTakeFirst();
  return (row?.last ?? 0) + 1;
}

export async function findEffect(db: Reader, id: string): Promise<StoredEffect | null> {
  const [row] = (await effectById(db, { id })).rows;
  return row === undefined ? null : fromRow(row);
}

const effectById = compiledOnce((db, { id }: Given<{ id: string }>) =>
  db.selectFrom('outbox').selectAll().where('id', '=', id),
);

/** Waiting and running ones, in order; with a task only its own. */
export async function listOpenEffects(db: Reader, taskId?: string): Promise<ReadonlyArray<StoredEffect>> {
  const { rows } = taskId === undefined ? await openOnes(db, {}) : await openOfTask(db, { taskId });
  return rows.map(fromRow);
}

const openOnes = compiledOnce((db) => selectOpen(db).orderBy('seq'));
const openOfTask = compiledOnce((db, { taskId }: Given<{ taskId: string }>) =>
  selectOpen(db).where('task_id', '=', taskId).orderBy('seq'),
);

function selectOpen(db: Reader) {
  return db.selectFrom('outbox').selectAll().where('state', 'in', ['waiting', 'running']);
}

/** What a run committed is still to be put on the remote. */
export async function isToBePushed(
  db: Reader,
  of: { readonly taskId: string; readonly runId: string },
): Promise<boolean> {
  const open = await listOpenEffects(db, of.taskId);
  return open.some(({ runId, work }) => runId === of.runId && (work?.kind === 'push' || work?.kind === 'keep_work'));
}

/** All effects of a task, in order. */
export async function listEffects(db: Reader, taskId: string): Promise<ReadonlyArray<StoredEffect>> {
  const rows = await db.selectFrom('outbox').selectAll().where('task_id', '=', taskId).orderBy('seq').execute();
  return rows.map(fromRow);
}

/** As people are told of it: without what its claim needs. */
export function publicEffect(stored: Effect & Partial<StoredEffect>): Effect {
  const {
    owner: _owner,
    fence: _fence,
    leaseUntil: _lease,
    notBefore: _notBefore,
    elsewhereSince: _since,
    ...effect
  } = stored;
  return effect;
}

/** Null: it ended meanwhile. */
export async function takeEffect(
  tx: Tx,
  effect: StoredEffect,
  by: { readonly owner: string; readonly leaseUntil: number },
): Promise<StoredEffect | null> {
  const { owner, leaseUntil } = by;
  const [fence, attempts] = [effect.fence + 1, effect.attempts + 1];
  const columns = { state: 'running', owner, lease_until: leaseUntil, fence, attempts } as const;
  const asRead = tx.updateTable('outbox').where('id', '=', effect.id).where('fence', '=', effect.fence);
  const taken = await asRead.where('state', '=', effect.state).set(columns).executeTakeFirst();
  if (taken.numUpdatedRows === 0n) return null;
  return { ...effect, state: 'running', owner, leaseUntil, fence, attempts };
}

/** Only while the claim still counts. */
export async function renewEffect(tx: Tx, { id, fence }: StoredEffect, leaseUntil: number): Promise<void> {
  await tx
    .updateTable('outbox')
    .set({ lease_until: leaseUntil })
    .where('id', '=', id)
    .where('fence', '=', fence)
    .where('state', '=', 'running')
    .execute();
}

export type EffectEnd =
  | { readonly state: 'done'; readonly result: Readonly<Record<string, unknown>> }
  /** `detail`: what a next step needs to know of the failure. */
  | { readonly state: 'failed'; readonly error: string; readonly detail?: Readonly<Record<string, unknown>> }
  | {
      readonly state: 'waiting';
      readonly error: string;
      readonly notBefore: number;
      readonly counts: 'as an attempt' | 'not at all';
      readonly elsewhereSince?: number;
    };

/** False if another worker has it by now: then nothing was written, and nothing may be reported. */
export async function endEffect(tx: Tx, effect: StoredEffect, end: EffectEnd): Promise<boolean> {
  const columns = { owner: null, lease_until: null, ...columnsOf(effect, end, transactionTime(tx)) };
  const changed = await tx
    .updateTable('outbox')
    .set(columns)
    .where('id', '=', effect.id)
    .where('fence', '=', effect.fence)
    .where('state', '=', 'running')
    .executeTakeFirst();
  return changed.numUpdatedRows === 1n;
}

function columnsOf(effect: StoredEffect, end: EffectEnd, at: string): Partial<OutboxRow> {
  if (end.state === 'done') return { state: 'done', result: JSON.stringify(end.result), error: null, finished_at: at };
  if (end.state === 'failed') {
    const result = end.detail === undefined ? null : JSON.stringify(end.detail);
    return { state: 'failed', error: end.error, result, finished_at: at };
  }
  const attempts = end.counts === 'as an attempt' ? effect.attempts : Math.max(0, effect.attempts - 1);
  const { elsewhereSince } = end;
  const result = elsewhereSince === undefined ? null : JSON.stringify({ elsewhereSince });
  return { state: 'waiting', error: end.error, not_before: end.notBefore, attempts, result };
}

function fromRow(row: OutboxRow): StoredEffect {
  return {
    id: row.id,
    seq: row.seq,
    projectId: row.project_id,
    taskId: row.task_id,
    runId: row.run_id,
    key: row.key,
    work: parseJson<EffectWork | null>(row.payload, null),
    needs: row.needs,
    state: row.state,
    owner: row.owner,
    fence: row.fence,
    leaseUntil: row.lease_until,
    notBefore: row.not_before,
    elsewhereSince: row.state === 'done' ? null : readSince(row.result),
    attempts: row.attempts,
    error: row.error,
    actor: parseJson<Actor>(row.actor, { type: 'system' }),
    createdAt: row.created_at,
    finishedAt: row.finished_at,
  };
}

/** An effect that is not done has no result; until then the column says how long it has waited for another machine. */
function readSince(result: string | null): number | null {
  const { elsewhereSince = null } = parseJson<{ readonly elsewhereSince?: number }>(result, {});
  return elsewhereSince;
}
