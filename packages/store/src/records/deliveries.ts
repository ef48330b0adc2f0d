import { type Id, newId } from '@attractor/base/id';
import type { Notification } from '../types/notification.ts';
import { idOf, parseJson } from '../database/json.ts';
import type { DeliveryRow } from '../database/notify-rows.ts';
import type { Reader, Tx } from '../database/store.ts';
import { transactionTime } from '../database/transaction-time.ts';

/** One notification on its way through one channel. Open until it is sent, given up, dropped or part of a digest. */
export type Delivery = {
  readonly id: Id<'dlv'>;
  readonly channel: string;
  readonly notification: Notification;
  readonly state: DeliveryRow['state'];
  readonly attempts: number;
  readonly notBefore: number | null;
  readonly owner: string | null;
  readonly leaseUntil: number | null;
  readonly error: string | null;
};

export type NewDelivery = {
  readonly channel: string;
  readonly dedupKey: string;
  readonly state: 'due' | 'held';
  readonly notification: Notification;
};

/** Adds nothing if the channel already has that key. */
export async function insertDelivery(tx: Tx, delivery: NewDelivery): Promise<void> {
  await tx
    .insertInto('deliveries')
    .values({
      id: newId('dlv'),
      channel: delivery.channel,
      dedup_key: delivery.dedupKey,
      task_id: delivery.notification.context.taskId,
      notification: JSON.stringify(delivery.notification),
      state: delivery.state,
      attempts: 0,
      not_before: null,
      owner: null,
      lease_until: null,
      error: null,
      created_at: transactionTime(tx),
      settled_at: null,
    })
    .onConflict((conflict) => conflict.columns(['channel', 'dedup_key']).doNothing())
    .execute();
}

/** Oldest first. */
export async function listOpenDeliveries(
  db: Reader,
  channel: string,
  page: { readonly limit: number },
): Promise<ReadonlyArray<Delivery>> {
  const rows = await db
    .selectFrom('deliveries')
    .selectAll()
    .where('channel', '=', channel)
    .where('state', 'in', ['due', 'held', 'sending'])
    .orderBy('id')
    .limit(page.limit)
    .execute();
  return rows.map(fromRow);
}

/** Newest first, in whatever state. */
export async function listDeliveries(
  db: Reader,
  filter: { readonly channel?: string; readonly limit?: number },
): Promise<ReadonlyArray<Delivery>> {
  let query = db.selectFrom('deliveries').selectAll();
  if (filter.channel !== undefined) query = query.where('channel', '=', filter.channel);
  const rows = await query
    .orderBy('id', 'desc')
    .limit(filter.limit ?? 100)
    .execute();
  return rows.map(fromRow);
}

export async function takeDelivery(
  tx: Tx,
  delivery: Delivery,
  by: { readonly owner: string; readonly leaseUntil: number },
): Promise<Delivery> {
  const attempts = delivery.attempts + 1;
  await tx
    .updateTable('deliveries')
    .set({ state: 'sending', owner: by.owner, lease_until: by.leaseUntil, attempts })
    .where('id', '=', delivery.id)
    .execute();
  return { ...delivery, state: 'sending', attempts, ...by };
}

export type Settlement =
  | { readonly state: 'sent' | 'given_up' | 'digested' | 'dropped'; readonly error?: string }
  | { readonly state: 'due'; readonly notBefore: number; readonly attempts: number; readonly error?: string };

/** False if someone else took it meanwhile: then their result counts. */
export async function settleDelivery(tx: Tx, delivery: Delivery, end: Settlement): Promise<boolean> {
  const again = end.state === 'due' ? { not_before: end.notBefore, attempts: end.attempts } : {};
  const result = await tx
    .updateTable('deliveries')
    .set({
      ...again,
      state: end.state,
      owner: null,
      lease_until: null,
      error: end.error ?? null,
      settled_at: end.state === 'due' ? null : transactionTime(tx),
    })
    .where('id', '=', delivery.id)
    .where('state', '=', delivery.state)
    .where('attempts', '=', delivery.attempts)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Those settled for this long. Open ones stay, however old. */
export async function removeOldDeliveries(tx: Tx, keepMs: number): Promise<void> {
  const before = new Date(Date.parse(transactionTime(tx)) - keepMs).toISOString();
  await tx
    .deleteFrom('deliveries')
    .where('state', 'in', ['sent', 'given_up', 'digested', 'dropped'])
    .where('settled_at', '<', before)
    .execute();
}

function fromRow(row: DeliveryRow): Delivery {
  return {
    id: idOf('dlv', row.id),
    channel: row.channel,
    notification: parseJson<Notification>(row.notification, UNREADABLE),
    state: row.state,
    attempts: row.attempts,
    notBefore: row.not_before,
    owner: row.owner,
    leaseUntil: row.lease_until,
    error: row.error,
  };
}

const UNREADABLE: Notification = {
  type: 'pipeline.waiting',
  title: 'Something happened',
  body: 'Its record is damaged: look at the task list.',
  severity: 'warning',
  critical: false,
  context: { projectId: '', projectName: '', taskId: null, taskTitle: null, agentRunId: null, appRoute: '/' },
  prompt: null,
  items: [],
  timestamp: '',
};
