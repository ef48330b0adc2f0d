import { newId } from '@attractor/base/id';
import type { PhaseStatus, TaskPhase } from '../types/index.ts';
import { idOf } from '../database/json.ts';
import type { PhaseRow } from '../database/schema.ts';
import type { Reader, Tx } from '../database/store.ts';
import { transactionTime } from '../database/transaction-time.ts';

export async function insertPhase(tx: Tx, phase: Omit<TaskPhase, 'id'>): Promise<TaskPhase> {
  const row: PhaseRow = {
    id: newId('pha'),
    task_id: phase.taskId,
    name: phase.name,
    description: phase.description,
    status: phase.status,
    position: phase.position,
    created_at: transactionTime(tx),
  };
  await tx.insertInto('task_phases').values(row).execute();
  return fromRow(row);
}

/** In the order in which they are worked on. */
export async function listPhases(db: Reader, taskId: string): Promise<ReadonlyArray<TaskPhase>> {
  const rows = await db
    .selectFrom('task_phases')
    .selectAll()
    .where('task_id', '=', taskId)
    .orderBy('position')
    .execute();
  return rows.map(fromRow);
}

export async function setPhaseStatus(tx: Tx, phase: TaskPhase, status: PhaseStatus): Promise<TaskPhase> {
  await tx.updateTable('task_phases').set({ status }).where('id', '=', phase.id).execute();
  return { ...phase, status };
}

function fromRow(row: PhaseRow): TaskPhase {
  return {
    id: idOf('pha', row.id),
    taskId: idOf('tsk', row.task_id),
    name: row.name,
    description: row.description,
    status: row.status,
    position: row.position,
  };
}
