import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { randomHex } from '@attractor/base/random';
import { acquireLock, type Lock, LockHeld } from '@attractor/system';

/**
 * Gives a path below `parent` where something can be made before it is moved to its place. What is still there afterwards is removed; what
 * a process left that was killed meanwhile is removed by the next one.
 */
export async function inDraft<Value>(parent: string, make: (draft: string) => Promise<Value>): Promise<Value> {
  await mkdir(parent, { recursive: true, mode: 0o700 });
  await removeAbandoned(parent);
  const draft = join(parent, `.clone-${randomHex(8)}`);
  // Held before there is a folder: whoever finds one without a living owner may remove it.
  const lock = acquireLock(ownerOf(draft));
  try {
    return await make(draft);
  } finally {
    await rm(draft, { recursive: true, force: true, maxRetries: 3 });
    lock.release();
  }
}

const DRAFT = /^\.clone-\w+/;

async function removeAbandoned(parent: string): Promise<void> {
  const drafts = new Set((await readdir(parent)).flatMap((name) => DRAFT.exec(name)?.[0] ?? []));
  for (const name of drafts) {
    const lock = lockIfAbandoned(ownerOf(join(parent, name)));
    // A git that outlived its process may still write there: then it is the next one's.
    if (lock !== null) await rm(join(parent, name), { recursive: true, force: true }).catch(() => null);
    lock?.release();
  }
}

function ownerOf(draft: string): string {
  return `${draft}.owner`;
}

function lockIfAbandoned(file: string): Lock | null {
  try {
    return acquireLock(file);
  } catch (error) {
    if (error instanceof LockHeld) return null;
    throw error;
  }
}
