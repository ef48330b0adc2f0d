import path from 'node:path';
import { randomHex } from '@attractor/base/random';
import { codeOf, realDisk, removeQuietly, writeAll, type Disk } from '../disk/disk.ts';
import { LockHeld } from './lock-held.ts';
import { fateOf, ownIdentity, type ProcessIdentity } from './process-identity.ts';

type Owner = ProcessIdentity & { readonly token: string };

export type Lock = {
  readonly release: () => void;
  /** False once another process took it over, which can only happen after this one stood still for long. */
  readonly isHeld: () => boolean;
};

/** How often an owner shows that it is alive, and after how much silence an owner that we can't see counts as dead. */
const BEAT_MS = 10_000;
const SILENCE_MS = 60_000;

/**
 * One holder at a time, across processes. The lock is a file that appears with its content in one step (link); a dead owner's lock is
 * replaced only by the first process that takes the lock named after that owner's token, so two heirs can't both win. Throws `locked` while
 * the holder lives: proven by its process if it is visible, by its heartbeat otherwise.
 */
export function acquireLock(file: string, disk: Disk = realDisk): Lock {
  const owner: Owner = { ...ownIdentity(), token: randomHex(8) };
  const mine = `${file}.${owner.token}`;
  try {
    const fd = disk.open(mine, 'wx', 0o600);
    try {
      writeAll(disk, fd, Buffer.from(JSON.stringify(owner)));
    } finally {
      disk.close(fd);
    }
    claim({ disk, mine, token: owner.token }, file);
  } finally {
    removeQuietly(disk, mine);
  }
  removeLeftovers(disk, file);
  return hold(disk, file, owner.token);
}

/** Who holds the lock, as far as is visible from here; null if no living process does. */
export function holderOf(file: string): { readonly pid: number } | null {
  const holder = readOwner(realDisk, file);
  return holder === null || fateOf(holder) === 'dead' ? null : { pid: holder.pid };
}

function hold(disk: Disk, file: string, token: string): Lock {
  const isOurs = (): boolean => readOwner(disk, file)?.token === token;
  let seen = now();
  const beat = (): boolean => {
    if (!isOurs()) return false;
    seen = now();
    touchQuietly(disk, file);
    return true;
  };
  const timer = setInterval(beat, BEAT_MS).unref();
  return {
    // A process that was suspended can't know what happened in the meantime: it checks before it continues.
    isHeld: () => elapsed(seen, now()) < SILENCE_MS / 2 || beat(),
    release: () => {
      clearInterval(timer);
      if (isOurs()) removeQuietly(disk, file);
    },
  };
}

type Moment = { readonly running: number; readonly wall: number };

/** Neither clock alone sees everything: one stops while the machine sleeps, the other is set by people. */
function now(): Moment {
  return { running: performance.now(), wall: Date.now() };
}

function elapsed(from: Moment, to: Moment): number {
  return Math.max(to.running - from.running, to.wall - from.wall);
}

type Claimant = { readonly disk: Disk; readonly mine: string; readonly token: string };

function claim(claimant: Claimant, file: string): void {
  const { disk, mine, token } = claimant;
  for (;;) {
    if (tryLink(disk, mine, file)) return;
    const holder = readOwner(disk, file);
    if (holder === null) continue;
    if (isAlive(disk, holder, { file, mine })) throw heldBy(holder, file);
    inherit(claimant, file, holder);
    if (readOwner(disk, file)?.token === token) return;
  }
}

function inherit(claimant: Claimant, file: string, dead: Owner): void {
  const { disk, mine } = claimant;
  const heirs = `${file}.heir.${dead.token}`;
  claim(claimant, heirs);
  try {
    if (readOwner(disk, file)?.token !== dead.token) return;
    const copy = `${mine}.copy`;
    disk.link(mine, copy);
    try {
      disk.rename(copy, file);
    } catch (error) {
      removeQuietly(disk, copy);
      throw error;
    }
  } finally {
    removeQuietly(disk, heirs);
  }
}

function heldBy(holder: Owner, file: string): LockHeld {
  const where = fateOf(holder) === 'unknown' ? ` on ${holder.machine ?? 'another machine'}` : '';
  return new LockHeld(
    `The session is in use by process ${holder.pid}${where} (${file}): end that process, or follow it as a viewer.`,
  );
}

/** Both times are from the same file system, so no other clock matters. */
function isAlive(disk: Disk, holder: Owner, { file, mine }: { readonly file: string; readonly mine: string }): boolean {
  const fate = fateOf(holder);
  if (fate !== 'unknown') return fate === 'alive';
  try {
    disk.touch(mine);
    return disk.modifiedAt(mine) - disk.modifiedAt(file) < SILENCE_MS;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return true;
    throw error;
  }
}

function tryLink(disk: Disk, from: string, to: string): boolean {
  try {
    disk.link(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Null if nobody holds it any more. A lock that can't be parsed as ours counts as a dead owner's. */
function readOwner(disk: Disk, file: string): Owner | null {
  let text: string;
  try {
    text = disk.readText(file);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
  try {
    const value: unknown = JSON.parse(text);
    return isOwner(value) ? value : DAMAGED;
  } catch {
    return DAMAGED;
  }
}

const DAMAGED: Owner = { pid: 0, started: null, token: 'damaged' };

function isOwner(value: unknown): value is Owner {
  if (typeof value !== 'object' || value === null) return false;
  return 'pid' in value && typeof value.pid === 'number' && 'token' in value && typeof value.token === 'string';
}

/** What claimants that died midway left: their own files, and locks of heirs. */
function removeLeftovers(disk: Disk, file: string): void {
  const folder = path.dirname(file);
  for (const name of disk.list(folder)) {
    if (!name.startsWith(`${path.basename(file)}.`)) continue;
    const owner = readOwner(disk, path.join(folder, name));
    if (owner !== null && owner.token !== DAMAGED.token && fateOf(owner) === 'dead')
      removeQuietly(disk, path.join(folder, name));
  }
}

function touchQuietly(disk: Disk, file: string): void {
  try {
    disk.touch(file);
  } catch {
    // The next heartbeat tries again.
  }
}
