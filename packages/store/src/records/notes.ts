import { newId } from '@attractor/base/id';
import type { Actor, TaskNote } from '../types/index.ts';
import { idOf, parseJson } from '../database/json.ts';
import type { NoteRow } from '../database/schema.ts';
import type { Reader, Tx } from '../database/store.ts';
import { transactionTime } from '../database/transaction-time.ts';

export async function insertNote(tx: Tx, note: Pick<TaskNote, 'taskId' | 'text' | 'author'>): Promise<TaskNote> {
  const row: NoteRow = {
    id: newId('not'),
    task_id: note.taskId,
    body: note.text,
    author: JSON.stringify(note.author),
    created_at: transactionTime(tx),
  };
  await tx.insertInto('task_notes').values(row).execute();
  return fromRow(row);
}

/** Oldest first. */
export async function listNotes(db: Reader, taskId: string): Promise<ReadonlyArray<TaskNote>> {
  const rows = await db.selectFrom('task_notes').selectAll().where('task_id', '=', taskId).orderBy('id').execute();
  return rows.map(fromRow);
}

function fromRow(row: NoteRow): TaskNote {
  return {
    id: idOf('not', row.id),
    taskId: idOf('tsk', row.task_id),
    text: row.body,
    author: parseJson<Actor>(row.author, { type: 'system' }),
    createdAt: row.created_at,
  };
}
