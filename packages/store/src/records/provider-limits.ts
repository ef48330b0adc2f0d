import { sql } from 'kysely';
import type { Reader, Tx } from '../database/store.ts';
import { transactionTime } from '../database/transaction-time.ts';
import type { AgentRun } from '../types/index.ts';

/** An account that its provider blocks until a time. One for each account; the later time counts. */
export type ProviderLimit = {
  readonly account: string;
  /** ISO time. */
  readonly until: string;
  readonly reason: string;
  readonly runId: string;
};

export async function saveProviderLimit(tx: Tx, limit: ProviderLimit): Promise<void> {
  const row = { until_at: limit.until, reason: limit.reason, run_id: limit.runId, created_at: transactionTime(tx) };
  const known = await findProviderLimit(tx, limit.account);
  if (known !== null && known.until >= limit.until) return;
  await tx
    .insertInto('provider_limits')
    .values({ account: limit.account, ...row })
    .onConflict((conflict) => conflict.column('account').doUpdateSet(row))
    .execute();
}

export async function findProviderLimit(db: Reader, account: string): Promise<ProviderLimit | null> {
  const row = await db.selectFrom('provider_limits').selectAll().where('account', '=', account).executeTakeFirst();
  return row === undefined ? null : fromRow(row);
}

/** Of the account that a run is to use. */
export async function findProviderLimitOf(
  db: Reader,
  { id, agentType }: Pick<AgentRun, 'id' | 'agentType'>,
): Promise<ProviderLimit | null> {
  const named = sql<string>`(select nullif(account, '') from jobs where run_id = ${id})`;
  const row = await db
    .selectFrom('provider_limits')
    .selectAll()
    .where('account', '=', sql<string>`coalesce(${named}, ${agentType})`)
    .executeTakeFirst();
  return row === undefined ? null : fromRow(row);
}

export async function listProviderLimits(db: Reader, now: string): Promise<ReadonlyArray<ProviderLimit>> {
  const rows = await db
    .selectFrom('provider_limits')
    .selectAll()
    .where('until_at', '>', now)
    .orderBy('until_at')
    .execute();
  return rows.map(fromRow);
}

/** A person knows better, for example after buying more: the account is free at once. */
export async function dropProviderLimit(tx: Tx, account: string): Promise<boolean> {
  const dropped = await tx.deleteFrom('provider_limits').where('account', '=', account).executeTakeFirst();
  return dropped.numDeletedRows > 0n;
}

function fromRow(row: { account: string; until_at: string; reason: string; run_id: string }): ProviderLimit {
  return { account: row.account, until: row.until_at, reason: row.reason, runId: row.run_id };
}
