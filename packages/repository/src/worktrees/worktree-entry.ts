import { existsSync, realpathSync } from 'node:fs';
import { lstat, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { git, type Repository } from '../git/repository.ts';

/** A folder whose link to the repository is intact in both directions, and that is on the task's branch. Anything else is made again. */
export async function isSound(
  { repository, branch }: { readonly repository: Repository; readonly branch: string },
  path: string,
): Promise<boolean> {
  if (!existsSync(join(path, '.git'))) return false;
  const asked = await git(['rev-parse', '--show-toplevel', '--git-common-dir'], { cwd: path });
  if (!asked.ok) return false;
  const [top = '', common = ''] = asked.value.split('\n');
  if (!samePlace(top, path) || !samePlace(common, repository.gitFolder)) return false;
  const admin = await git(['rev-parse', '--absolute-git-dir'], { cwd: path });
  if (!admin.ok || !samePlace(dirname(admin.value), join(repository.gitFolder, 'worktrees'))) return false;
  if (!samePlace(await namedFolder(admin.value), path)) return false;
  const head = await git(['symbolic-ref', '--quiet', 'HEAD'], { cwd: path });
  const commit = await git(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], { cwd: path });
  const index = await git(['ls-files', '--error-unmatch', '--', ':(top)'], { cwd: path, maxOutputBytes: 1024 });
  const isReadable = index.ok || !/index file|bad signature|bad index/i.test(index.error.message);
  return head.ok && head.value === `refs/heads/${branch}` && commit.ok && isReadable;
}

/** Git's entry for a worktree, in the repository's git folder; null if there is none. */
export async function adminFolder(repository: Repository, path: string): Promise<string | null> {
  const [first] = await entriesOf(repository, path);
  return first ?? null;
}

/** Drops git's entry for a worktree whose folder is gone or broken: only ours, never all that seem stale. */
export async function forgetWorktree(repository: Repository, path: string): Promise<void> {
  for (const entry of await entriesOf(repository, path)) {
    await git(['worktree', 'unlock', path], { cwd: repository.root });
    await git(['worktree', 'remove', '--force', path], { cwd: repository.root });
    // Git leaves an entry alone that it does not understand, such as an unfinished one.
    await rm(entry, { recursive: true, force: true });
  }
}

/** The worktree's last commit by its own log: a branch that was deleted under it comes back with its commits. */
export async function lastCommit(repository: Repository, path: string): Promise<string | null> {
  const entry = await adminFolder(repository, path);
  if (entry === null) return null;
  const log = await readFile(join(entry, 'logs', 'HEAD'), 'utf8').catch(() => '');
  const commit = log.trimEnd().split('\n').at(-1)?.split(' ')[1];
  if (commit === undefined || !/^[0-9a-f]{40,64}$/.test(commit)) return null;
  const known = await git(['rev-parse', '--verify', '--quiet', `${commit}^{commit}`], { cwd: repository.root });
  return known.ok ? known.value : null;
}

/** Entries that name this folder, and one of its name that names no existing folder. Never a link. */
async function entriesOf({ gitFolder }: Repository, path: string): Promise<ReadonlyArray<string>> {
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
async function namedFolder(entry: string): Promise<string> {
  const link = (await readFile(join(entry, 'gitdir'), 'utf8').catch(() => '')).trim();
  return link === '' ? '' : dirname(link);
}

function samePlace(a: string, b: string): boolean {
  try {
    return a !== '' && b !== '' && realpathSync(a) === realpathSync(b);
  } catch {
    return false;
  }
}
