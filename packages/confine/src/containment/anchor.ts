import { closeSync, constants, existsSync, mkdirSync, openSync, readlinkSync, rmdirSync } from 'node:fs';
import path from 'node:path';
import { EnvironmentError } from '@attractor/system';
import { checkNewName, checkUnprotected } from './path-rules.ts';
import { isInside, type ResolvedPath } from './resolve.ts';

/**
 * A folder held open. Names below `at` reach exactly that folder even if somebody swaps one of its parents for a link: on Linux `at` goes
 * through the descriptor. Elsewhere it is the checked path itself.
 * `real` is the folder's path when it was opened, and is always inside the root.
 */
export type AnchoredFolder = { readonly at: string; readonly real: string; readonly close: () => void };

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
/** Holding a folder on Linux needs no permission to list it; Node has no name for this flag. */
const O_PATH = 0o10000000;

/**
 * Holds the folder of a resolved path in order to change something in it. Refuses a protected one, and one that differs from what was
 * resolved: a parent was swapped for a link meanwhile.
 */
export function anchorFolder(root: string, folder: string): AnchoredFolder {
  checkUnprotected(path.relative(root, folder));
  return hold(root, folder, folder);
}

/** The same for reading only; protected folders may be read. */
export function anchorToRead(root: string, folder: string): AnchoredFolder {
  return hold(root, folder, folder);
}

/** Holds, for reading, a folder right below a held one; a link there is refused, not followed. */
export function anchorBelow(root: string, parent: AnchoredFolder, name: string): AnchoredFolder {
  return hold(root, `${parent.at}/${name}`, path.join(parent.real, name));
}

/**
 * The folder that contains (or will contain) the last name of `resolved`; missing folders on the way are created.
 * `undo` removes what was created, in case the write itself then fails.
 */
export function makeFolders(root: string, resolved: ResolvedPath): AnchoredFolder & { readonly undo: () => void } {
  checkUnprotected(resolved.relative);
  let current = anchorFolder(root, resolved.folder);
  const held = [current];
  const made: string[] = [];
  const undo = (): void => {
    for (const folder of made.toReversed()) removeEmpty(folder);
  };
  const close = (): void => {
    for (const folder of held) folder.close();
  };
  try {
    for (const name of resolved.rest.slice(0, -1)) {
      checkNewName(name);
      const next = `${current.at}/${name}`;
      if (makeOne(next) === 'made') made.push(next);
      current = anchorBelow(root, current, name);
      held.push(current);
    }
  } catch (error) {
    undo();
    close();
    throw error;
  }
  return { at: current.at, real: current.real, close, undo };
}

/** The current path of the opened file or folder; null if the system does not tell. */
export function realPathOfDescriptor(fd: number): string | null {
  hasDescriptors ??= existsSync(DESCRIPTORS);
  return hasDescriptors ? readlinkSync(`${DESCRIPTORS}/${fd}`) : null;
}

const DESCRIPTORS = '/proc/self/fd';
let hasDescriptors: boolean | undefined;

/**
 * One of our descriptors as other processes name it, whatever they do with their own. Our number is the one in the mounted /proc, which may
 * belong to another pid namespace than `process.pid`.
 */
export function descriptorForOthers(fd: number | string): string {
  ownFolder ??= `/proc/${readlinkSync('/proc/self')}`;
  return `${ownFolder}/fd/${fd}`;
}

let ownFolder: string | undefined;

/** A held folder, in the same way; null if it is not held by a descriptor. */
export function folderForOthers({ at }: AnchoredFolder): string | null {
  return at.startsWith(`${DESCRIPTORS}/`) ? descriptorForOthers(path.basename(at)) : null;
}

/** Whether a held folder still has the path it was opened with. False if the system does not tell. */
export function isStillHeld({ at, real }: AnchoredFolder): boolean {
  try {
    return at !== real && readlinkSync(at) === real;
  } catch {
    return false;
  }
}

export function swapped(name: string): EnvironmentError {
  return new EnvironmentError({
    code: 'outside',
    message: `${name} was replaced while it was being opened and now leads elsewhere: nothing was done.`,
  });
}

function hold(root: string, opened: string, expected: string): AnchoredFolder {
  const fd = openSync(opened, (process.platform === 'linux' ? O_PATH : O_RDONLY) | O_DIRECTORY | O_NOFOLLOW);
  const real = realPathOfDescriptor(fd);
  if ((real !== null && real !== expected) || !isInside(root, expected)) {
    closeSync(fd);
    throw swapped(expected);
  }
  const at = real === null ? opened : `/proc/self/fd/${fd}`;
  let isOpen = true;
  const close = (): void => {
    if (isOpen) closeSync(fd);
    isOpen = false;
  };
  return { at, real: expected, close };
}

/** Another writer may have made the same folder a moment ago: that one is used, and is not ours to remove. */
function makeOne(folder: string): 'made' | 'there' {
  try {
    mkdirSync(folder);
    return 'made';
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return 'there';
    throw error;
  }
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Somebody already uses it.
  }
}
