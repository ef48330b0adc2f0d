import { closeSync, constants, existsSync, mkdirSync, openSync } from 'node:fs';
import { errnoOf } from './failure.ts';
import { absolutePath, type PathKey } from './path-bytes.ts';

/** A folder below the root, reached without following any link, and held: its names stay its own even if a parent is swapped meanwhile. */
export type HeldFolder = { readonly child: (name: PathKey) => Buffer; readonly close: () => void };

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;

/** Throws ENOENT (unless it may be created), ENOTDIR or ELOOP if the path does not consist of plain folders. */
export function holdFolder(root: string, folder: PathKey, missing: 'make' | 'fail'): HeldFolder {
  const throughDescriptor = existsSync('/proc/self/fd');
  let fd = openSync(root, O_RDONLY | O_DIRECTORY);
  let at = '';
  try {
    for (const name of folder.split('/').filter(Boolean)) {
      at = at === '' ? name : `${at}/${name}`;
      const next = throughDescriptor ? absolutePath(`/proc/self/fd/${fd}`, name) : absolutePath(root, at);
      const opened = openFolder(next, missing);
      closeSync(fd);
      fd = opened;
    }
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  const here = throughDescriptor ? `/proc/self/fd/${fd}` : null;
  const below = (name: PathKey): Buffer =>
    here === null ? absolutePath(root, at === '' ? name : `${at}/${name}`) : absolutePath(here, name);
  return { child: below, close: () => closeSync(fd) };
}

function openFolder(folder: Buffer, missing: 'make' | 'fail'): number {
  const flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW;
  try {
    return openSync(folder, flags);
  } catch (error) {
    if (missing === 'fail' || errnoOf(error) !== 'ENOENT') throw error;
    mkdirSync(folder);
    return openSync(folder, flags);
  }
}
