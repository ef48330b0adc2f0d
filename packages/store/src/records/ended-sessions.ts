import type { Reader, Tx } from '../database/store.ts';
import { transactionTime } from '../database/transaction-time.ts';

export type EndedSession = { readonly id: string; readonly expiresAt: string };

/** Those that have expired since are forgotten. */
export async function endSession(tx: Tx, { id, expiresAt }: EndedSession): Promise<void> {
  await tx.deleteFrom('ended_sessions').where('expires_at', '<', transactionTime(tx)).execute();
  await tx
    .insertInto('ended_sessions')
    .values({ id, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function isSessionEnded(db: Reader, id: string): Promise<boolean> {
  return (await db.selectFrom('ended_sessions').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
}
