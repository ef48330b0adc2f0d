import { done } from '@attractor/base';
import type { GitPerson } from '@attractor/git';
import type { Result } from '@attractor/store';
import { headOf } from '../git/checked-out.ts';
import { git } from '../git/repository.ts';
import { backToBranch } from './back-to-branch.ts';
import { keepSubmodules } from '../submodules/keep-submodules.ts';

type Leaving = {
  readonly message: string;
  readonly runId: string;
  readonly author: GitPerson;
  /** False: what is not committed stays so. */
  readonly isWanted: boolean;
  /** The commit that the work began from: where it is still checked out, most likely something is to be committed. */
  readonly began?: string;
  /** The work has to be on it in the end. Absent: on whatever is checked out. */
  readonly branch?: string;
  /** Called before the worktree is changed. Throws if it must be left alone. */
  readonly beforeChange?: () => Promise<void>;
};

/** Commits what a run left uncommitted in its worktree. Returns the commit that is then checked out, and the last of its branch. */
export async function commitAll(cwd: string, leaving: Leaving): Promise<Result<string>> {
  const { message, runId, author, isWanted, began, branch, beforeChange } = leaving;
  const isOwn = branch !== undefined && began !== undefined;
  const back = isOwn ? await backToBranch({ path: cwd, branch, began, beforeChange }) : done(null);
  if (!back.ok) return back;
  const text = `${message}\n\nAttractor-Run: ${runId}`;
  const inner = await keepSubmodules(cwd, { message: text, author, isWanted, beforeChange });
  if (!inner.ok) return inner;
  const commit = async (): Promise<Result<string>> => {
    await beforeChange?.();
    return commitIn(cwd, { text, author });
  };
  const at = await headOf(cwd);
  // Without a look at every file before it. One that fails says less than that look.
  if (isWanted && at.ok && at.value === began && (await commit()).ok) return headOf(cwd);
  const status = await git(['status', '--porcelain=v2', '--branch', '--untracked-files=normal'], { cwd, author });
  if (!status.ok) return status;
  const lines = status.value.split('\n');
  const isDirty = lines.some((line) => !line.startsWith('# '));
  const before = COMMIT.exec(lines[0] ?? '')?.[1];
  if (!isDirty && before !== undefined) return done(before);
  if (isWanted && isDirty) {
    const committed = await commit();
    if (!committed.ok) return committed;
  }
  return headOf(cwd);
}

type Commit = { readonly text: string; readonly author: GitPerson };

async function commitIn(cwd: string, { text, author }: Commit): Promise<Result<string>> {
  const added = await git(['add', '--all', '--sparse'], { cwd, author });
  return added.ok ? git(['commit', '--quiet', '--no-verify', '--message', text], { cwd, author }) : added;
}

const COMMIT = /^# branch\.oid ([0-9a-f]{40,64})$/;
