import { accessSync, constants, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';

const USUAL = ['/usr/bin', '/usr/local/bin', '/opt/homebrew/bin', '/bin'];

/**
 * The absolute path of the git program, or null. A folder inside one of `outside` is skipped, and so is a relative one: a repository must
 * not supply its own git.
 */
export function findGit(searchPath: string, outside: ReadonlyArray<string>): string | null {
  return firstOf('git', [...foldersOutside(searchPath, outside), ...USUAL], outside);
}

/** The same for a program beside git, which has to be on the search path. */
export function findBeside(name: string, searchPath: string, outside: ReadonlyArray<string>): string | null {
  return firstOf(name, foldersOutside(searchPath, outside), outside);
}

function firstOf(name: string, folders: ReadonlyArray<string>, outside: ReadonlyArray<string>): string | null {
  for (const folder of folders) {
    const candidate = path.join(folder, name);
    if (isExecutable(candidate) && !isInside(outside, realOr(candidate))) return candidate;
  }
  return null;
}

/** The folders of a search path that are absolute and, with links resolved, in none of `outside`. */
export function foldersOutside(searchPath: string, outside: ReadonlyArray<string>): ReadonlyArray<string> {
  return searchPath
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder) && !isInside(outside, realOr(folder)) && !isInside(outside, folder));
}

/** A folder, every checkout that contains it, and the checkout that each of these is a worktree of. Found without running anything. */
export function checkoutsAround(folder: string): ReadonlyArray<string> {
  const start = realOr(path.resolve(folder));
  const around = new Set([start]);
  for (let at = start; at !== path.dirname(at); at = path.dirname(at)) {
    const main = mainCheckout(at);
    if (main !== null) around.add(at).add(main);
  }
  around.delete(path.parse(start).root);
  return [...around];
}

const WORKTREE = /^gitdir: (.+)[/\\]\.git[/\\]worktrees[/\\][^/\\]+\s*$/;

/** The folder itself if it is a checkout, the one it is a worktree of, or null. */
function mainCheckout(folder: string): string | null {
  try {
    const link = path.join(folder, '.git');
    const stats = lstatSync(link, { throwIfNoEntry: false });
    if (stats === undefined) return null;
    const named = stats.isFile() && stats.size < 8192 ? WORKTREE.exec(readFileSync(link, 'utf8'))?.[1] : undefined;
    return named === undefined ? folder : realOr(path.resolve(folder, named));
  } catch {
    return null;
  }
}

function isInside(roots: ReadonlyArray<string>, candidate: string): boolean {
  return roots.some((root) => candidate === root || candidate.startsWith(root + path.sep));
}

/** Most folders of a search path have no git: they are told apart without the cost of an exception. */
function isExecutable(file: string): boolean {
  try {
    if (statSync(file, { throwIfNoEntry: false }) === undefined) return false;
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function realOr(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    return file;
  }
}
