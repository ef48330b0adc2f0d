import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { done } from '@attractor/base';
import type { Result } from '@attractor/store';
import type { CarriedWork } from './carry-work.ts';
import { withRepoLock } from '../git/repo-lock.ts';
import { git, type Repository } from '../git/repository.ts';
import { nextRescueRef } from './rescue.ts';

/** What was committed elsewhere becomes the local branch. A diverging branch is first kept under a rescue ref. */
export async function restoreBranch(
  repository: Repository,
  to: { readonly branch: string; readonly carried: CarriedWork; readonly taskId: string },
): Promise<Result<string>> {
  const { root, gitFolder } = repository;
  const ref = `refs/heads/${to.branch}`;
  return withRepoLock(gitFolder, async () => {
    const head = await git(['rev-parse', '--verify', `${to.carried.work}^`], { cwd: root });
    if (!head.ok) return head;
    const now = await git(['rev-parse', '--verify', '--quiet', `${ref}^{commit}`], { cwd: root });
    if (now.ok && now.value === head.value) return head;
    if (now.ok) {
      const isOlder = await git(['merge-base', '--is-ancestor', now.value, head.value], { cwd: root });
      const kept = isOlder.ok ? isOlder : await nextRescueRef(repository, to.taskId, now.value);
      if (!kept.ok) return kept;
    }
    const moved = await git(['update-ref', ref, head.value], { cwd: root });
    return moved.ok ? head : moved;
  });
}

/** Restores work that was uncommitted elsewhere, uncommitted again. The worktree was just made, so refs keep everything else in it. */
export async function restoreUncommitted(worktree: string, carried: CarriedWork): Promise<Result<null>> {
  const reset = await git(['reset', '--hard', '--quiet', `${carried.work}^`], { cwd: worktree });
  if (!reset.ok) return reset;
  const same = await git(['diff-tree', '--quiet', `${carried.work}^`, carried.work], { cwd: worktree });
  if (same.ok) return done(null);
  const restored = await git(['restore', `--source=${carried.work}`, '--worktree', '--', ':/'], { cwd: worktree });
  return restored.ok ? done(null) : restored;
}

/** The agent's own folder, as it was; leftovers of an earlier stay here are replaced. */
export async function restoreState(
  repository: Repository,
  to: { readonly carried: CarriedWork; readonly statePath: string },
): Promise<Result<null>> {
  // Beside the folder: what a killed process leaves there goes with the run. Nobody carries a lock.
  const index = `${to.statePath}.restoring.lock`;
  const removeIndex = async (): Promise<void> => {
    for (const path of [index, `${index}.lock`]) await rm(path, { force: true });
  };
  await removeIndex();
  await mkdir(dirname(index), { recursive: true, mode: 0o700 });
  const options = {
    cwd: repository.root,
    variables: { GIT_INDEX_FILE: index },
    config: { 'core.autocrlf': 'false', 'core.eol': 'lf' },
  };
  try {
    const read = await git(['read-tree', to.carried.state], options);
    if (!read.ok) return read;
    await rm(to.statePath, { recursive: true, force: true });
    await mkdir(to.statePath, { recursive: true, mode: 0o700 });
    const written = await git(['checkout-index', '--all', '--force', `--prefix=${to.statePath}/`], options);
    return written.ok ? done(null) : written;
  } finally {
    await removeIndex();
  }
}
