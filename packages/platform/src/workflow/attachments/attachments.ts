import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { done } from '@attractor/base';
import { newId } from '@attractor/base/id';
import {
  type Actor,
  appendEvents,
  type Attachment,
  deleteAttachment,
  findAttachment,
  findTask,
  insertAttachment,
  listAttachments,
  refuse,
  type Result,
  transactionTime,
  type Tx,
} from '@attractor/store';
import { type Attachments, folderOf, writeBytes } from '@attractor/store';
import type { NewAttachment } from './contract.ts';

const MAX_FILE = 25 * 1024 * 1024;
const MAX_TASK = 100 * 1024 * 1024;
const MAX_NAME = 255;

/**
 * The bytes are on disk before the record that names them; a file without a record only wastes space. Files are named by our ids: a given
 * name is shown and never opened, so that none leads out of the folder.
 */
export async function addAttachment(
  { store, home }: Attachments,
  input: NewAttachment,
  actor: Actor,
): Promise<Result<Attachment>> {
  const name = basename(input.name.replaceAll('\\', '/'))
    .replaceAll(/\p{Cc}/gu, '')
    .slice(0, MAX_NAME);
  if (name === '' || name === '.' || name === '..') return refuse('invalid', 'An attachment needs a name.');
  if (input.content.byteLength > MAX_FILE)
    return refuse('invalid', `The file is too large (at most ${MAX_FILE / 1024 / 1024} MiB): link to it instead.`);
  const task = await findTask(store.read, input.taskId);
  if (task === null) return refuse('not_found', `There is no task ${input.taskId}.`);
  const id = newId('att');
  const written = await writeBytes(join(folderOf(home, task.id), id), input.content);
  if (!written.ok) return written;
  const added = await store.transact(async (tx): Promise<Result<Attachment>> => {
    const current = await findTask(tx, task.id);
    if (current === null) return refuse('not_found', `There is no task ${input.taskId}.`);
    const used = (await listAttachments(tx, task.id)).reduce((sum, { size }) => sum + size, 0);
    if (used + input.content.byteLength > MAX_TASK)
      return refuse(
        'invalid',
        `The attachments of a task take at most ${MAX_TASK / 1024 / 1024} MiB: remove one first.`,
      );
    const attachment: Attachment = {
      id,
      taskId: task.id,
      name,
      mediaType: input.mediaType ?? 'application/octet-stream',
      size: input.content.byteLength,
      sha256: createHash('sha256').update(input.content).digest('hex'),
      createdAt: transactionTime(tx),
    };
    await insertAttachment(tx, attachment);
    await tell(tx, task.projectId, { attachment, type: 'attachment.added', summary: `Attached: ${name}`, actor });
    return done(attachment);
  });
  if (!added.ok) await rm(join(folderOf(home, task.id), id), { force: true });
  return added;
}

export async function removeAttachment({ store, home }: Attachments, id: string, actor: Actor): Promise<Result<null>> {
  const removed = await store.transact(async (tx): Promise<Result<Attachment>> => {
    const attachment = await findAttachment(tx, id);
    const task = attachment === null ? null : await findTask(tx, attachment.taskId);
    if (attachment === null || task === null)
      return refuse('not_found', `There is no attachment ${id}: see "attractor attachments list TASK".`);
    await deleteAttachment(tx, id);
    const summary = `Removed: ${attachment.name}`;
    await tell(tx, task.projectId, { attachment, type: 'attachment.removed', summary, actor });
    return done(attachment);
  });
  if (!removed.ok) return removed;
  await rm(join(folderOf(home, removed.value.taskId), id), { force: true });
  return done(null);
}

async function tell(
  tx: Tx,
  projectId: string,
  told: {
    readonly attachment: Attachment;
    readonly type: 'attachment.added' | 'attachment.removed';
    readonly summary: string;
    readonly actor: Actor;
  },
): Promise<void> {
  const { attachment, ...event } = told;
  await appendEvents(tx, [{ ...event, projectId, taskId: attachment.taskId, data: { attachment } }]);
}
