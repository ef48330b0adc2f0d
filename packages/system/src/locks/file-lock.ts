import { hash } from 'node:crypto';
import { lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { LockHeld } from './lock-held.ts';
import { acquireLock, type Lock } from './lock.ts';
import { EnvironmentError } from '../environment-error.ts';

const PATIENCE_MS = 15_000;
const LONGEST_PAUSE_MS = 20;

export type LockedFiles = {
  readonly keys: ReadonlyArray<string>;
  /** False if the lock was taken over, after this process stood still for long. */
  readonly isHeld: () => boolean;
  readonly release: () => void;
};

/**
 * Locks the files with these real paths against every other process (and every other call in this one) that uses this function. They are
 * taken in one order, so that two callers never deadlock; a dead owner's lock is taken over.
 */
export async function lockFiles(files: ReadonlyArray<string>, signal?: AbortSignal): Promise<LockedFiles> {
  const keys = [...new Set(files.map(lockKey))].toSorted();
  const held: Lock[] = [];
  const release = (): void => {
    for (const lock of held.toReversed()) lock.release();
  };
  try {
    const deadline = performance.now() + PATIENCE_MS;
    for (const key of keys) held.push(await waitFor(key, deadline, signal));
  } catch (error) {
    release();
    throw error;
  }
  return { keys, isHeld: () => held.every((lock) => lock.isHeld()), release };
}

/** The lock on one key if no living process has it; null otherwise. */
export function lockIfFree(key: string): Lock | null {
  try {
    return acquireLock(path.join(lockFolder(), `${key}.lock`));
  } catch (error) {
    if (error instanceof LockHeld) return null;
    throw error;
  }
}

/** The name under which a file is locked: the same for every process. */
export function lockKey(file: string): string {
  return hash('sha256', file).slice(0, 32);
}

/**
 * Where locks and records of changes in progress are kept: one folder per user, away from the files themselves, so that watchers and
 * version control never see them. It does not follow TMPDIR, which may differ between processes that must meet here.
 */
export function lockFolder(): string {
  const uid = process.getuid?.();
  const folder = path.join(uid === undefined ? tmpdir() : '/tmp', `attractor-${uid ?? 'locks'}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stats = lstatSync(folder);
  if (!stats.isDirectory() || (uid !== undefined && (stats.uid !== uid || (stats.mode & 0o077) !== 0))) {
    throw new EnvironmentError({
      code: 'permission',
      message: `${folder} must be a folder that only this user can enter, and is not: remove it, then try again. Nothing was changed.`,
    });
  }
  return folder;
}

async function waitFor(key: string, deadline: number, signal: AbortSignal | undefined): Promise<Lock> {
  for (let pause = 1; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    signal?.throwIfAborted();
    const lock = lockIfFree(key);
    if (lock !== null) return lock;
    if (performance.now() > deadline) {
      throw new EnvironmentError({
        code: 'locked',
        message: 'Another process is changing this file right now: nothing was changed. Try again.',
        retryable: true,
      });
    }
    await delay(pause * (0.5 + Math.random()), undefined, { signal });
  }
}
