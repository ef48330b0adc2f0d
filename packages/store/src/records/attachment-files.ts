import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { done, messageOf } from '@attractor/base';
import type { Store } from '../database/store.ts';
import { type Attachment, refuse, type Result } from '../types/index.ts';
import { archiveFolder } from './archive-file.ts';
import { findAttachment } from './attachments.ts';

export type Attachments = { readonly store: Store; readonly home: string };

export async function readAttachment(
  { store, home }: Attachments,
  id: string,
): Promise<Result<{ readonly attachment: Attachment; readonly content: Uint8Array }>> {
  const attachment = await findAttachment(store.read, id);
  if (attachment === null)
    return refuse('not_found', `There is no attachment ${id}: see "attractor attachments list TASK".`);
  try {
    return done({ attachment, content: await readFile(join(folderOf(home, attachment.taskId), attachment.id)) });
  } catch {
    return refuse(
      'unavailable',
      `The file of "${attachment.name}" is not on this machine: it was attached on another.`,
    );
  }
}

/** All files of a task whose records are gone. */
export async function removeFiles(home: string, taskId: string): Promise<void> {
  for (const folder of [folderOf(home, taskId), archiveFolder(home, taskId)])
    await rm(folder, { recursive: true, force: true });
}

export function folderOf(home: string, taskId: string): string {
  return join(home, 'attachments', taskId);
}

export async function writeBytes(path: string, content: Uint8Array): Promise<Result<null>> {
  try {
    await mkdir(join(path, '..'), { recursive: true, mode: 0o700 });
    await writeFile(`${path}.part`, content, { mode: 0o600, flush: true });
    await rename(`${path}.part`, path);
    return done(null);
  } catch (error) {
    await rm(`${path}.part`, { force: true });
    return refuse('unavailable', `The file can't be kept (${messageOf(error)}).`);
  }
}
