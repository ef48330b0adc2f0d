import { newId } from '@attractor/agent';
import type { Actor } from '../types/index.ts';
import { parseJson } from './json.ts';
import type { OutboxRow } from './schema.ts';
import type { Reader, Tx } from './store.ts';
import { transactionTime } from './transaction-time.ts';

/**
 * A side effect outside the database that was decided and is done later, by whoever is there. Put in the transaction that decided it.
 * `waiting` → `running` → `done` or `failed`; the effects of a task happen in the order of `seq`, one at a time. Doing one again must do
 * no harm: whoever does it looks first whether it was done already.
 */
export type StoredEffect = {
  readonly id: string;
  readonly seq: number;
  readonly projectId: string;
  readonly taskId: string;
  readonly runId: string | null;
  readonly key: string;
  readonly kind: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** The effect that must have been done before; where it failed, this one fails too. */
  readonly needs: string | null;
  readonly state: 'waiting' | 'running' | 'done' | 'failed';
  readonly owner: string | null;
  readonly fence: number;
  readonly leaseUntil: number | null;
  readonly notBefore: number | null;
  readonly attempts: number;
  readonly result: Readonly<Record<string, unknown>> | null;
  readonly error: string | null;
  readonly actor: Actor;
  readonly createdAt: string;
  readonly finishedAt: string | null;
};

export type NewEffect = Pick<StoredEffect, 'projectId' | 'taskId' | 'key' | 'kind' | 'payload' | 'actor'> &
  Partial<Pick<StoredEffect, 'runId' | 'needs'>>;

/** The same key again is the same effect; one that failed is tried anew with what is said now. */
export async function putEffect(tx: Tx, effect: NewEffect): Promise<string> {
  const known = await tx
    .selectFrom('outbox')
    .select(['id', 'state'])
    .where('task_id', '=', effect.taskId)
    .where('key', '=', effect.key)
    .executeTakeFirst();
  if (known !== undefined) {
    if (known.state === 'failed') await revive(tx, known.id, effect);
    return known.id;
  }
  const row: OutboxRow = {
    ...EMPTY,
    ...sayings(effect),
    id: newId('obx'),
    seq: await nextSeq(tx),
    key: effect.key,
    kind: effect.kind,
    project_id: effect.projectId,
    task_id: effect.taskId,
    run_id: effect.runId ?? null,
    created_at: transactionTime(tx),
  };
  await tx.insertInto('outbox').values(row).execute();
  return row.id;
}

const EMPTY = {
  state: 'waiting',
  owner: null,
  fence: 0,
  lease_until: null,
  not_before: null,
  attempts: 0,
  result: null,
  error: null,
  finished_at: null,
} as const;

function sayings(effect: NewEffect) {
  return { payload: JSON.stringify(effect.payload), needs: effect.needs ?? null, actor: JSON.stringify(effect.actor) };
}

/** Its place is a new one: what was put since comes before it. */
async function revive(tx: Tx, id: string, effect: NewEffect): Promise<void> {
  const { fence: _fence, ...fresh } = EMPTY;
  const change = { ...fresh, ...sayings(effect), seq: await nextSeq(tx) };
  await tx.updateTable('outbox').set(change).where('id', '=', id).execute();
}

/** Transactions run one after another, so that no two get the same number. */
async function nextSeq(tx: Tx): Promise<number> {
  const row = await tx
    .selectFrom('outbox')
    .select((select) => select.fn.max('seq').as('last'))
    .executeTakeFirst();
  return Number(row?.last ?? 0) + 1;
}

export async function findEffect(db: Reader, id: string): Promise<StoredEffect | null> {
  const row = await db.selectFrom('outbox').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : fromRow(row);
}

/** Waiting and running ones, in their order. */
export async function listOpenEffects(db: Reader): Promise<ReadonlyArray<StoredEffect>> {
  const rows = await db
    .selectFrom('outbox')
    .selectAll()
    .where('state', 'in', ['waiting', 'running'])
    .orderBy('seq')
    .execute();
  return rows.map(fromRow);
}

export async function listEffects(db: Reader, taskId: string): Promise<ReadonlyArray<StoredEffect>> {
  const rows = await db.selectFrom('outbox').selectAll().where('task_id', '=', taskId).orderBy('seq').execute();
  return rows.map(fromRow);
}

export async function takeEffect(
  tx: Tx,
  effect: StoredEffect,
  by: { readonly owner: string; readonly leaseUntil: number },
): Promise<StoredEffect> {
  const taken = { state: 'running', owner: by.owner, lease_until: by.leaseUntil } as const;
  const counted = { fence: effect.fence + 1, attempts: effect.attempts + 1 };
  await tx
    .updateTable('outbox')
    .set({ ...taken, ...counted })
    .where('id', '=', effect.id)
    .execute();
  return { ...effect, ...counted, state: 'running', owner: by.owner, leaseUntil: by.leaseUntil };
}

export type EffectEnd =
  | { readonly state: 'done'; readonly result: Readonly<Record<string, unknown>> }
  | { readonly state: 'failed'; readonly error: string }
  | {
      readonly state: 'waiting';
      readonly error: string;
      readonly notBefore: number;
      readonly counts: 'attempt' | 'no attempt';
    };

/** False when another one has it by now: then nothing was written, and nothing may be told. */
export async function endEffect(tx: Tx, effect: StoredEffect, end: EffectEnd): Promise<boolean> {
  const free = { owner: null, lease_until: null };
  const changed = await tx
    .updateTable('outbox')
    .set({ ...free, ...columnsOf(effect, end, transactionTime(tx)) })
    .where('id', '=', effect.id)
    .where('fence', '=', effect.fence)
    .where('state', '=', 'running')
    .executeTakeFirst();
  return changed.numUpdatedRows === 1n;
}

function columnsOf(effect: StoredEffect, end: EffectEnd, at: string): Partial<OutboxRow> {
  if (end.state === 'done') return { state: 'done', result: JSON.stringify(end.result), error: null, finished_at: at };
  if (end.state === 'failed') return { state: 'failed', error: end.error, finished_at: at };
  const attempts = end.counts === 'attempt' ? effect.attempts : Math.max(0, effect.attempts - 1);
  return { state: 'waiting', error: end.error, not_before: end.notBefore, attempts };
}

function fromRow(row: OutboxRow): StoredEffect {
  return {
    id: row.id,
    seq: row.seq,
    projectId: row.project_id,
    taskId: row.task_id,
    runId: row.run_id,
    key: row.key,
    kind: row.kind,
    payload: parseJson<Readonly<Record<string, unknown>>>(row.payload, {}),
    needs: row.needs,
    state: row.state,
    owner: row.owner,
    fence: row.fence,
    leaseUntil: row.lease_until,
    notBefore: row.not_before,
    attempts: row.attempts,
    result: parseJson<Readonly<Record<string, unknown>> | null>(row.result, null),
    error: row.error,
    actor: parseJson<Actor>(row.actor, { type: 'system' }),
    createdAt: row.created_at,
    finishedAt: row.finished_at,
  };
}
