import { existsSync } from 'node:fs';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Repository } from './repository.ts';

/** Git's entry for a worktree, in the repository's git folder; null if there is none. */
export async function adminFolder(repository: Repository, path: string): Promise<string | null> {
  const [first] = await entriesOf(repository, path);
  return first ?? null;
}

/** Entries that name this folder, and one of its name that names no existing folder. Never a link. */
export async function entriesOf({ gitFolder }: Repository, path: string): Promise<ReadonlyArray<string>> {
  const parent = join(gitFolder, 'worktrees');
  const names = await readdir(parent).catch(() => []);
  const own: string[] = [];
  for (const name of names) {
    const entry = join(parent, name);
    if (!(await isFolder(entry))) continue;
    const folder = await namedFolder(entry);
    const isAbandoned = name === path.slice(dirname(path).length + 1) && (folder === '' || !existsSync(folder));
    if (folder === path || isAbandoned) own.push(entry);
  }
  return own;
}

async function isFolder(path: string): Promise<boolean> {
  return lstat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

/** The worktree that an entry says it belongs to; empty if it names none. */
export async function namedFolder(entry: string): Promise<string> {
  const link = (await readFile(join(entry, 'gitdir'), 'utf8').catch(() => '')).trim();
  return link === '' ? '' : dirname(link);
}
