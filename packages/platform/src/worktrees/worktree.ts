import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type GitPerson, refNameProblem } from '@attractor/agent';
import { done, refuse } from '../refusal.ts';
import type { Result } from '../workflow-contract.ts';
import { excludeFromGit } from './exclude.ts';
import { lockFile, withRepoLock } from './repo-lock.ts';
import { git, type Repository } from './repository.ts';
import { rescueLeftovers } from './rescue.ts';

/**
 * A task's own checkout under `<project>/.agent-worktrees/<task>`, kept from run to run. When it is handed out it is clean, on the
 * task's branch and locked against pruning; what lay uncommitted in it before is kept under `rescued`. Nothing uncommitted is ever lost.
 */
export type Worktree = {
  readonly path: string;
  readonly branch: string;
  readonly baseBranch: string;
  readonly baseCommit: string;
  readonly head: string;
  readonly created: boolean;
  readonly rescued: string | null;
};

export type WorktreeRequest = {
  readonly repository: Repository;
  readonly taskId: string;
  readonly branch: string;
  readonly baseBranch: string;
  readonly author: GitPerson;
  readonly lockReason: string;
};

const WORKTREE_FOLDER = '.agent-worktrees';
const STALE_LOCK_MS = 10 * 60_000;

export function worktreePath(root: string, taskId: string): string {
  return join(root, WORKTREE_FOLDER, taskId);
}

/** Git's own commands race when many worktrees are made at once: one at a time for each repository, across processes. */
export async function ensureWorktree(request: WorktreeRequest): Promise<Result<Worktree>> {
  const problem = refNameProblem(request.branch);
  if (problem !== null)
    return refuse('invalid', `The branch name ${JSON.stringify(request.branch)} ${problem}: choose another.`);
  const { root, gitFolder } = request.repository;
  const links = [join(root, WORKTREE_FOLDER), worktreePath(root, request.taskId), lockFile(gitFolder)].filter(isLink);
  if (links.length > 0)
    return refuse('unavailable', `${links[0]} is a link: remove it, nothing is written through one.`);
  return withRepoLock(gitFolder, () => makeOrReuse(request));
}

/** Harmless when it is not locked. */
export async function unlockWorktree(repository: Repository, path: string): Promise<void> {
  await git(['worktree', 'unlock', path], { cwd: repository.root });
}

async function makeOrReuse(request: WorktreeRequest): Promise<Result<Worktree>> {
  const { repository } = request;
  const path = worktreePath(repository.root, request.taskId);
  const base = await findBase(request);
  if (!base.ok) return base;
  const excluded = excludeFromGit(repository, WORKTREE_FOLDER);
  if (!excluded.ok) return excluded;
  const sound = await isSound(request, path);
  const prepared = sound ? await clean(request, path) : await create(request, { path, baseCommit: base.value });
  if (!prepared.ok) return prepared;
  await git(['worktree', 'lock', '--reason', request.lockReason, path], { cwd: repository.root });
  const head = await git(['rev-parse', 'HEAD'], { cwd: path });
  if (!head.ok) return head;
  const forked = await git(['merge-base', head.value, base.value], { cwd: path });
  const { branch, baseBranch } = request;
  return done({
    path,
    branch,
    baseBranch,
    baseCommit: forked.ok ? forked.value : base.value,
    head: head.value,
    created: !sound,
    rescued: prepared.value,
  });
}

async function findBase({ repository, baseBranch }: WorktreeRequest): Promise<Result<string>> {
  for (const ref of [`refs/heads/${baseBranch}`, `refs/remotes/origin/${baseBranch}`]) {
    const found = await git(['rev-parse', '--verify', '--quiet', `${ref}^{commit}`], { cwd: repository.root });
    if (found.ok) return found;
  }
  return refuse(
    'unavailable',
    `The base branch "${baseBranch}" does not exist in ${repository.root}: create it, or name another default branch.`,
  );
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** A folder whose link to the repository is intact and that is on the task's branch. Anything else is made anew. */
async function isSound({ repository, branch }: WorktreeRequest, path: string): Promise<boolean> {
  if (!existsSync(join(path, '.git'))) return false;
  const asked = await git(['rev-parse', '--show-toplevel', '--git-common-dir'], { cwd: path });
  if (!asked.ok) return false;
  const [top = '', common = ''] = asked.value.split('\n');
  if (!samePlace(top, path) || !samePlace(common, repository.gitFolder)) return false;
  const head = await git(['symbolic-ref', '--quiet', 'HEAD'], { cwd: path });
  const commit = await git(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], { cwd: path });
  return head.ok && head.value === `refs/heads/${branch}` && commit.ok;
}

