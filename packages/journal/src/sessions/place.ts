import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { JournalError } from '../journal/error.ts';
import { codeOf, LockHeld } from '@attractor/system';

import type { SessionsError, SessionsErrorCode, SessionsResult } from './contract.ts';

/** Ids are names of folders: no dots, no separators. */
const SESSION_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/;

export function isSessionId(id: string): boolean {
  return SESSION_ID.test(id);
}

export function sessionsFolder(home: string): string {
  return path.join(home, 'sessions');
}

export function folderOf(home: string, id: string): string {
  return path.join(sessionsFolder(home), id);
}

export function journalOf(home: string, id: string): string {
  return path.join(folderOf(home, id), 'journal.jsonl');
}

/** Where a session keeps the snapshots of the files it worked on. */
export function undoFolder(session: { readonly folder: string }): string {
  return path.join(session.folder, 'undo');
}

/** Where a session keeps command output that does not fit in memory. It is deleted with the session. */
export function outputFolder(session: { readonly folder: string }): string {
  return path.join(session.folder, 'outputs');
}

/** Where a session keeps the output of its background commands, while it lives. */
export function shellsFolder(session: { readonly folder: string }): string {
  return path.join(session.folder, 'shells');
}

export function sessionIds(home: string): ReadonlyArray<string> {
  try {
    return readdirSync(sessionsFolder(home)).filter((id) => isSessionId(id) && existsSync(journalOf(home, id)));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/** The shortest part of an id that counts, other than its beginning. */
const SHORTEST_PART = 4;

/** The full id for its beginning, or for any part of it that no other has. */
export function resolveId(home: string, id: string): SessionsResult<string> {
  if (isSessionId(id) && existsSync(journalOf(home, id))) return { ok: true, value: id };
  const isPart = id.length >= SHORTEST_PART;
  const found =
    id === '' ? [] : sessionIds(home).filter((known) => known.startsWith(id) || (isPart && known.includes(id)));
  const [first, ...others] = found;
  if (first === undefined)
    return failure('not_found', `There is no session ${JSON.stringify(id)}: see \`attractor sessions list\`.`);
  if (others.length > 0)
    return failure(
      'invalid',
      `${found.length} sessions have ${JSON.stringify(id)} in their id: ${namesOf(found)}. Give more of the id.`,
    );
  return { ok: true, value: first };
}

const NAMED = 5;

/** The newest first. */
function namesOf(ids: ReadonlyArray<string>): string {
  const shown = ids.toSorted().toReversed().slice(0, NAMED).join(', ');
  return ids.length > NAMED ? `${shown} and ${ids.length - NAMED} more` : shown;
}

export function failure(
  code: SessionsErrorCode,
  message: string,
): { readonly ok: false; readonly error: SessionsError } {
  return { ok: false, error: { code, message, retryable: code === 'locked' || code === 'no_space' } };
}

const ERRNO: Readonly<Record<string, SessionsErrorCode>> = {
  ENOSPC: 'no_space',
  EDQUOT: 'no_space',
  EROFS: 'permission',
  EACCES: 'permission',
  EPERM: 'permission',
};

/** A file system error as a value; anything else is a bug and is rethrown. */
export function catchDiskErrors<Value>(work: () => SessionsResult<Value>): SessionsResult<Value> {
  try {
    return work();
  } catch (error) {
    if (error instanceof LockHeld) return failure(error.code, error.message);
    if (error instanceof JournalError) {
      const code = error.code === 'closed' || error.code === 'too_large' ? 'failed' : error.code;
      return failure(code, error.message);
    }
    if (codeOf(error) === '' || !(error instanceof Error)) throw error;
    return failure(ERRNO[codeOf(error)] ?? 'failed', `The disk refused: ${error.message}.`);
  }
}
