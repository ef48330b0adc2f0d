import { realpathSync } from 'node:fs';
import path from 'node:path';
import { targetAt } from '../containment/list-folder.ts';
import { isInside } from '../containment/resolve.ts';

/** Commands have their own instead. */
const TEMPORARY = ['/tmp', '/var/tmp'];

export function isTemporary(file: string): boolean {
  return TEMPORARY.some((folder) => isInside(folder, realOr(file)));
}

/**
 * For a program that a person configured (a server, a hook): the files that it is started with and that are in a temporary folder, each
 * with what is beside it. `argv` must be written by a person, never shell text and never by a model.
 */
export function programFiles(argv: ReadonlyArray<string>): ReadonlyArray<string> {
  return argv.filter((word) => path.isAbsolute(word) && isTemporary(word) && isFile(word)).map(aroundFile);
}

/** A script needs the files beside it, unless it is in a shared folder. */
function aroundFile(file: string): string {
  const real = realOr(file);
  const folder = path.dirname(real);
  return TEMPORARY.includes(folder) ? real : folder;
}

function isFile(file: string): boolean {
  return targetAt(file)?.isFile() === true;
}

/** The real path; of what is not there, the path as it is. */
export function realOr(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    return path.resolve(file);
  }
}
