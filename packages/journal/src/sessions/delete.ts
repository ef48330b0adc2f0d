import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { acquireLock } from '@attractor/system';
import type { Deleted, DeleteOptions } from './contract.ts';
import { folderOf, journalOf, sessionsFolder } from './place.ts';

/** How long a deleted session can still be found in the trash. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** Moves a session to the trash in one step. Throws `locked` while a process writes it. */
export function deleteSession(home: string, id: string, { forever = false }: DeleteOptions): Deleted {
  const trash = path.join(sessionsFolder(home), '.trash');
  const place = path.join(trash, `${id}.${Date.now()}`);
  const journal = journalOf(home, id);
  const lock = acquireLock(`${journal}.lock`);
  try {
    mkdirSync(trash, { recursive: true, mode: 0o700 });
    renameSync(folderOf(home, id), place);
    rmSync(path.join(place, `${path.basename(journal)}.lock`), { force: true });
  } finally {
    lock.release();
  }
  if (forever) rmSync(place, { recursive: true, force: true });
  emptyTrash(trash);
  return { id, trash: forever ? null : place };
}

function emptyTrash(trash: string): void {
  for (const name of readdirSync(trash)) {
    const deletedAt = Number(name.slice(name.lastIndexOf('.') + 1));
    if (Number.isFinite(deletedAt) && Date.now() - deletedAt > KEPT_MS)
      rmSync(path.join(trash, name), { recursive: true, force: true });
  }
}
