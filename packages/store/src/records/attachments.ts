import type { Attachment } from '../types/index.ts';
import { idOf } from '../database/json.ts';
import type { AttachmentRow } from '../database/schema.ts';
import type { Reader, Tx } from '../database/store.ts';

export async function insertAttachment(tx: Tx, attachment: Attachment): Promise<void> {
  await tx
    .insertInto('attachments')
    .values({
      id: attachment.id,
      task_id: attachment.taskId,
      name: attachment.name,
      media_type: attachment.mediaType,
      size: attachment.size,
      sha256: attachment.sha256,
      created_at: attachment.createdAt,
    })
    .execute();
}

export async function findAttachment(db: Reader, id: string): Promise<Attachment | null> {
  const row = await db.selectFrom('attachments').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : fromRow(row);
}

export async function listAttachments(db: Reader, taskId: string): Promise<ReadonlyArray<Attachment>> {
  const rows = await db.selectFrom('attachments').selectAll().where('task_id', '=', taskId).orderBy('id').execute();
  return rows.map(fromRow);
}

export async function deleteAttachment(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('attachments').where('id', '=', id).execute();
}

function fromRow(row: AttachmentRow): Attachment {
  return {
    id: idOf('att', row.id),
    taskId: idOf('tsk', row.task_id),
    name: row.name,
    mediaType: row.media_type,
    size: row.size,
    sha256: row.sha256,
    createdAt: row.created_at,
  };
}
