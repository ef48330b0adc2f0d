import { existsSync, rmSync, statSync } from 'node:fs';
import { chmod, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { done, messageOf } from '@attractor/base';
import { refuse, type Result } from '../types/refusal.ts';
import { DATABASE_FILE, openStore } from './open-store.ts';

/** Called with how far the work is, in words, as often as that changes. */
export type TellHowFar = (howFar: string) => void;

export type Backup = { readonly file: string; readonly bytes: number };

/** A copy of the database at one moment, taken while others continue working. The file is complete or does not exist. */
export async function backupDatabase(home: string, file: string, tell?: TellHowFar): Promise<Result<Backup>> {
  const source = join(home, DATABASE_FILE);
  if (!existsSync(source)) return refuse('not_found', `There is no database in ${home} yet.`);
  if (existsSync(file)) return refuse('conflict', `${file} exists already: name another file.`);
  const part = `${file}.part`;
  try {
    await copyDatabase({ from: source, to: part }, tell);
    const sound = await leavingNothing(part, () => judgeFile(part));
    if (!sound.ok) return sound;
    await chmod(part, 0o600);
    await rename(part, file);
    return done({ file, bytes: statSync(file).size });
  } catch (error) {
    return refuse(
      'database',
      `The backup could not be written (${messageOf(error)}). Check the folder and its free room.`,
    );
  } finally {
    rmSync(part, { force: true });
  }
}

/** Replaces the database with the content of a backup; the current content is first saved beside it. */
export async function restoreDatabase(
  home: string,
  file: string,
  tell?: TellHowFar,
): Promise<Result<{ readonly kept: string | null }>> {
  if (!existsSync(file)) return refuse('not_found', `There is no file ${file}.`);
  const sound = await leavingNothing(file, () => judgeFile(file));
  if (!sound.ok) return sound;
  const target = join(home, DATABASE_FILE);
  const kept = existsSync(target) ? `${target}.before-restore-${Date.now()}` : null;
  if (kept !== null) {
    const saved = await backupDatabase(home, kept, (howFar) => tell?.(`what is there now: ${howFar}`));
    if (!saved.ok) return saved;
  } else {
    const made = await openStore({ home });
    if (!made.ok) return made;
    await made.value.close();
  }
  try {
    await leavingNothing(file, () => copyDatabase({ from: file, to: target }, tell));
  } catch (error) {
    return refuse(
      'database',
      `The backup could not be restored (${messageOf(error)}). Close other programs that use it.`,
    );
  }
  const opened = await openStore({ home });
  if (!opened.ok) return opened;
  await opened.value.close();
  return done({ kept });
}

type Copied = { readonly from: string; readonly to: string };

async function copyDatabase({ from, to }: Copied, tell: TellHowFar = () => undefined): Promise<void> {
  const source = new DatabaseSync(from, { readOnly: true });
  try {
    await backup(source, to, {
      progress: ({ totalPages, remainingPages }) => tell(`${totalPages - remainingPages} of ${totalPages} pages`),
    });
  } finally {
    source.close();
  }
}

/**
 * A file that nobody else has open is as it was when the work with it is over: whoever only reads it makes files beside it and may not remove
 * them.
 */
async function leavingNothing<Value>(file: string, work: () => Value | Promise<Value>): Promise<Value> {
  const beside = [`${file}-wal`, `${file}-shm`].filter((name) => !existsSync(name));
  try {
    return await work();
  } finally {
    for (const name of beside) rmSync(name, { force: true });
  }
}

/** Only a complete database of ours may be backed up or restored. */
function judgeFile(file: string): Result<null> {
  try {
    const db = new DatabaseSync(file, { readOnly: true });
    try {
      const check = db.prepare('pragma integrity_check').get()?.['integrity_check'];
      if (check !== 'ok') return refuse('invalid', `${file} is damaged (${String(check)}).`);
      db.prepare('select name from migrations limit 1').get();
      return done(null);
    } finally {
      db.close();
    }
  } catch (error) {
    return refuse('invalid', `${file} is not a database of Attractor (${messageOf(error)}).`);
  }
}
