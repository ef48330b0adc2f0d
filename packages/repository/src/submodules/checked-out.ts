import { existsSync, realpathSync } from 'node:fs';
import { isAbsolute, join, resolve, sep } from 'node:path';
import { git } from '../git/repository.ts';

/** A submodule with files in a worktree, by its path from the top. `commit`: what the index around it says. */
export type CheckedOutSubmodule = { readonly path: string; readonly folder: string; readonly commit: string };

const POINTER = /^160000 ([0-9a-f]{40,64}) 0\t(.+)$/s;

/** Folders lead in circles where somebody put a link in place of a submodule. */
const MOST_LEVELS = 6;

/** Those inside of another one before it. Reads nothing but one name where a project has no submodules. */
export async function checkedOutSubmodules(
  worktree: string,
  { below = '', level = 1 } = {},
): Promise<ReadonlyArray<CheckedOutSubmodule>> {
  if (!existsSync(join(worktree, '.gitmodules'))) return [];
  const listed = await git(['ls-files', '--stage', '-z'], { cwd: worktree });
  if (!listed.ok) return [];
  const found: CheckedOutSubmodule[] = [];
  for (const line of listed.value.split('\0')) {
    const [, commit = '', name = ''] = POINTER.exec(line) ?? [];
    const [path, folder] = [`${below}${name}`, join(worktree, name)];
    if (name === '' || !existsSync(join(folder, '.git'))) continue;
    if (level < MOST_LEVELS)
      found.push(...(await checkedOutSubmodules(folder, { below: `${path}/`, level: level + 1 })));
    found.push({ path, folder, commit });
  }
  return found;
}

/**
 * Whether the submodule's repository is the project's own: below its git folder, where git puts it, or in the worktree. Whatever an agent
 * wrote into `.git` there, nothing is committed to another repository, and nothing of another one is taken over.
 */
export async function isOwnRepository(
  { folder }: CheckedOutSubmodule,
  { gitFolder, worktree }: { readonly gitFolder: string; readonly worktree: string },
): Promise<boolean> {
  const told = await git(['rev-parse', '--git-dir', '--git-common-dir', '--show-toplevel'], { cwd: folder });
  const [own = '', common = '', top = ''] = told.ok ? told.value.split('\n').map((name) => real(folder, name)) : [];
  const homes = [join(gitFolder, 'modules'), join(gitFolder, 'worktrees'), worktree].map((name) => real('/', name));
  const isInside = homes.some((home) => own.startsWith(`${home}${sep}`));
  return isInside && own === common && top === real('/', folder) && !existsSync(join(own, 'objects/info/alternates'));
}

function real(folder: string, name: string): string {
  const path = isAbsolute(name) ? name : resolve(folder, name);
  return existsSync(path) ? realpathSync(path) : path;
}
