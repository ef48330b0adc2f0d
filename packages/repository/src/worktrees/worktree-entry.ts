import { existsSync, realpathSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { git, type Repository } from '../git/repository.ts';
import { adminFolder, entriesOf, namedFolder } from '../git/worktree-admin.ts';

/**
 * The commit of a folder whose link to the repository is intact in both directions, and that is on the task's branch. Null for anything
 * else, which is made again.
 */
export async function soundHead(
  { repository, branch }: { readonly repository: Repository; readonly branch: string },
  path: string,
): Promise<string | null> {
  if (!existsSync(join(path, '.git'))) return null;
  const places = ['--show-toplevel', '--git-common-dir', '--absolute-git-dir'];
  const asked = await git(['rev-parse', ...places, '--verify', '--quiet', 'HEAD^{commit}'], { cwd: path });
  if (!asked.ok) return null;
  const [top = '', common = '', admin = '', commit = ''] = asked.value.split('\n');
  if (!samePlace(top, path) || !samePlace(common, repository.gitFolder)) return null;
  if (!samePlace(dirname(admin), join(repository.gitFolder, 'worktrees'))) return null;
  if (!samePlace(namedFolder(admin), path)) return null;
  return (await isOnBranch(path, { admin, branch })) ? commit : null;
}

/** What git says of an index that it can't read. */
export const UNREADABLE_INDEX = /index file|bad signature|bad index/i;

type Entry = { readonly admin: string; readonly branch: string };

/** Git is asked only where its file does not say so: a repository may keep its refs in another form. */
async function isOnBranch(path: string, { admin, branch }: Entry): Promise<boolean> {
  const written = await readFile(join(admin, 'HEAD'), 'utf8').catch(() => '');
  if (written === `ref: refs/heads/${branch}\n`) return true;
  const head = await git(['symbolic-ref', '--quiet', 'HEAD'], { cwd: path });
  return head.ok && head.value === `refs/heads/${branch}`;
}

/** Drops git's entry for a worktree whose folder is gone or broken: only ours, never all that seem stale. */
export async function forgetWorktree(repository: Repository, path: string): Promise<void> {
  for (const entry of entriesOf(repository, path)) {
    await git(['worktree', 'unlock', path], { cwd: repository.root });
    await git(['worktree', 'remove', '--force', path], { cwd: repository.root });
    // Git leaves an entry alone that it does not understand, such as an unfinished one.
    await rm(entry, { recursive: true, force: true });
  }
}

/** The worktree's last commit by its own log: a branch that was deleted under it comes back with its commits. */
export async function lastCommit(repository: Repository, path: string): Promise<string | null> {
  const entry = adminFolder(repository, path);
  if (entry === null) return null;
  const log = await readFile(join(entry, 'logs', 'HEAD'), 'utf8').catch(() => '');
  const commit = log.trimEnd().split('\n').at(-1)?.split(' ')[1];
  if (commit === undefined || !/^[0-9a-f]{40,64}$/.test(commit)) return null;
  const known = await git(['rev-parse', '--verify', '--quiet', `${commit}^{commit}`], { cwd: repository.root });
  return known.ok ? known.value : null;
}

function samePlace(a: string, b: string): boolean {
  try {
    return a !== '' && b !== '' && realpathSync(a) === realpathSync(b);
  } catch {
    return false;
  }
}
