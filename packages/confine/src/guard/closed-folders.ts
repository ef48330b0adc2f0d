import { chmodSync, closeSync, constants, type Dirent, fstatSync, openSync, readdirSync } from 'node:fs';
import { entryAt } from '../containment/list-folder.ts';

/**
 * A folder that its owner may enter and not list hides what is in it from us, and not from a program that knows the names: git does. A
 * command of a user without rights can make one. So it is made listable: for a moment, or, where git keeps its own, to stay.
 */
export type Opened = 'for a moment' | 'to stay';

/** Nothing where the folder is not there, or nobody can get into it. */
export function entriesWithin(folder: string, opened: Opened): ReadonlyArray<Dirent> {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (!isDenied(error)) return [];
    return inOpened(folder, opened, (at) => readdirSync(at, { withFileTypes: true })) ?? [];
  }
}

const { O_DIRECTORY, O_NOFOLLOW } = constants;
/** Holding a folder needs no permission to list it; Node has no name for this flag. */
const O_PATH = 0o10000000;
const [TO_LIST, TO_ENTER] = [0o400, 0o100];

/** What `act` makes of the folder by the path that it is given; null where it can't be opened, or need not: nobody can get into it. */
export function inOpened<Made>(folder: string, opened: Opened, act: (at: string) => Made): Made | null {
  let held: number | undefined;
  try {
    held = openSync(folder, O_PATH | O_DIRECTORY | O_NOFOLLOW);
    const mode = fstatSync(held).mode & 0o7777;
    if ((mode & TO_ENTER) === 0) return null;
    const at = `/proc/self/fd/${held}`;
    chmodSync(at, mode | TO_LIST);
    try {
      return act(at);
    } finally {
      if (opened === 'for a moment') chmodSync(at, mode);
    }
  } catch {
    return null;
  } finally {
    if (held !== undefined) closeSync(held);
  }
}

export function canBeEntered(folder: string): boolean {
  return ((entryAt(folder)?.mode ?? 0) & TO_ENTER) !== 0;
}

export function isDenied(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EACCES';
}
