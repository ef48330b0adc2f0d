import { lstatSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { done } from '@attractor/base';
import { type GitPerson, refNameProblem } from '@attractor/git';
import { refuse, type Result } from '@attractor/store';
import { excludeFromGit, excludeInGitignore } from './exclude.ts';
import { branchTip, commitOf } from '../git/commits.ts';
import { lockFile, withRepoLock } from '../git/repo-lock.ts';
import { headOf } from '../git/checked-out.ts';
import { git, type Repository } from '../git/repository.ts';
import { type Rescue, rescueLeftovers } from './rescue.ts';
import { clearStaleLocks } from './stale-locks.ts';
import { adminFolder } from '../git/worktree-admin.ts';
import { folderInRepository, linkOnTheWay, worktreePath } from '../git/worktrees-folder.ts';
import { forgetWorktree, lastCommit, soundHead, UNREADABLE_INDEX } from './worktree-entry.ts';

/**
 * A task's own checkout, by default `<project>/.agent-worktrees/<task>`, kept from run to run. It is handed out clean, on the task's branch
 * and locked against pruning; earlier uncommitted changes are kept under `rescued`. Nothing uncommitted is ever lost.
 */
export type Worktree = {
  readonly path: string;
  readonly branch: string;
  readonly baseBranch: string;
  readonly baseCommit: string;
  readonly head: string;
  readonly created: boolean;
  readonly rescued: string | null;
  /** Where a broken worktree was moved because a ref can't hold all of it (it contains repositories). */
  readonly movedAside?: string;
};

export type WorktreeRequest = {
  readonly repository: Repository;
  /** Names the folder; attempts at one task have one each. */
  readonly taskId: string;
  readonly branch: string;
  readonly baseBranch: string;
  /** The current base, if its remote is ahead of the local branch. Absent: the local one. */
  readonly baseCommit?: string;
  readonly author: GitPerson;
  readonly lockReason: string;
  /** Also adds the worktrees' folder to the project's own `.gitignore`. */
  readonly inGitignore?: boolean;
  /** The branch starts at the base even if the worktree was elsewhere before. */
  readonly startsAtBase?: boolean;
  /**
   * Called when nobody else can change the repository, which may be long after the request. Throws if the repository must be left alone.
   */
  readonly beforeChange?: () => Promise<void>;
};

/** Git's own commands race when many worktrees are made at once: one at a time for each repository, across processes. */
export async function ensureWorktree(request: WorktreeRequest): Promise<Result<Worktree>> {
  const problem = refNameProblem(request.branch);
  if (problem !== null)
    return refuse('invalid', `The branch name ${JSON.stringify(request.branch)} ${problem}: choose another.`);
  const { repository, taskId } = request;
  const { gitFolder } = repository;
  const link =
    linkOnTheWay(repository, worktreePath(repository, taskId)) ??
    (isLink(lockFile(gitFolder)) ? lockFile(gitFolder) : null);
  if (link !== null) return refuse('unavailable', `${link} is a link: remove it, nothing is written through one.`);
  return withRepoLock(gitFolder, async () => {
    await request.beforeChange?.();
    return makeOrReuse(request);
  });
}

/** Harmless when it is not locked. */
export async function unlockWorktree(repository: Repository, path: string): Promise<void> {
  const admin = adminFolder(repository, path);
  if (admin === null) await git(['worktree', 'unlock', path], { cwd: repository.root });
  else await rm(join(admin, LOCKED), { force: true }).catch(() => undefined);
}

/** A worktree is locked while its entry has this file, with the reason in it: that is all that `git worktree lock` does. */
const LOCKED = 'locked';

async function makeOrReuse(request: WorktreeRequest): Promise<Result<Worktree>> {
  const { repository, branch, baseBranch } = request;
  const path = worktreePath(repository, request.taskId);
  const base = request.baseCommit === undefined ? await findBase(request) : done(request.baseCommit);
  if (!base.ok) return base;
  const folder = folderInRepository(repository, path);
  const excluded = folder === null ? done(null) : excludeFromGit(repository, folder);
  if (!excluded.ok) return excluded;
  if (request.inGitignore === true && folder !== null) excludeInGitignore(repository, folder);
  const unlocked = await clearStaleLocks(repository, { branch, admin: adminFolder(repository, path) });
  if (!unlocked.ok) return unlocked;
  const found = await soundHead(request, path);
  const cleaned = found === null ? null : await clean(request, path);
  // Whether its index can be read is seen when it is first used.
  const sound = cleaned === null || (!cleaned.ok && UNREADABLE_INDEX.test(cleaned.error.message)) ? null : found;
  const prepared =
    sound === null || cleaned === null ? await create(request, { path, baseCommit: base.value }) : cleaned;
  if (!prepared.ok) return prepared;
  if (sound !== null) await lockAnew(request, path);
  const head = sound === null ? await headOf(path) : done(sound);
  if (!head.ok) return head;
  const forked = head.value === base.value ? head : await git(['merge-base', head.value, base.value], { cwd: path });
  return done({
    path,
    branch,
    baseBranch,
    baseCommit: forked.ok ? forked.value : base.value,
    head: head.value,
    created: sound === null,
    ...prepared.value,
  });
}

/** The lock of an earlier run may still exist: its reason is no longer true. */
async function lockAnew({ repository, lockReason }: WorktreeRequest, path: string): Promise<void> {
  const admin = adminFolder(repository, path);
  if (admin !== null) return writeLock(admin, lockReason).catch(() => undefined);
  await unlockWorktree(repository, path);
  await git(['worktree', 'lock', '--reason', lockReason, path], { cwd: repository.root });
}

/** Replaces what is there, even a link; whoever looks meanwhile sees a lock. */
async function writeLock(admin: string, reason: string): Promise<void> {
  const made = join(admin, `${LOCKED}.new`);
  await rm(made, { recursive: true, force: true });
  await writeFile(made, `${reason}\n`, { flag: 'wx' });
  await rename(made, join(admin, LOCKED));
}

async function findBase({ repository, baseBranch }: WorktreeRequest): Promise<Result<string>> {
  for (const ref of [`refs/heads/${baseBranch}`, `refs/remotes/origin/${baseBranch}`]) {
    const found = await commitOf(repository, ref);
    if (found !== null) return done(found);
  }
  return refuse(
    'unavailable',
    `The base branch "${baseBranch}" does not exist in ${repository.root}: create it or, if it was renamed, say so with "attractor projects update --default-branch NAME".`,
  );
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

type Kept = Pick<Worktree, 'rescued' | 'movedAside'>;

async function clean(request: WorktreeRequest, path: string): Promise<Result<Kept>> {
  const status = await git(['status', '--porcelain', '--untracked-files=all'], { cwd: path });
  if (!status.ok) return status;
  if (status.value === '') return done({ rescued: null });
  const parent = await headOf(path);
  if (!parent.ok) return parent;
  const rescued = await rescue(request, { path, parent: parent.value });
  if (!rescued.ok) return rescued;
  const reset = await git(['reset', '--hard', '--quiet', 'HEAD'], { cwd: path });
  if (!reset.ok) return reset;
  // Repositories inside the worktree stay: git removes them only if told twice.
  const removed = await git(['clean', '-fd', '--quiet'], { cwd: path });
  return removed.ok ? done({ rescued: rescued.value.ref }) : removed;
}

type Place = { readonly path: string; readonly baseCommit: string };

/** Also repairs: the contents of a broken or half-made folder are rescued first, then the folder and its entry are made again. */
async function create(request: WorktreeRequest, place: Place): Promise<Result<Kept>> {
  const { repository, branch } = request;
  const tip = await branchTip(repository, branch);
  const last = await lastCommit(repository, place.path);
  const begin = request.startsAtBase === true ? place.baseCommit : (last ?? place.baseCommit);
  const kept = await keepFolder(request, {
    path: place.path,
    parent: last ?? tip ?? place.baseCommit,
    mayBeLost: last !== null && (tip !== null || begin !== last),
  });
  if (!kept.ok) return kept;
  await forgetWorktree(repository, place.path);
  const start = tip !== null ? [place.path, branch] : ['--no-track', '-b', branch, place.path, begin];
  const flags = ['--quiet', '--lock', '--reason', request.lockReason];
  const added = await git(['worktree', 'add', ...flags, ...start], { cwd: repository.root });
  if (added.ok) return kept;
  return refuse('unavailable', notMade(request, place.path, added.error.message));
}

/** Everything in the folder is under a ref, or in a folder beside it; then the folder is removed. */
async function keepFolder(request: WorktreeRequest, place: Left): Promise<Result<Kept>> {
  const { path } = place;
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isDirectory())
    return refuse('unavailable', `${path} is in the way of the task's worktree: move it away.`);
  const rescued = await rescue(request, place);
  if (!rescued.ok) return rescued;
  if (rescued.value.embedded.length === 0) {
    await rm(path, { recursive: true, force: true });
    return done({ rescued: rescued.value.ref });
  }
  const movedAside = `${path}.kept-${Date.now().toString(36)}`;
  await rename(path, movedAside);
  return done({ rescued: rescued.value.ref, movedAside });
}

type Left = { readonly path: string; readonly parent: string; readonly mayBeLost?: boolean };

function rescue({ repository, taskId, author }: WorktreeRequest, left: Left): Promise<Result<Rescue>> {
  const { path, parent, mayBeLost = false } = left;
  return rescueLeftovers(repository, { folder: path, taskId, parent, author, mayBeLost });
}

const REASONS: ReadonlyArray<readonly [RegExp, (request: WorktreeRequest, said: RegExpExecArray) => string]> = [
  [
    /is already (?:checked out|used by worktree) at '(.+)'/,
    ({ branch }, said) =>
      `The branch ${branch} is checked out in ${said[1] ?? 'another folder'}: check out another one there, then start again.`,
  ],
  [
    /'refs\/heads\/(.+)' exists; cannot create|cannot lock ref '[^']+': 'refs\/heads\/(.+)' exists/,
    ({ branch }, said) =>
      `The branch "${said[1] ?? said[2] ?? ''}" is in the way of "${branch}": rename it, or choose another "branchPrefix" in the configuration.`,
  ],
  [
    /from promisor remote/,
    ({ repository, baseBranch }) =>
      `${repository.root} is a partial clone that lacks files of ${baseBranch}, and its remote could not be asked for them: make "git fetch" work there, or fetch all of it with "git fetch --refetch --no-filter", then start again.`,
  ],
  [/No space left on device/, () => 'The disk is full: free some space, then start again.'],
];

function notMade(request: WorktreeRequest, path: string, message: string): string {
  for (const [signs, words] of REASONS) {
    const said = signs.exec(message);
    if (said !== null) return words(request, said);
  }
  return `The worktree ${path} could not be made: ${message}`;
}
