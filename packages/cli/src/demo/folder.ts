import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '@attractor/base/id';
import { acquireLock, type Lock, LockHeld } from '@attractor/system';

/**
 * A demo's own folder: its sample repository and its state, separate from every other demo. One process at a time works in it; when that
 * one is dead the next demo takes the folder over and continues. `finished` marks the end of the run.
 */
export type DemoFolder = {
  readonly path: string;
  readonly home: string;
  readonly sample: string;
  readonly resumed: boolean;
  readonly markFinished: () => void;
  readonly release: () => void;
};

export function claimDemoFolder(home: string): DemoFolder {
  const demos = join(home, 'demos');
  mkdirSync(demos, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(demos).toSorted()) {
    const path = join(demos, name);
    const lock = existsSync(join(path, 'finished')) ? null : tryLock(path);
    if (lock !== null) return describe(path, lock, { resumed: true });
  }
  const path = join(demos, newId('demo'));
  mkdirSync(path, { mode: 0o700 });
  const lock = tryLock(path);
  // Another demo may have looked in between and taken the new folder for an abandoned one: leave it to that one.
  return lock === null ? claimDemoFolder(home) : describe(path, lock, { resumed: false });
}

function tryLock(path: string): Lock | null {
  try {
    return acquireLock(join(path, 'owner'));
  } catch (error) {
    if (error instanceof LockHeld) return null;
    throw error;
  }
}

function describe(path: string, lock: Lock, { resumed }: { readonly resumed: boolean }): DemoFolder {
  return {
    path,
    home: join(path, 'home'),
    sample: join(path, 'sample'),
    resumed,
    markFinished: () => writeFileSync(join(path, 'finished'), '', { mode: 0o600 }),
    release: lock.release,
  };
}
