import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { JournalError } from './error.ts';

/** Who writes. A process is known by its id and start time together, since ids are used again. */
type Owner = { readonly pid: number; readonly started: string | null; readonly token: string };

export type Lock = { readonly release: () => void };

/**
 * One writer at a time, across processes. The lock is a file that appears with its content in one step (link); a dead owner's lock
 * is replaced only by whoever first takes the lock named after that owner's token, so two heirs can't both win.
 */
export function acquireLock(path: string): Lock {
  const owner: Owner = { pid: process.pid, started: startOf(process.pid), token: randomBytes(8).toString('hex') };
  const temporary = `${path}.${owner.token}`;
  writeFileSync(temporary, JSON.stringify(owner), { mode: 0o600, flag: 'wx' });
  try {
    claim(path, temporary);
  } finally {
    remove(temporary);
  }
  return {
    release: () => {
      if (readOwner(path)?.token === owner.token) remove(path);
    },
  };
}

function claim(path: string, mine: string): void {
  for (;;) {
    if (tryLink(mine, path)) return;
    const holder = readOwner(path);
    if (holder === null) continue;
    if (isAlive(holder)) {
      throw new JournalError(
        'locked',
        `The session is in use by process ${holder.pid} (${path}): end that process, or follow it as a viewer.`,
      );
    }
    inherit(path, mine, holder);
    if (readOwner(path)?.token === readOwner(mine)?.token) return;
  }
}

function inherit(path: string, mine: string, dead: Owner): void {
  const heirs = `${path}.heir.${dead.token}`;
  claim(heirs, mine);
  try {
    if (readOwner(path)?.token !== dead.token) return;
    const copy = `${mine}.copy`;
    linkSync(mine, copy);
    renameSync(copy, path);
  } finally {
    remove(heirs);
  }
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Null when nobody holds it (any more). A lock that can't be read as ours counts as a dead owner's. */
function readOwner(path: string): Owner | null {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isOwner(value) ? value : DAMAGED;
  } catch (error) {
    return error instanceof SyntaxError ? DAMAGED : null;
  }
}

const DAMAGED: Owner = { pid: 0, started: null, token: 'damaged' };

function isOwner(value: unknown): value is Owner {
  return (
    typeof value === 'object' &&
    value !== null &&
    'pid' in value &&
    'token' in value &&
    typeof value.pid === 'number' &&
    typeof value.token === 'string'
  );
}

function isAlive({ pid, started }: Owner): boolean {
  if (pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  const now = startOf(pid);
  return started === null || now === null || now === started;
}

/** When the process began, in the kernel's clock ticks since boot; null where the system does not say. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? 'ended' : (fields[19] ?? null);
  } catch {
    return null;
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Gone already.
  }
}
