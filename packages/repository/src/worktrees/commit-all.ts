import { done } from '@attractor/base';
import type { GitPerson } from '@attractor/git';
import type { Result } from '@attractor/store';
import { headOf } from '../git/checked-out.ts';
import { git } from '../git/repository.ts';
import { keepSubmodules } from '../submodules/keep-submodules.ts';

type Leaving = {
  readonly message: string;
  readonly runId: string;
  readonly author: GitPerson;
  /** False: what is not committed stays so. */
  readonly isWanted: boolean;
  /** Called before the worktree is changed. Throws if it must be left alone. */
  readonly beforeChange?: () => Promise<void>;
};

/** Commits what a run left uncommitted in its worktree. Returns the commit that is then checked out. */
export async function commitAll(cwd: string, leaving: Leaving): Promise<Result<string>> {
  const { message, runId, author, isWanted, beforeChange } = leaving;
  const options = { cwd, author };
  const text = `${message}\n\nAttractor-Run: ${runId}`;
  const inner = await keepSubmodules(cwd, { message: text, author, isWanted, beforeChange });
  if (!inner.ok) return inner;
  const status = await git(['status', '--porcelain=v2', '--branch'], options);
  if (!status.ok) return status;
  const lines = status.value.split('\n');
  const isDirty = lines.some((line) => !line.startsWith('# '));
  const before = COMMIT.exec(lines[0] ?? '')?.[1];
  if (!isDirty && before !== undefined) return done(before);
  if (isWanted && isDirty) {
    await beforeChange?.();
    const added = await git(['add', '--all', '--sparse'], options);
    if (!added.ok) return added;
    const committed = await git(['commit', '--quiet', '--no-verify', '--message', text], options);
    if (!committed.ok) return committed;
  }
  return headOf(cwd);
}

const COMMIT = /^# branch\.oid ([0-9a-f]{40,64})$/;
