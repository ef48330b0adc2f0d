import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { done } from '@attractor/base';
import { refuse, type Result } from '@attractor/store';
import type { Repository } from './repository.ts';

const USUAL_FOLDER = '.agent-worktrees';

/**
 * The folder that a person chose for the worktrees of a project: below the repository, or anywhere by its absolute path. A repository's own
 * file can't set it. Never in git's own folder.
 */
export function chosenFolder({ root, gitFolder }: Repository, wanted: string): Result<string> {
  const named = resolve(root, wanted);
  const isBelow = isInside(root, named);
  // A path inside the repository can't lead elsewhere: a link on the way is refused when a worktree is made.
  const folder = isBelow ? named : realOf(named);
  if (/\p{Cc}/u.test(wanted)) return refuse('invalid', problemOf(wanted, 'holds a control character'));
  if (folder === root) return refuse('invalid', problemOf(wanted, 'is the repository itself'));
  if (!isAbsolute(wanted) && !isBelow)
    return refuse('invalid', problemOf(wanted, 'leads out of the repository: give an absolute path'));
  if (folder === gitFolder || isInside(gitFolder, folder))
    return refuse('invalid', problemOf(wanted, "is in git's own folder"));
  if (isInside(root, folder) && /[*?[\]\\!#]|\s$/.test(relative(root, folder)))
    return refuse('invalid', problemOf(wanted, 'holds a character that means something else to git'));
  return done(folder);
}

/** Where our worktrees may be: in the default folder, and in the one that a person chose. */
export function worktreeFolders({ root, worktrees }: Repository): ReadonlyArray<string> {
  const usual = join(root, USUAL_FOLDER);
  return worktrees === undefined || worktrees === usual ? [usual] : [usual, worktrees];
}

/** A worktree that started in the default folder stays there. `name`: of the task, or of one attempt at it. */
export function worktreePath(repository: Repository, name: string): string {
  const [usual = '', chosen = usual] = worktreeFolders(repository).map((folder) => join(folder, name));
  return existsSync(usual) ? usual : chosen;
}

export function isOurWorktree(repository: Repository, path: string): boolean {
  return worktreeFolders(repository).includes(dirname(path));
}

/** The folder of a worktree as a git pattern; null if it is not in the repository. */
export function folderInRepository({ root }: Repository, worktree: string): string | null {
  const folder = dirname(worktree);
  return isInside(root, folder) ? relative(root, folder).split(sep).join('/') : null;
}

/** The first link on the way to a worktree, from the repository's top or from the folder outside; null if there is none. */
export function linkOnTheWay({ root }: Repository, worktree: string): string | null {
  const top = isInside(root, worktree) ? root : dirname(dirname(worktree));
  const places: string[] = [];
  for (let at = worktree; at !== top; at = dirname(at)) places.unshift(at);
  return places.find((at) => lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() === true) ?? null;
}

/** Resolves links for the part that exists: git names worktrees by their real path. */
function realOf(folder: string): string {
  if (existsSync(folder)) return realpathSync(folder);
  const parent = dirname(folder);
  return parent === folder ? folder : join(realOf(parent), basename(folder));
}

function isInside(parent: string, path: string): boolean {
  return path.startsWith(parent.endsWith(sep) ? parent : `${parent}${sep}`);
}

function problemOf(wanted: string, problem: string): string {
  return `The folder for worktrees ${JSON.stringify(wanted)} ${problem}. Correct "worktreesPath" in the project's settings.`;
}
