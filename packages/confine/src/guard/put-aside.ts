import { constants, closeSync, fstatSync, fchmodSync, lstatSync, openSync, renameSync, rmdirSync } from 'node:fs';
import path from 'node:path';
import { newId } from '@attractor/base/id';
import { anchorToRead } from '../containment/anchor.ts';

/** What was put aside, and the name that it has now; null where it was an empty folder, which is gone. */
export type Aside = { readonly at: string; readonly now: string | null };

/**
 * Renames a file or folder below `root` to a name that no program obeys, without the right to be run. Its folder is held meanwhile:
 * swapped for a link it would make us rename something elsewhere. Null where nothing is there any more, or its folder is not what it was.
 */
export function putAside(root: string, at: string): Aside | null {
  try {
    const folder = anchorToRead(root, path.dirname(at));
    try {
      return renameIn(folder.at, at);
    } finally {
      folder.close();
    }
  } catch {
    return null;
  }
}

function renameIn(folder: string, at: string): Aside | null {
  const from = path.join(folder, path.basename(at));
  const stats = lstatSync(from, { throwIfNoEntry: false });
  if (stats === undefined) return null;
  if (stats.isDirectory() && isRemoved(from)) return { at, now: null };
  const name = `${path.basename(at)}.${newId('refused')}`;
  const to = path.join(folder, name);
  renameSync(from, to);
  if (stats.isFile()) takeRightToRun(to);
  if (stats.isDirectory()) closeTo(to);
  return { at, now: path.join(path.dirname(at), name) };
}

function isRemoved(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

function takeRightToRun(file: string): void {
  try {
    const descriptor = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const { mode } = fstatSync(descriptor);
    if ((mode & 0o111) !== 0) fchmodSync(descriptor, mode & 0o666);
    closeSync(descriptor);
  } catch {
    // Replaced meanwhile: then it is looked at again.
  }
}

/** A folder may be one of git's; without its head it is none. */
function closeTo(folder: string): void {
  try {
    if (lstatSync(path.join(folder, 'HEAD'), { throwIfNoEntry: false })?.isFile() === true)
      renameSync(path.join(folder, 'HEAD'), path.join(folder, 'HEAD.refused'));
  } catch {
    // Not readable: then nobody obeys it either.
  }
}
