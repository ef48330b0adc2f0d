import { readdir, readlink, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { done } from '@attractor/base';
import { refuse, type Result } from '@attractor/store';
import type { Repository } from '../git/repository.ts';

const STALE_MS = 10 * 60_000;
const PATIENCE_MS = 2000;

export type Locked = { readonly branch: string; readonly admin: string | null };

/**
 * A killed git leaves a `.lock` behind, and from then on refuses all work. A lock is removed only if no process has it open and it is older
 * than ten minutes; a younger one may be in use, so we wait a little and then report it. The person's own index is never looked at: nothing
 * here needs it.
 */
export async function clearStaleLocks({ gitFolder }: Repository, { branch, admin }: Locked): Promise<Result<null>> {
  const needed = [
    ...(admin === null ? [] : [join(admin, 'index.lock'), join(admin, 'HEAD.lock')]),
    join(gitFolder, 'refs', 'heads', `${branch}.lock`),
    join(gitFolder, 'packed-refs.lock'),
  ];
  for (const lock of needed) {
    const left = await clear(lock);
    if (left !== null) return refuse('unavailable', left);
  }
  // Nothing here writes the configuration, so a young lock on it is no obstacle.
  await removeIfStale(join(gitFolder, 'config.lock'));
  return done(null);
}

/** Null if the lock is gone, otherwise why it stays. */
async function clear(lock: string): Promise<string | null> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const age = await removeIfStale(lock);
    if (age === null) return null;
    if (performance.now() >= deadline)
      return `${lock} is ${Math.max(0, Math.round(age / 1000))} s old: another git is at work, or was killed. Wait until it is done; if none is running, remove the file.`;
    await sleep(50);
  }
}

/** Null if there is no lock any more, otherwise its age. */
async function removeIfStale(lock: string): Promise<number | null> {
  const age = await stat(lock).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => null,
  );
  if (age === null || age <= STALE_MS || (await isOpen(lock))) return age;
  await rm(lock, { force: true });
  return null;
}

/** Whether a living process has the file open, as far as this machine can tell. */
async function isOpen(file: string): Promise<boolean> {
  const processes = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const pid of processes) {
    const folder = `/proc/${pid}/fd`;
    for (const fd of await readdir(folder).catch(() => []))
      if ((await readlink(join(folder, fd)).catch(() => '')) === file) return true;
  }
  return false;
}
