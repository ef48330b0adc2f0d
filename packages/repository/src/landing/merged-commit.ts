import type { GitPerson } from '@attractor/git';
import type { MergeMethod } from '@attractor/store';
import { mergeThatHas } from '../git/merge-that-has.ts';
import { isAncestor, isTreeOf, mergeTrees } from '../git/commits.ts';
import { droppedBase, mergeSince } from '../git/dropped-base.ts';
import { fail, type ScmResult } from '../git/outside-result.ts';
import { git, type Repository } from '../git/repository.ts';
import type { Landing } from './land.ts';

export type Merge = {
  readonly repository: Repository;
  readonly headBranch: string;
  readonly headCommit: string;
  readonly baseBranch: string;
  readonly base: Landing['base'];
  readonly method: MergeMethod;
  readonly message: string;
  /** Written into the commit, so that the merge can be found again. */
  readonly mark: string;
  readonly author: GitPerson;
  /** Of the task whose work it is, for the commands that a refusal names. */
  readonly taskKey?: string;
  /** Commits that are known as work of the branch. Absent: whatever it points at is. */
  readonly own?: ReadonlySet<string>;
};

/** The commit that the base shall have, computed from trees: nothing is checked out and no branch moves. */
export async function mergedCommit(merge: Merge, tip: string): Promise<ScmResult<string>> {
  const { repository, headBranch, baseBranch, headCommit, author, method, taskKey = 'TASK' } = merge;
  const began = await droppedBase({ ...merge, tip, head: headCommit });
  const merged =
    began === null
      ? await mergeTrees(repository, tip, headCommit)
      : await mergeSince(repository, { began, onto: tip, from: headCommit, author });
  if (!merged.ok) return fail(merged.error.code, merged.error.message);
  if (!merged.value.clean)
    return fail(
      'conflict',
      `${headBranch} and ${baseBranch} changed the same lines in ${merged.value.conflicts.join(', ')}: nothing was changed. Let an agent resolve it ("attractor tasks resolve ${taskKey}"), or bring the branch up to date by hand; then merge again.`,
      { conflicts: merged.value.conflicts },
    );
  if (merge.base === 'theirs' && (await isTreeOf(repository, tip, merged.value.tree))) return nothingToMerge(merge);
  if (method === 'ff') {
    if (await isAncestor(repository, tip, headCommit)) return { ok: true, value: headCommit };
    return fail(
      'conflict',
      `${headBranch} is not on top of ${baseBranch}, which a fast-forward needs: bring it up to date ("attractor tasks rebase ${taskKey}"), or merge with another method.`,
      { behind: baseBranch },
    );
  }
  if (method === 'merge' && began !== null)
    return fail(
      'conflict',
      `${baseBranch} was rewritten since the work began: it no longer has ${began.slice(0, 12)}, which a merge commit would bring back. Bring the branch up to date ("attractor tasks rebase ${taskKey}"), or merge with another method.`,
      { dropped: began },
    );
  const parents = method === 'merge' ? ['-p', tip, '-p', headCommit] : ['-p', tip];
  const message = `${merge.message.trimEnd()}\n\n${merge.mark}`;
  const commit = await git(['commit-tree', merged.value.tree, ...parents, '-m', message], {
    cwd: repository.root,
    author,
  });
  return commit.ok ? commit : fail(commit.error.code, commit.error.message);
}

function nothingToMerge({ headBranch, baseBranch, taskKey = 'TASK' }: Merge): ReturnType<typeof fail> {
  return fail(
    'blocked',
    `${baseBranch} already has everything in ${headBranch}: there is nothing to merge. Close the task ("attractor tasks close ${taskKey}"), or let an agent do more ("attractor tasks get ${taskKey}" shows how).`,
    { nothing: baseBranch },
  );
}

/** What an earlier attempt, or somebody else, put on the base; null if the base lacks the work, or there is none. */
export async function findMerged(
  { repository, headCommit, mark, own }: Pick<Merge, 'repository' | 'headCommit' | 'mark' | 'own'>,
  tip: string,
): Promise<string | null> {
  const { root } = repository;
  const forked = await git(['merge-base', headCommit, tip], { cwd: root });
  if (!forked.ok) return null;
  const args = ['log', '-1', '--format=%H', '--fixed-strings', `--grep=${mark}`, `${forked.value}..${tip}`];
  const found = await git(args, { cwd: root });
  if (found.ok && found.value !== '') return found.value;
  return forked.value === headCommit ? mergeThatHas(repository, { commit: headCommit, tip, own }) : null;
}
