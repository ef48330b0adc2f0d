import { access, constants, mkdir, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { messageOf } from '@attractor/base';

export const GB = 1_000_000_000;
/** Below this a commit or a journal write may fail at any moment. */
export const LEAST_FREE = 200_000_000;

/** Null while a run has room to work on this machine. It is asked often, so it only asks the file systems. */
export async function whyNoRoom(home: string): Promise<string | null> {
  for (const place of [home, tmpdir()]) {
    // A home of a shared database is made when it is first needed.
    const space = await statfs(place).catch(() => statfs(dirname(place)).catch(() => null));
    const free = space === null ? LEAST_FREE : space.bavail * space.bsize;
    if (free < LEAST_FREE) return `The disk of ${place} has only ${gb(free)} left: make room.`;
  }
  return null;
}

/** Null while a run can leave its files here; makes the folder if there is none. It may be another user's, or on a disk that became read-only. */
export async function whyNotWritable(home: string): Promise<string | null> {
  try {
    await mkdir(home, { recursive: true, mode: 0o700 });
    await access(home, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    return `${home} can't be written to (${messageOf(error)}). Set ATTRACTOR_HOME to a folder you can write to.`;
  }
}

const NO_ROOM = /no space left|disk is full|out of diskspace|ENOSPC/i;

/** Programs say it in their own words; by the time somebody looks, there may be room again. */
export function saysNoRoom(text: string): boolean {
  return NO_ROOM.test(text);
}

export function gb(bytes: number): string {
  return `${(bytes / GB).toFixed(bytes < GB ? 3 : 1)} GB`;
}
