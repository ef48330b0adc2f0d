import { copyFile, lstat, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { done } from '@attractor/base';
import { gitFolderOf } from '@attractor/git';
import type { Result } from '@attractor/store';
import { treeInFiles } from '../git/files-of-git.ts';
import { git, type Repository } from '../git/repository.ts';

/** What a worktree looked like: its commit, what git calls changed, and the changed files themselves. */
export type WorkSeen = {
  readonly head: string;
  readonly changes: ReadonlyArray<string>;
  /** Null: what is changed is not told file by file. */
  readonly files: string | null;
  readonly at: number;
};

const STATUS = ['--branch', '--no-ahead-behind', '-z', '--no-renames', '--untracked-files=normal'];

export async function seeWork(worktree: string): Promise<Result<WorkSeen>> {
  const at = Date.now();
  const told = await git(['status', '--porcelain=v2', ...STATUS, '--ignore-submodules=none'], { cwd: worktree });
  if (!told.ok) return told;
  const lines = told.value.split('\0').filter((line) => line !== '');
  const head = lines.find((line) => line.startsWith(HEAD))?.slice(HEAD.length) ?? 'HEAD';
  const changes = lines.filter((line) => !line.startsWith('# '));
  return done({ head, changes, files: await looksOf(worktree, changes), at });
}

const HEAD = '# branch.oid ';

/** A clock ticks less often than files can be written: what is younger than this might have changed within one tick. */
const TICK_MS = 100;

export function isSameWork(before: WorkSeen, now: WorkSeen): boolean {
  if (before.head !== now.head || before.changes.join('\0') !== now.changes.join('\0')) return false;
  return before.files !== null && before.files === now.files;
}

/** Null where a file is too young to be told from what it may become, or where a whole folder is new. */
async function looksOf(worktree: string, changes: ReadonlyArray<string>): Promise<string | null> {
  const looks: string[] = [];
  for (const line of changes) {
    const path = pathOf(line);
    // Names in bytes that are no UTF-8 were not read as they are.
    if (path.includes('\u{FFFD}')) return null;
    const stats = path.endsWith('/') ? null : await lstat(join(worktree, path), { bigint: true }).catch(() => 'gone');
    if (stats === null || (typeof stats !== 'string' && stats.ctimeMs > Date.now() - TICK_MS)) return null;
    looks.push(
      typeof stats === 'string' ? stats : [stats.ino, stats.mode, stats.size, stats.mtimeNs, stats.ctimeNs].join(' '),
    );
  }
  return looks.join('\n');
}

/** The path stands last; an unmerged entry has the most before it. */
function pathOf(line: string): string {
  const before = line.startsWith('? ') ? 1 : line.startsWith('u ') ? 10 : 8;
  return line.split(' ').slice(before).join(' ');
}

/** The worktree as a tree: all but ignored files and repositories inside it. */
export async function workTree(repository: Repository, worktree: string, seen: WorkSeen): Promise<Result<string>> {
  if (seen.changes.length === 0) {
    const known = treeInFiles(repository.gitFolder, seen.head);
    return known === null ? git(['rev-parse', `${seen.head}^{tree}`], { cwd: worktree }) : done(known);
  }
  // In git's folder for this worktree: what a killed process leaves there goes with the worktree.
  const scratch = await mkdtemp(join(gitFolderOf(worktree) ?? tmpdir(), 'attractor-carry-'));
  try {
    const index = join(scratch, 'index');
    const options = { cwd: worktree, variables: { GIT_INDEX_FILE: index } };
    // Git's own index knows which files are unchanged without reading them.
    const isBegun = await copyFile(join(gitFolderOf(worktree) ?? '', 'index'), index).then(
      () => true,
      () => false,
    );
    const begun = isBegun ? done('') : await git(['read-tree', seen.head], options);
    if (!begun.ok) return begun;
    const inner = await repositoriesIn(worktree, seen.changes);
    const others = inner.map((name) => `:(exclude,top,literal)${name}`);
    const added = await git(['add', '--all', '--sparse', '--', '.', ...others], options);
    return added.ok ? await git(['write-tree'], options) : added;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** A nested repository would be kept as a number without its files. */
async function repositoriesIn(worktree: string, changes: ReadonlyArray<string>): Promise<ReadonlyArray<string>> {
  const found: string[] = [];
  for (const name of changes.filter((line) => line.startsWith('? ') && line.endsWith('/')).map(pathOf)) {
    const inner = await lstat(join(worktree, name, '.git')).catch(() => null);
    if (inner !== null) found.push(name.slice(0, -1));
  }
  return found;
}
