import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { isInside } from '../containment/resolve.ts';

/** In whose place commands have others of their own. */
const TEMPORARY = ['/tmp', '/var/tmp'];

export function isTemporary(file: string): boolean {
  return TEMPORARY.some((folder) => isInside(folder, realOr(file)));
}

/**
 * Of a program that a person configured (a server, a hook): the files that it is started with and that lie in a temporary folder, each with
 * what lies beside it. `argv` must be a person's own words, never the text of a shell and never anything of a model's.
 */
export function programFiles(argv: ReadonlyArray<string>): ReadonlyArray<string> {
  return argv.filter((word) => path.isAbsolute(word) && isTemporary(word) && isFile(word)).map(aroundFile);
}

/** A script comes with the files beside it, unless it lies in everybody's folder. */
function aroundFile(file: string): string {
  const real = realOr(file);
  const folder = path.dirname(real);
  return TEMPORARY.includes(folder) ? real : folder;
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}

/** The real path; of what is not there, the path as it is. */
export function realOr(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    return path.resolve(file);
  }
}
