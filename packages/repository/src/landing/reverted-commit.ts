import type { GitPerson } from '@attractor/git';
import { isAncestor, mergeTrees } from '../git/commits.ts';
import { fail, type ScmResult } from '../git/outside-result.ts';
import { git, type Repository } from '../git/repository.ts';

export type Revert = {
  readonly repository: Repository;
  readonly baseBranch: string;
  /** The last commit that the merge put on the base, and the base's tip before it. */
  readonly merged: string;
  readonly before: string;
  readonly message: string;
  readonly mark: string;
  readonly author: GitPerson;
};

/** A commit on top of the base that takes back exactly what a merge brought; what came since stays. */
export async function revertedCommit(revert: Revert, tip: string): Promise<ScmResult<string>> {
  const { repository, baseBranch, merged, before, author } = revert;
  if (!(await isAncestor(repository, merged, tip)))
    return fail(
      'not_found',
      `${baseBranch} does not have ${merged.slice(0, 12)} any more: there is nothing to revert.`,
    );
  const tree = await treeWithout(revert, { merged, before, tip });
  if (!tree.ok) return tree;
  const same = await git(['rev-parse', `${tip}^{tree}`], { cwd: repository.root });
  if (same.ok && same.value === tree.value)
    return fail('conflict', `Nothing of the merge is left on ${baseBranch}: it was taken back by hand already.`);
  const message = `${revert.message.trimEnd()}\n\n${revert.mark}`;
  const commit = await git(['commit-tree', tree.value, '-p', tip, '-m', message], { cwd: repository.root, author });
  return commit.ok ? commit : fail(commit.error.code, commit.error.message);
}

type Trees = { readonly merged: string; readonly before: string; readonly tip: string };

/** A merge of three trees: from the merge's result to the base of now on one side, back to the base before it on the other. */
async function treeWithout(revert: Revert, { merged, before, tip }: Trees): Promise<ScmResult<string>> {
  const { repository, author, baseBranch } = revert;
  const made = async (commit: string, parents: ReadonlyArray<string>): Promise<ScmResult<string>> => {
    const args = ['commit-tree', `${commit}^{tree}`, ...parents.flatMap((parent) => ['-p', parent]), '-m', 'side'];
    const side = await git(args, { cwd: repository.root, author });
    return side.ok ? side : fail(side.error.code, side.error.message);
  };
  const root = await made(merged, []);
  if (!root.ok) return root;
  const [ours, theirs] = [await made(tip, [root.value]), await made(before, [root.value])];
  if (!ours.ok) return ours;
  if (!theirs.ok) return theirs;
  const tree = await mergeTrees(repository, ours.value, theirs.value);
  if (!tree.ok) return fail(tree.error.code, tree.error.message);
  if (tree.value.clean) return { ok: true, value: tree.value.tree };
  return fail(
    'conflict',
    `${tree.value.conflicts.join(', ')} changed on ${baseBranch} since the merge: nothing was changed. Revert it by hand: git revert ${merged.slice(0, 12)}`,
    { conflicts: tree.value.conflicts },
  );
}
