import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';

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

const NO_ROOM = /no space left|disk is full|out of diskspace|ENOSPC/i;

/** Programs say it in their own words; by the time somebody looks, there may be room again. */
export function saysNoRoom(text: string): boolean {
  return NO_ROOM.test(text);
}

export function gb(bytes: number): string {
  return `${(bytes / GB).toFixed(bytes < GB ? 3 : 1)} GB`;
}
