import { newId } from '@attractor/base/id';
import type { Actor, MessageVia, TaskMessage } from '../types/index.ts';
import { idOf, parseJson } from '../database/json.ts';
import type { MessageRow } from '../database/schema.ts';
import type { Reader, Tx } from '../database/store.ts';
import { transactionTime } from '../database/transaction-time.ts';

export async function insertMessage(
  tx: Tx,
  message: Pick<TaskMessage, 'taskId' | 'text' | 'author' | 'interrupts'>,
): Promise<TaskMessage> {
  const row: MessageRow = {
    id: newId('msg'),
    task_id: message.taskId,
    body: message.text,
    interrupts: message.interrupts ? 1 : 0,
    author: JSON.stringify(message.author),
    created_at: transactionTime(tx),
    run_id: null,
    via: null,
    delivered_at: null,
  };
  await tx.insertInto('task_messages').values(row).execute();
  return fromRow(row);
}

/** Oldest first. `undelivered`: only those that no agent has got yet. */
export async function listMessages(
  db: Reader,
  taskId: string,
  which: 'all' | 'undelivered' = 'all',
): Promise<ReadonlyArray<TaskMessage>> {
  let query = db.selectFrom('task_messages').selectAll().where('task_id', '=', taskId);
  if (which === 'undelivered') query = query.where('delivered_at', 'is', null);
  return (await query.orderBy('id').execute()).map(fromRow);
}

/** The last message that a run got as an input of its own. */
export async function findLastInput(db: Reader, runId: string): Promise<TaskMessage | null> {
  const row = await db
    .selectFrom('task_messages')
    .selectAll()
    .where('run_id', '=', runId)
    .where('via', '=', 'input')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : fromRow(row);
}

/** Null if an agent has got it already. */
export async function deliverMessage(
  tx: Tx,
  id: string,
  to: { readonly runId: string; readonly via: MessageVia },
): Promise<TaskMessage | null> {
  const row = await tx
    .updateTable('task_messages')
    .set({ run_id: to.runId, via: to.via, delivered_at: transactionTime(tx) })
    .where('id', '=', id)
    .where('delivered_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  return row === undefined ? null : fromRow(row);
}

function fromRow(row: MessageRow): TaskMessage {
  return {
    id: idOf('msg', row.id),
    taskId: idOf('tsk', row.task_id),
    text: row.body,
    interrupts: row.interrupts === 1,
    author: parseJson<Actor>(row.author, { type: 'system' }),
    createdAt: row.created_at,
    runId: row.run_id === null ? null : idOf('run', row.run_id),
    via: isVia(row.via) ? row.via : null,
    deliveredAt: row.delivered_at,
  };
}

function isVia(via: string | null): via is MessageVia {
  return via === 'prompt' || via === 'steering' || via === 'input';
}
