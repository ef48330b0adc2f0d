import { done } from '@attractor/base';
import type { GitPerson } from '@attractor/git';
import { refuse, type Result } from '@attractor/store';
import { headOf } from '../git/checked-out.ts';
import { git } from '../git/repository.ts';
import { addAll, innerRepositories, isOfItsOwn } from './add-all.ts';
import { backToBranch } from './back-to-branch.ts';
import { overlookNoMore } from './overlooked.ts';
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
  /** Files that git overlooked before the work began; it goes on doing so. */
  readonly overlooked?: ReadonlyArray<string> | undefined;
  /** True: refused where an agent made a repository in the worktree. Otherwise that stays where it is. */
  readonly isWhole?: boolean;
  /** Called before the worktree is changed. Throws if it must be left alone. */
  readonly beforeChange?: (() => Promise<void>) | undefined;
};

/** Commits what a run left uncommitted in its worktree. Returns the commit that is then checked out, and the last of its branch. */
export async function commitAll(cwd: string, leaving: Leaving): Promise<Result<string>> {
  const { message, runId, author, isWanted, began, branch, beforeChange } = leaving;
  const isOwn = branch !== undefined && began !== undefined;
  const back = isOwn ? await backToBranch({ path: cwd, branch, began, beforeChange }) : done(null);
  if (!back.ok) return back;
  const seen = await overlookNoMore(cwd, leaving.overlooked ?? []);
  if (!seen.ok) return seen;
  const text = `${message}\n\nAttractor-Run: ${runId}`;
  const inner = await keepSubmodules(cwd, { message: text, author, isWanted, beforeChange });
  if (!inner.ok) return inner;
  const commit = { text, author, began: began ?? 'HEAD' };
  const left = await commitChanges(cwd, { ...commit, isWanted, beforeChange });
  if (!left.ok) return left;
  const hidden = left.value.filter((name) => isOfItsOwn(cwd, name));
  return hidden.length > 0 && leaving.isWhole === true ? refuse('conflict', notPart(hidden)) : headOf(cwd);
}

function notPart(names: ReadonlyArray<string>): string {
  const [which, one] = [names.join(', '), names.length === 1];
  return `${which} ${one ? 'is a repository' : 'are repositories'} of ${one ? 'its' : 'their'} own, whose files can't be part of the work: remove ${names.map((name) => `${name}/.git`).join(', ')}, or the whole ${one ? 'folder' : 'folders'}.`;
}

type Commit = { readonly text: string; readonly author: GitPerson; readonly began: string };
type Wanted = Commit & Pick<Leaving, 'isWanted' | 'beforeChange'>;

/** Returns the repositories in the worktree that are left out. */
async function commitChanges(cwd: string, wanted: Wanted): Promise<Result<ReadonlyArray<string>>> {
  const { author, isWanted, began, beforeChange } = wanted;
  const commit = async (): Promise<Result<ReadonlyArray<string>>> => {
    await beforeChange?.();
    return commitIn(cwd, wanted);
  };
  const at = await headOf(cwd);
  // Without a look at every file before it. One that fails says less than that look.
  const committed = isWanted && at.ok && at.value === began ? await commit() : null;
  if (committed?.ok === true) return committed;
  const status = await git(['status', '--porcelain', '--untracked-files=normal'], { cwd, author });
  if (!status.ok) return status;
  const inner = await innerRepositories(cwd, began);
  return isWanted && (status.value !== '' || inner.length > 0) ? commit() : done(inner);
}

async function commitIn(cwd: string, { text, author, began }: Commit): Promise<Result<ReadonlyArray<string>>> {
  const left = await addAll(cwd, { author, began });
  // Without them there may be no change.
  const same =
    left.ok && left.value.length > 0 && (await git(['diff-index', '--cached', '--quiet', 'HEAD'], { cwd })).ok;
  if (!left.ok || same) return left;
  const committed = await git(['commit', '--quiet', '--no-verify', '--message', text], { cwd, author });
  return committed.ok ? left : committed;
}
