import { closeSync, constants, existsSync, mkdirSync, openSync, readlinkSync, rmdirSync } from 'node:fs';
import { EnvironmentError } from '../types/index.ts';
import { checkNewName } from './path-rules.ts';
import { isInside, type ResolvedPath } from './resolve.ts';

/**
 * A folder held open. Names below `at` reach that very folder even if somebody swaps one of its parents for a link:
 * on Linux `at` goes through the descriptor. Elsewhere it is the checked path itself.
 */
export type AnchoredFolder = { readonly at: string; readonly close: () => void };

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;

/** Holds the folder of a resolved path, checked again after it was opened. */
export function anchorFolder(root: string, folder: string): AnchoredFolder {
  const fd = openSync(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  const real = realPathOfDescriptor(fd);
  if (real !== null && !isInside(root, real)) {
    closeSync(fd);
    throw swapped(folder);
  }
  return { at: real === null ? folder : `/proc/self/fd/${fd}`, close: () => closeSync(fd) };
}

/**
 * The folder that holds (or will hold) the last name of `resolved`, making missing ones on the way.
 * `undo` removes what was made, for when the write itself then fails.
 */
export function makeFolders(root: string, resolved: ResolvedPath): AnchoredFolder & { readonly undo: () => void } {
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
      mkdirSync(next);
      made.push(next);
      current = anchorFolder(root, next);
      held.push(current);
    }
  } catch (error) {
    undo();
    close();
    throw error;
  }
  return { at: current.at, close, undo };
}

/** What the opened file or folder is called now; null where the system does not say. */
export function realPathOfDescriptor(fd: number): string | null {
  const link = `/proc/self/fd/${fd}`;
  return existsSync('/proc/self/fd') ? readlinkSync(link) : null;
}

export function swapped(name: string): EnvironmentError {
  return new EnvironmentError({
    code: 'outside',
    message: `${name} was replaced while it was being opened and now leads elsewhere: nothing was done.`,
  });
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Somebody uses it already.
  }
}
