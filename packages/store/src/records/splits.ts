import { newId } from '@attractor/base/id';
import type { Split } from '../types/index.ts';
import { idOf, parseJson } from '../database/json.ts';
import type { SplitRow } from '../database/outcome-rows.ts';
import type { Reader, Tx } from '../database/store.ts';
import { transactionTime } from '../database/transaction-time.ts';

export async function insertSplit(tx: Tx, split: Omit<Split, 'id' | 'createdAt' | 'settledAt'>): Promise<Split> {
  const row: SplitRow = {
    id: newId('spl'),
    task_id: split.taskId,
    run_id: split.runId,
    mode: split.mode,
    subtasks: JSON.stringify(split.subtasks),
    created_at: transactionTime(tx),
    settled_at: null,
  };
  await tx.insertInto('task_splits').values(row).execute();
  return splitOf(row);
}

/** The split that the task waits for. */
export async function findOpenSplit(db: Reader, taskId: string): Promise<Split | null> {
  const row = await db
    .selectFrom('task_splits')
    .selectAll()
    .where('task_id', '=', taskId)
    .where('settled_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : splitOf(row);
}

/** Every split that some task waits for. */
export async function listOpenSplits(db: Reader): Promise<ReadonlyArray<Split>> {
  const rows = await db.selectFrom('task_splits').selectAll().where('settled_at', 'is', null).orderBy('id').execute();
  return rows.map(splitOf);
}

/** False if it was settled at the same time. */
export async function settleSplitRow(tx: Tx, { id }: Split): Promise<boolean> {
  const result = await tx
    .updateTable('task_splits')
    .set({ settled_at: transactionTime(tx) })
    .where('id', '=', id)
    .where('settled_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

export function splitOf(row: SplitRow): Split {
  return {
    id: idOf('spl', row.id),
    taskId: idOf('tsk', row.task_id),
    runId: row.run_id === null ? null : idOf('run', row.run_id),
    mode: row.mode,
    subtasks: parseJson<Split['subtasks']>(row.subtasks, []),
    createdAt: row.created_at,
    settledAt: row.settled_at,
  };
}
