import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * One holder at a time, across processes. The lock is a directory that appears by rename with its owner's name already inside, so a lock
 * without an owner never exists. A dead owner's lock is taken over.
 *
 * @template T
 * @param {string} path the lock directory while it is held
 * @param {{ onWait?: (pid: number) => void, pollMs?: number }} options
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(path, options, work) {
  const token = await acquire(path, options);
  try {
    return await work();
  } finally {
    release(path, token);
  }
}

async function acquire(path, { onWait = () => {}, pollMs = 200 }) {
  mkdirSync(dirname(path), { recursive: true });
  const token = randomUUID();
  let told = false;
  while (!tryTake(path, token)) {
    const owner = readOwner(path);
    if (owner === undefined) continue;
    if (!isAlive(owner)) {
      bury(path, owner);
      continue;
    }
    if (!told) onWait(owner.pid);
    told = true;
    await sleep(pollMs);
  }
  return token;
}

function tryTake(path, token) {
  const made = `${path}.${token}`;
  mkdirSync(made);
  writeFileSync(join(made, 'owner.json'), JSON.stringify({ pid: process.pid, birth: birthOf(process.pid), token }));
  try {
    renameSync(made, path);
    return true;
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    if (error.code === 'ENOTEMPTY' || error.code === 'EEXIST') return false;
    throw error;
  }
}

function readOwner(path) {
  try {
    return JSON.parse(readFileSync(join(path, 'owner.json'), 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function isAlive(owner) {
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if (error.code === 'ESRCH') return false;
  }
  return owner.birth === birthOf(owner.pid);
}

/** Start time in clock ticks since boot, which distinguishes a process from a later one with the same number. */
function birthOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

/** Moves a dead owner's lock away. If another process took it over in between, its lock is restored. */
function bury(path, dead) {
  const grave = `${path}.${randomUUID()}`;
  try {
    renameSync(path, grave);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  if (readOwner(grave)?.token === dead.token) rmSync(grave, { recursive: true, force: true });
  else renameSync(grave, path);
}

/** Moved away whole before it is deleted: the next owner's directory could replace an emptied one while we delete. */
function release(path, token) {
  if (readOwner(path)?.token === token) bury(path, { token });
}
