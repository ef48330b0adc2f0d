import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { done } from '@attractor/base';
import { gitFolderOf } from '@attractor/git';
import { refuse, type Result } from '@attractor/store';
import { headOf } from '../git/checked-out.ts';
import { readPlain } from '../git/files-of-git.ts';
import { git } from '../git/repository.ts';

export type OwnBranch = {
  readonly path: string;
  readonly branch: string;
  /** The commit that the work began from: where the branch is gone, what is checked out has to come of it. */
  readonly began: string;
  readonly beforeChange?: (() => Promise<void>) | undefined;
};

/**
 * People see, approve and merge the branch, so what is checked out in the end has to be on it. Work that was committed on top of it on
 * another branch, or on none, is brought there. Refused where that would leave commits out: then something was begun and not finished.
 */
export async function backToBranch(own: OwnBranch): Promise<Result<null>> {
  const { path, branch, began } = own;
  const ref = `refs/heads/${branch}`;
  const [isThere, head] = [await isOn(path, ref), await headOf(path)];
  if (isThere && head.ok) return done(null);
  // The branch was deleted under the worktree: what is in it is committed anew.
  if (isThere) return update(own, { to: began, from: '' });
  if (!head.ok) return head;
  const tip = await git(['rev-parse', '--verify', '--quiet', `${ref}^{commit}`], { cwd: path });
  const last = tip.ok ? tip.value : began;
  const hasAll = await git(['merge-base', '--is-ancestor', last, head.value], { cwd: path });
  if (isRebasing(path)) return refuse('conflict', `A rebase in ${path} is not finished: finish it, or abort it.`);
  if (!hasAll.ok)
    return refuse(
      'conflict',
      `${path} is not on the branch ${branch}, and lacks its commit ${last.slice(0, 12)}: check out ${branch}, with all of the work on it.`,
    );
  const moved = await update(own, { to: head.value, from: tip.ok ? tip.value : '' });
  if (!moved.ok) return moved;
  const named = await git(['symbolic-ref', 'HEAD', ref], { cwd: path });
  return named.ok ? done(null) : named;
}

type Move = { readonly to: string; readonly from: string };

async function update({ path, branch, beforeChange }: OwnBranch, { to, from }: Move): Promise<Result<null>> {
  await beforeChange?.();
  const moved = await git(['update-ref', `refs/heads/${branch}`, to, from], { cwd: path });
  return moved.ok ? done(null) : moved;
}

/** Git is asked only where its file does not say so: a repository may keep its refs in another form. */
async function isOn(path: string, ref: string): Promise<boolean> {
  const folder = gitFolderOf(path);
  if (folder !== null && readPlain(join(folder, 'HEAD'))?.toString('utf8') === `ref: ${ref}\n`) return true;
  const head = await git(['symbolic-ref', '--quiet', 'HEAD'], { cwd: path });
  return head.ok && head.value === ref;
}

function isRebasing(path: string): boolean {
  const folder = gitFolderOf(path);
  return folder !== null && ['rebase-merge', 'rebase-apply'].some((name) => existsSync(join(folder, name)));
}
