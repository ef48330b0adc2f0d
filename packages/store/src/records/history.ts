import type { Actor } from '../types/index.ts';
import { parseJson } from '../database/json.ts';
import type { Reader, Tx } from '../database/store.ts';
import { transactionTime } from '../database/transaction-time.ts';

/** One row for each transition that took place. */
export type HistoryEntry = {
  readonly taskId: string;
  readonly transitionId: string;
  readonly from: string;
  readonly to: string;
  readonly trigger: string;
  readonly actor: Actor;
  readonly reason: string | null;
  readonly payload: unknown;
  readonly guardsChecked: ReadonlyArray<string>;
  readonly hooksExecuted: ReadonlyArray<{ readonly hook: string; readonly ok: boolean; readonly error?: string }>;
};

export async function appendHistory(tx: Tx, entry: HistoryEntry): Promise<void> {
  await tx
    .insertInto('transition_history')
    .values({
      task_id: entry.taskId,
      transition_id: entry.transitionId,
      from_status: entry.from,
      to_status: entry.to,
      trigger: entry.trigger,
      actor: JSON.stringify(entry.actor),
      reason: entry.reason,
      payload: entry.payload === undefined || entry.payload === null ? null : JSON.stringify(entry.payload),
      guards_checked: JSON.stringify(entry.guardsChecked),
      hooks_executed: JSON.stringify(entry.hooksExecuted),
      at: transactionTime(tx),
    })
    .execute();
}

/** The statuses that the task left and entered, oldest first. */
export async function listMoves(
  db: Reader,
  taskId: string,
): Promise<ReadonlyArray<{ readonly from: string; readonly to: string }>> {
  return db
    .selectFrom('transition_history')
    .select(['from_status as from', 'to_status as to'])
    .where('task_id', '=', taskId)
    .orderBy('id')
    .execute();
}

/** Oldest first, with everything that was recorded. */
export async function listHistory(
  db: Reader,
  taskId: string,
): Promise<ReadonlyArray<HistoryEntry & { readonly at: string }>> {
  const rows = await db
    .selectFrom('transition_history')
    .selectAll()
    .where('task_id', '=', taskId)
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    taskId: row.task_id,
    transitionId: row.transition_id,
    from: row.from_status,
    to: row.to_status,
    trigger: row.trigger,
    actor: parseJson<Actor>(row.actor, { type: 'system' }),
    reason: row.reason,
    payload: parseJson<unknown>(row.payload, null),
    guardsChecked: parseJson<HistoryEntry['guardsChecked']>(row.guards_checked, []),
    hooksExecuted: parseJson<HistoryEntry['hooksExecuted']>(row.hooks_executed, []),
    at: row.at,
  }));
}
