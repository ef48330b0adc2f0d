import type { Reader, Tx } from '../database/store.ts';
import { lastSeq } from '../database/last-seq.ts';

/** A channel's position in the log. Everything up to `seq` has become a delivery or was not wanted. */
export type NotifyCursor = { readonly seq: number; readonly failing: boolean };

export async function findCursor(db: Reader, channel: string): Promise<NotifyCursor | null> {
  const row = await db.selectFrom('notify_cursors').selectAll().where('channel', '=', channel).executeTakeFirst();
  return row === undefined ? null : { seq: row.seq, failing: row.failing === 1 };
}

/** A new channel gets what happens from now on, not the whole past. */
export async function findOrStartCursor(tx: Tx, channel: string): Promise<NotifyCursor> {
  const known = await findCursor(tx, channel);
  if (known !== null) return known;
  const seq = await lastSeq(tx);
  await tx.insertInto('notify_cursors').values({ channel, seq, failing: 0 }).execute();
  return { seq, failing: false };
}

export async function moveCursor(tx: Tx, channel: string, seq: number): Promise<void> {
  await tx.updateTable('notify_cursors').set({ seq }).where('channel', '=', channel).where('seq', '<', seq).execute();
}

/** True if this changed something: whoever changed it reports it. */
export async function setFailing(tx: Tx, channel: string, state: 'failing' | 'working'): Promise<boolean> {
  const failing = state === 'failing' ? 1 : 0;
  const result = await tx
    .updateTable('notify_cursors')
    .set({ failing })
    .where('channel', '=', channel)
    .where('failing', '=', 1 - failing)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** A later channel of that name starts afresh. */
export async function removeChannelRecords(tx: Tx, channel: string): Promise<void> {
  await tx.deleteFrom('notify_cursors').where('channel', '=', channel).execute();
  await tx.deleteFrom('deliveries').where('channel', '=', channel).execute();
  await tx.deleteFrom('prompt_replies').where('channel', '=', channel).execute();
}