function samePlace(a: string, b: string): boolean {
  try {
    return realpathSync(a) === realpathSync(b);
  } catch {
    return false;
  }
}

async function clean(request: WorktreeRequest, path: string): Promise<Result<string | null>> {
  await removeStaleLock(path);
  const status = await git(['status', '--porcelain', '--untracked-files=all'], { cwd: path });
  if (!status.ok) return status;
  if (status.value === '') return done(null);
  const rescued = await rescueLeftovers(request.repository, {
    folder: path,
    taskId: request.taskId,
    parent: await headOf(path),
    author: request.author,
  });
  if (!rescued.ok) return rescued;
  const reset = await git(['reset', '--hard', '--quiet', 'HEAD'], { cwd: path });
  if (!reset.ok) return reset;
  const removed = await git(['clean', '-fd', '--quiet'], { cwd: path });
  return removed.ok ? rescued : removed;
}

async function headOf(path: string): Promise<string> {
  const head = await git(['rev-parse', 'HEAD'], { cwd: path });
  return head.ok ? head.value : 'HEAD';
}

/** A lock younger than ten minutes may have a living owner and stays: git then says so itself. */
async function removeStaleLock(path: string): Promise<void> {
  const folder = await git(['rev-parse', '--absolute-git-dir'], { cwd: path });
  if (!folder.ok) return;
  const lock = join(folder.value, 'index.lock');
  const age = await stat(lock).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => 0,
  );
  if (age > STALE_LOCK_MS) await rm(lock, { force: true });
}

type Place = { readonly path: string; readonly baseCommit: string };

/** Also repairs: what a broken or half-made folder holds is rescued first, then the folder and its entry are made anew. */
async function create(request: WorktreeRequest, place: Place): Promise<Result<string | null>> {
  const { repository, branch } = request;
  const last = (await lastCommit(request)) ?? place.baseCommit;
  const rescued = await rescueFolder(request, { ...place, baseCommit: last });
  if (!rescued.ok) return rescued;
  await rm(place.path, { recursive: true, force: true });
  await forget(request, place.path);
  const exists = await git(['rev-parse', '--verify', '--quiet', `refs/heads/${branch}^{commit}`], {
    cwd: repository.root,
  });
  const start = exists.ok ? [place.path, branch] : ['--no-track', '-b', branch, place.path, last];
  const added = await git(['worktree', 'add', '--quiet', ...start], { cwd: repository.root });
  return added.ok
    ? rescued
    : refuse('unavailable', `The worktree ${place.path} could not be made: ${added.error.message}`);
}

/** Git keeps an entry for a worktree whose folder is gone; ours alone is dropped, never all that seem stale. */
async function forget({ repository, taskId }: WorktreeRequest, path: string): Promise<void> {
  if (!existsSync(join(repository.gitFolder, 'worktrees', taskId))) return;
  await git(['worktree', 'unlock', path], { cwd: repository.root });
  await git(['worktree', 'remove', '--force', path], { cwd: repository.root });
}

async function rescueFolder(request: WorktreeRequest, { path, baseCommit }: Place): Promise<Result<string | null>> {
  const entries = await readdir(path).catch(() => []);
  if (entries.every((name) => name === '.git')) return done(null);
  const tip = await git(['rev-parse', '--verify', '--quiet', `refs/heads/${request.branch}^{commit}`], {
    cwd: request.repository.root,
  });
  return rescueLeftovers(request.repository, {
    folder: path,
    taskId: request.taskId,
    parent: tip.ok ? tip.value : baseCommit,
    author: request.author,
  });
}

/** Where the worktree last stood by its own log: a branch that was deleted under it comes back with its commits. */
async function lastCommit({ repository, taskId }: WorktreeRequest): Promise<string | null> {
  const log = await readFile(join(repository.gitFolder, 'worktrees', taskId, 'logs', 'HEAD'), 'utf8').catch(() => '');
  const commit = log.trimEnd().split('\n').at(-1)?.split(' ')[1];
  if (commit === undefined) return null;
  const known = await git(['rev-parse', '--verify', '--quiet', `${commit}^{commit}`], { cwd: repository.root });
  return known.ok ? known.value : null;
}
