import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readPlain } from './files-of-git.ts';
import type { Repository } from './repository.ts';

/** Git's entry for a worktree, in the repository's git folder; null if there is none. It mostly has the name of the worktree's folder. */
export function adminFolder(repository: Repository, path: string): string | null {
  const likely = join(entriesFolder(repository), basename(path));
  if (namedFolder(likely) === path && isFolder(likely)) return likely;
  return entriesOf(repository, path)[0] ?? null;
}

/**
 * Entries that name this folder, and one of its name that names no existing folder. Never a link. Git names an entry after the folder that it
 * is made for; only one that was moved has another name, and then it is there.
 */
export function entriesOf(repository: Repository, path: string): ReadonlyArray<string> {
  const parent = entriesFolder(repository);
  const mayHaveMoved = existsSync(path);
  return namesIn(parent)
    .filter((name) => mayHaveMoved || name.startsWith(basename(path)))
    .filter((name) => {
      const folder = namedFolder(join(parent, name));
      return folder === path || (name === basename(path) && (folder === '' || !existsSync(folder)));
    })
    .map((name) => join(parent, name))
    .filter(isFolder);
}

/** The worktree that an entry says it belongs to; empty if it names none. */
export function namedFolder(entry: string): string {
  const link = readPlain(join(entry, 'gitdir'))?.toString().trim() ?? '';
  return link === '' ? '' : dirname(link);
}

function entriesFolder({ gitFolder }: Repository): string {
  return join(gitFolder, 'worktrees');
}

function namesIn(folder: string): ReadonlyArray<string> {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
