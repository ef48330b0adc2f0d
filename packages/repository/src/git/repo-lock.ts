import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

/** Many tasks may wait for each other on a slow disk; each holds the lock for seconds at most. */
const WAIT_MS = 600_000;
const queues = new Map<string, Promise<void>>();

/**
 * One holder at a time for a repository, across all processes. It is a kernel lock (SQLite's exclusive lock on a file in the repository's
 * git folder), so it is released when its holder dies and no stale lock can remain.
 */
export async function withRepoLock<Value>(gitFolder: string, work: () => Promise<Value>): Promise<Value> {
  const before = queues.get(gitFolder) ?? Promise.resolve();
  const turn = Promise.withResolvers<void>();
  const queued = before.then(() => turn.promise);
  queues.set(gitFolder, queued);
  await before;
  try {
    return await holding(lockFile(gitFolder), work);
  } finally {
    turn.resolve();
    if (queues.get(gitFolder) === queued) queues.delete(gitFolder);
  }
}

export function lockFile(gitFolder: string): string {
  return join(gitFolder, 'attractor.lock');
}

async function holding<Value>(path: string, work: () => Promise<Value>): Promise<Value> {
  const lock = new DatabaseSync(path);
  try {
    await acquire(lock, path);
    return await work();
  } finally {
    lock.close();
  }
}

async function acquire(lock: DatabaseSync, path: string): Promise<void> {
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    try {
      lock.exec('pragma busy_timeout = 0; begin exclusive');
      return;
    } catch (error) {
      if (performance.now() > deadline)
        throw new Error(`${path} is held by another process for too long`, { cause: error });
      await sleep(5 + Math.random() * 20);
    }
  }
}
