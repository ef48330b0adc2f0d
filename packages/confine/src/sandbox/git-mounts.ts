import { readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { gitFileLeads } from '../guard/git-file.ts';
import { type GitFolder, holdsPrograms, modulesIn } from '../guard/git-harm.ts';
import type { Mount } from './mounts.ts';
import { entryAt, namesIn, targetAt } from '../containment/list-folder.ts';

/**
 * What git needs in order to commit from a folder, and what it must never be able to change there: whatever names a program that
 * git outside would run. What of that is not there yet is watched for by the guard, in `gits`.
 */
export type GitMounts = { readonly mounts: ReadonlyArray<Mount>; readonly gits: ReadonlyArray<GitFolder> };

const NONE: GitMounts = { mounts: [], gits: [] };

/** In a repository's own folder: programs, and where the rest of the repository is. */
const STEERING = ['config', 'config.worktree', 'commondir', 'hooks', 'info', 'remotes', 'branches'];
/** In a worktree's administrative folder. */
const WORKTREE_STEERING = ['commondir', 'gitdir', 'config.worktree'];
/** Lists that name further places or programs, where they do. */
const LISTS = ['objects/info/alternates', 'rebase-merge/git-rebase-todo', 'rebase-apply/git-rebase-todo'];
/** What a commit from a worktree writes to the repository that it belongs to. */
const SHARED_DATA = ['objects', 'refs', 'logs', 'reftable', 'rr-cache', 'lfs'];
/** Of submodules and of other worktrees: beyond it none of them can be changed, since every mount costs time. */
const MOST = 8;

/** For the `.git` of a folder: a repository, a registered worktree or submodule, or nothing that is understood (then read-only). */
export function gitMounts(folder: string): GitMounts {
  const git = path.join(folder, '.git');
  const stats = entryAt(git);
  if (stats?.isDirectory() === true) return storeMounts(git);
  if (stats?.isFile() !== true) return NONE;
  const module = moduleOf(folder, git);
  if (module === null) return worktreeMounts(git);
  const { mounts, gits } = repositoryMounts(module);
  return { mounts: [{ at: git, as: 'read-only' }, ...mounts], gits };
}

/** For a folder of git's: a `.git`, a bare repository, or one that a `.git` elsewhere leads to. */
export function storeMounts(git: string): GitMounts {
  return isRepository(git) ? repositoryMounts(git) : readOnlyOnly(git);
}

/** Where a `.git` leads that is a file or a link, and no worktree's and no submodule's; null where it does not, or nowhere. */
export function storeOf(git: string): string | null {
  const isLinked = entryAt(git)?.isSymbolicLink() === true;
  const led = isLinked ? git : gitFileLeads(git);
  if (led === null || led === 'folder' || led === 'empty') return null;
  try {
    const store = realpathSync(led);
    return /\/(?:modules|worktrees)\//.test(store) ? null : store;
  } catch {
    return null;
  }
}

/** Whether a path below `.git` is, or lies in, what may never come into being from inside. */
export function isSteering(below: string): boolean {
  return STEERING.includes(below.split('/')[0] ?? '') || LISTS.includes(below);
}

/** One that a command made: nothing of it is held, all of it is looked at. */
export function ownGit(at: string): GitFolder {
  return { at, isOwn: true, fixed: new Set() };
}

/** The top of the repository that a folder is part of, where that lies above it and is this user's. */
export function repositoryAround(folder: string): string | null {
  const above = path.dirname(folder);
  if (above === folder || isThere(path.join(folder, '.git'))) return null;
  const git = entryAt(path.join(above, '.git'));
  if (git === undefined) return repositoryAround(above);
  return git.uid === process.getuid?.() ? above : null;
}

function isRepository(git: string): boolean {
  return ['HEAD', 'objects', 'refs', 'config'].every((name) => isThere(path.join(git, name)));
}

function readOnlyOnly(at: string): GitMounts {
  return { ...NONE, mounts: [{ at, as: 'read-only' }] };
}

/** Bound onto itself, a folder can't be moved away and another put in its place. */
function repositoryMounts(git: string): GitMounts {
  const there = new Set(namesIn(git));
  const { mounts: below, fixed } = belowMounts(git, there);
  const steering = STEERING.filter((name) => there.has(name));
  return {
    mounts: [
      { at: git, as: 'writable' },
      ...[...steering, ...listsIn(git)].map((name) => ({ at: path.join(git, name), as: 'read-only' }) as const),
      ...below,
    ],
    gits: [{ at: git, isOwn: false, fixed: new Set([...steering, ...fixed]) }],
  };
}

type Below = { readonly mounts: ReadonlyArray<Mount>; readonly fixed: ReadonlyArray<string> };

/** Submodules and worktrees of a repository: new ones can be made, and nothing that names a program changed in those that are there. */
function belowMounts(git: string, there: ReadonlySet<string>): Below {
  if (!there.has('modules') && !there.has('worktrees')) return { mounts: [], fixed: [] };
  const [modules, worktrees] = [path.join(git, 'modules'), path.join(git, 'worktrees')];
  const [repositories, admins] = [modulesIn(modules), foldersIn(worktrees)];
  const fixed = [...(repositories.length > MOST ? [modules] : []), ...(admins.length > MOST ? [worktrees] : [])];
  const open = [...(repositories.length > 0 ? [modules] : []), ...(admins.length > 0 ? [worktrees] : [])].filter(
    (at) => !fixed.includes(at),
  );
  const kept = [
    ...repositories.flatMap((module) => [...STEERING, ...listsIn(module)].map((name) => path.join(module, name))),
    ...admins,
  ].filter((at) => open.some((folder) => at.startsWith(`${folder}/`)));
  return {
    mounts: [...open.map((at) => ({ at, as: 'writable' }) as const), ...readOnly([...fixed, ...kept])],
    fixed: fixed.map((at) => path.basename(at)),
  };
}

function worktreeMounts(gitFile: string): GitMounts {
  const found = registeredWorktree(gitFile);
  if (found === null) return readOnlyOnly(gitFile);
  const { admin, common } = found;
  const steering = WORKTREE_STEERING.filter((name) => isThere(path.join(admin, name)));
  const shared = SHARED_DATA.filter((name) => isFolder(path.join(common, name)));
  const others = namesIn(common).filter((name) => !shared.includes(name));
  return {
    mounts: [
      { at: gitFile, as: 'read-only' },
      { at: admin, as: 'writable' },
      ...readOnly([...steering, ...listsIn(admin)].map((name) => path.join(admin, name))),
      ...shared.map((name) => ({ at: path.join(common, name), as: 'writable' }) as const),
      ...readOnly(listsIn(common).map((name) => path.join(common, name))),
    ],
    gits: [
      { at: admin, isOwn: false, fixed: new Set(steering) },
      { at: common, isOwn: false, fixed: new Set(others) },
    ],
  };
}

function listsIn(git: string): ReadonlyArray<string> {
  return LISTS.filter((name) => {
    const file = path.join(git, name);
    const text = isThere(file) ? textOf(file) : null;
    return text !== null && (name.endsWith('alternates') || holdsPrograms(text));
  });
}

/** The repository of a submodule: it lies among the modules of another one, and says that this folder is its checkout. */
function moduleOf(folder: string, gitFile: string): string | null {
  try {
    const module = realpathSync(gitFileLeads(gitFile) ?? '');
    const checkout = /^\s*worktree\s*=\s*(.+?)\s*$/m.exec(readFileSync(path.join(module, 'config'), 'utf8'))?.[1] ?? '';
    const isModule = module.includes('/modules/') && isRepository(module);
    return isModule && realpathSync(path.resolve(module, checkout)) === realpathSync(folder) ? module : null;
  } catch {
    return null;
  }
}

type Worktree = { readonly admin: string; readonly common: string };

/**
 * Null unless the repository knows this worktree: its administrative folder lies right below the repository's `worktrees` and
 * points back here. A `.git` file alone could name the folder of anybody.
 */
function registeredWorktree(gitFile: string): Worktree | null {
  try {
    const admin = realpathSync(gitFileLeads(gitFile) ?? '');
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

function foldersIn(folder: string): ReadonlyArray<string> {
  return namesIn(folder)
    .map((name) => path.join(folder, name))
    .filter(isFolder);
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

function isThere(file: string): boolean {
  return entryAt(file) !== undefined;
}

function isFolder(file: string): boolean {
  return targetAt(file)?.isDirectory() === true && realpathSync(file) === file;
}
