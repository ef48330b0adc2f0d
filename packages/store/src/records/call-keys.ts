import type { ExpressionBuilder } from 'kysely';
import { parseJson } from '../database/json.ts';
import type { CallKeyRow } from '../database/call-rows.ts';
import type { Schema } from '../database/schema.ts';
import type { Tx } from '../database/store.ts';
import { transactionNow, transactionTime } from '../database/transaction-time.ts';
import { ownerState, ownName } from './owner.ts';

/** A call by the key that its client gave it; `hash` is of everything that it says. */
export type KeyedCall = { readonly caller: string; readonly key: string; readonly hash: string };

/**
 * What is known of such a call. `claimed`: somebody is at it, and nothing is changed yet. `acted`: something was changed, in the transaction
 * that wrote this; `answer` is what that transaction came to. `done`: `answer` is what the caller was told.
 */
export type KeptCall = {
  readonly hash: string;
  readonly state: CallKeyRow['state'];
  /** Whether whoever claimed it may still be at it. */
  readonly isHeld: boolean;
  readonly answer: unknown;
};

const KEPT_MS = 24 * 60 * 60 * 1000;
const LEASE_MS = 60_000;

/** Null: it is the caller's to carry out. A claim of a process that ended before it changed anything is taken over. */
export async function claimCall(tx: Tx, call: KeyedCall): Promise<KeptCall | null> {
  await forgetOldCalls(tx);
  const row = await ofCall(tx, call);
  const claim = { owner: ownName(), lease_until: transactionNow(tx) + LEASE_MS };
  if (row === undefined) {
    const { caller, key, hash } = call;
    const created = { state: 'claimed' as const, answer: null, created_at: transactionTime(tx) };
    await tx
      .insertInto('call_keys')
      .values({ caller, key, hash, ...claim, ...created })
      .execute();
    return null;
  }
  const held = isHeld(row, transactionNow(tx));
  if (row.state === 'claimed' && row.hash === call.hash && !held) {
    await tx.updateTable('call_keys').set(claim).where(isCall(call)).execute();
    return null;
  }
  return { hash: row.hash, state: row.state, isHeld: held, answer: parseJson<unknown>(row.answer, null) };
}

/** In the transaction of the call's first change: from now on it is not carried out again. */
export async function markActed(tx: Tx, call: KeyedCall, answer: unknown): Promise<void> {
  await tx
    .updateTable('call_keys')
    .set({ state: 'acted', answer: JSON.stringify(answer ?? null) })
    .where(isCall(call))
    .where('state', '=', 'claimed')
    .execute();
}

export async function finishCall(tx: Tx, call: KeyedCall, answer: unknown): Promise<void> {
  const row = { state: 'done' as const, answer: JSON.stringify(answer ?? null) };
  await tx.updateTable('call_keys').set(row).where(isCall(call)).execute();
}

/** Nothing came of it: the key may be used again. */
export async function releaseCall(tx: Tx, call: KeyedCall): Promise<void> {
  await tx.deleteFrom('call_keys').where(isCall(call)).execute();
}

async function forgetOldCalls(tx: Tx): Promise<void> {
  const before = new Date(Date.parse(transactionTime(tx)) - KEPT_MS).toISOString();
  await tx.deleteFrom('call_keys').where('created_at', '<', before).execute();
}

function ofCall(tx: Tx, call: KeyedCall): Promise<CallKeyRow | undefined> {
  return tx.selectFrom('call_keys').selectAll().where(isCall(call)).executeTakeFirst();
}

function isCall({ caller, key }: KeyedCall) {
  return (eb: ExpressionBuilder<Schema, 'call_keys'>) => eb.and({ caller, key });
}

function isHeld(row: CallKeyRow, now: number): boolean {
  const owner = ownerState(row.owner);
  return owner === 'alive' || (owner === 'unknown' && row.lease_until > now);
}
