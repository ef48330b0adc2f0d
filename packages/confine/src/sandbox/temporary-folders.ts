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

/** The same for a program that is called by its name alone: where it is found, and what that leads to. */
export function programOnPath(name: string, searchPath: string): ReadonlyArray<string> {
  if (name.includes('/')) return [];
  const folder = searchPath.split(':').find((at) => path.isAbsolute(at) && isFile(path.join(at, name)));
  if (folder === undefined) return [];
  const beside = isTemporary(folder) && !TEMPORARY.includes(folder) ? [realOr(folder)] : [];
  return [...new Set([...beside, ...programFiles([path.join(folder, name)])])];
}

/** A script needs the files beside it, unless it is in a shared folder, and the packages of the folders above it. */
function aroundFile(file: string): string {
  const real = realOr(file);
  const folder = path.dirname(real);
  if (TEMPORARY.includes(folder)) return real;
  return foldersFrom(folder).findLast((at) => isFolder(path.join(at, 'node_modules'))) ?? folder;
}

/** The folder and those above it that are no shared one. Packages that lie right in a shared one are a folder of their own. */
function foldersFrom(folder: string): ReadonlyArray<string> {
  const above = path.dirname(folder);
  return TEMPORARY.includes(above) || above === folder ? [folder] : [folder, ...foldersFrom(above)];
}

function isFolder(file: string): boolean {
  return targetAt(file)?.isDirectory() === true;
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
