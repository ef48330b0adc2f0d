import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Mount } from './mounts.ts';

/**
 * What git needs in order to commit from a folder, and what must never be changed there: whatever names a program that git outside would
 * run. `absent` are names that git itself would stumble over if they were masked; in `linkFree` folders git outside would write through a
 * link. Both are checked after a command has ended: see `watchNames`.
 */
export type GitMounts = {
  readonly mounts: ReadonlyArray<Mount>;
  readonly absent: ReadonlyArray<string>;
  readonly linkFree: ReadonlyArray<string>;
};

const NONE: GitMounts = { mounts: [], absent: [], linkFree: [] };

/** In a repository's own folder: programs, other worktrees and the location of the rest of the repository. */
const STEERING = ['config', 'config.worktree', 'commondir', 'hooks', 'info', 'modules', 'worktrees'];
/** In a worktree's administrative folder. */
const WORKTREE_STEERING = ['commondir', 'gitdir', 'config.worktree'];
/** Where git opens files for writing by their plain names. */
const WRITTEN = ['.', 'logs', 'logs/refs', 'logs/refs/heads'];
/** What a commit from a worktree writes to its repository. */
const SHARED_DATA = ['objects', 'refs', 'logs', 'reftable', 'rr-cache'];

/** For the `.git` of a folder, which may be a repository, a registered worktree, or something unknown (then read-only). */
export function gitMounts(folder: string): GitMounts {
  const git = path.join(folder, '.git');
  const stats = lstatSync(git, { throwIfNoEntry: false });
  if (stats?.isDirectory() === true) return isRepository(git) ? repositoryMounts(git) : readOnlyOnly(git);
  if (stats?.isFile() === true) return worktreeMounts(git);
  return NONE;
}

function isRepository(git: string): boolean {
  return ['HEAD', 'objects', 'refs', 'config'].every((name) => isThere(path.join(git, name)));
}

function readOnlyOnly(at: string): GitMounts {
  return { ...NONE, mounts: [{ at, as: 'read-only' }] };
}

/** A folder that is bound onto itself can't be moved away and replaced. */
function repositoryMounts(git: string): GitMounts {
  const steering = STEERING.map((name) => path.join(git, name));
  const hooks = path.join(git, 'hooks');
  return {
    mounts: [{ at: git, as: 'writable' }, ...readOnly(steering), ...(isThere(hooks) ? [] : [masked(hooks)])],
    absent: steering.filter(
      (file) => file !== hooks && /\/(?:commondir|config\.worktree)$/.test(file) && !isThere(file),
    ),
    linkFree: WRITTEN.map((name) => path.join(git, name)),
  };
}

function worktreeMounts(gitFile: string): GitMounts {
  const found = registeredWorktree(gitFile);
  if (found === null) return readOnlyOnly(gitFile);
  const steering = WORKTREE_STEERING.map((name) => path.join(found.admin, name));
  const shared = SHARED_DATA.map((name) => path.join(found.common, name)).filter(isFolder);
  return {
    mounts: [
      { at: gitFile, as: 'read-only' },
      { at: found.admin, as: 'writable' },
      ...readOnly(steering),
      ...shared.map((at) => ({ at, as: 'writable' }) as const),
    ],
    absent: steering.filter((file) => !isThere(file)),
    linkFree: [found.admin, found.common].flatMap((folder) => WRITTEN.map((name) => path.join(folder, name))),
  };
}

type Worktree = { readonly admin: string; readonly common: string };

/**
 * Null unless the repository knows this worktree: its administrative folder is right below the repository's `worktrees` and points back
 * here. A `.git` file alone could name anybody's folder.
 */
function registeredWorktree(gitFile: string): Worktree | null {
  try {
    const named = /^gitdir: (.+)$/m.exec(readFileSync(gitFile, 'utf8'))?.[1] ?? '';
    const admin = realpathSync(path.resolve(path.dirname(gitFile), named));
    const common = path.dirname(path.dirname(admin));
    const back = path.resolve(admin, readFileSync(path.join(admin, 'gitdir'), 'utf8').trim());
    const shared = realpathSync(path.resolve(admin, readFileSync(path.join(admin, 'commondir'), 'utf8').trim()));
    const isRegistered =
      path.basename(path.dirname(admin)) === 'worktrees' &&
      shared === common &&
      realpathSync(back) === realpathSync(gitFile) &&
      isRepository(common);
    return isRegistered ? { admin, common } : null;
  } catch {
    return null;
  }
}

function readOnly(files: ReadonlyArray<string>): ReadonlyArray<Mount> {
  return files.filter(isThere).map((at) => ({ at, as: 'read-only' }));
}

function masked(at: string): Mount {
  return { at, as: 'masked' };
}

function isThere(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}

function isFolder(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() === true && realpathSync(file) === file;
}
