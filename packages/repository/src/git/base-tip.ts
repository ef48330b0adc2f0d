import { git, type Repository } from './repository.ts';
import { branchTip, commitOf, isAncestor, mergeTrees } from './commits.ts';
import { fetchBranch, type Remote } from './remote.ts';
import type { RemoteOptions } from './person-git.ts';
import type { GitPerson } from '@attractor/git';
import { fail, type ScmResult } from './outside-result.ts';

/** Where earlier versions kept merges into a branch that a person had checked out. The next merge takes them along. */
export function mergedRef(branch: string): string {
  return `refs/attractor/merged/${branch}`;
}

export type BaseRequest = {
  readonly repository: Repository;
  readonly remote: Remote | null;
  readonly talk: RemoteOptions;
  readonly branch: string;
  readonly owner: 'ours' | 'theirs';
  readonly author: GitPerson;
};

/** The commit to merge onto: the remote's, otherwise the local one including pending merges. */
export async function baseTip(request: BaseRequest): Promise<ScmResult<string>> {
  const { repository, remote, branch, talk } = request;
  const here = await branchTip(repository, branch);
  const fetched =
    remote === null ? ({ ok: true, value: null } as const) : await fetchBranch({ repository, remote, branch, talk });
  if (!fetched.ok) return fetched;
  if (fetched.value !== null)
    return here === null ? { ok: true, value: fetched.value } : ofTwo(request, here, fetched.value);
  if (here === null)
    return fail(
      'not_found',
      `There is no branch "${branch}" to merge into: create it or, if it was renamed, say so with "attractor projects update --default-branch NAME".`,
    );
  return withWaitingMerges(request, here);
}

/** A merge must not include a person's commits that they did not push, nor leave their branch behind. */
async function ofTwo(request: BaseRequest, here: string, there: string): Promise<ScmResult<string>> {
  const { repository, branch, owner, remote } = request;
  if (await isAncestor(repository, here, there)) return { ok: true, value: there };
  const name = remote?.name ?? 'its remote';
  const isAhead = await isAncestor(repository, there, here);
  if (isAhead && owner === 'ours') return { ok: true, value: here };
  return isAhead
    ? fail('conflict', `${branch} has commits here that ${name} does not have: push ${branch} first, then merge again.`)
    : fail(
        'conflict',
        `${branch} has diverged here and at ${name}: nothing was changed. Bring the two together ("git pull --rebase ${name} ${branch}"), push ${branch} first, then merge again.`,
      );
}

async function withWaitingMerges(request: BaseRequest, here: string): Promise<ScmResult<string>> {
  const { repository, branch, author } = request;
  const waiting = await commitOf(repository, mergedRef(branch));
  if (waiting === null || (await isAncestor(repository, waiting, here))) return { ok: true, value: here };
  if (await isAncestor(repository, here, waiting)) return { ok: true, value: waiting };
  const merged = await mergeTrees(repository, here, waiting);
  if (!merged.ok) return fail(merged.error.code, merged.error.message);
  if (!merged.value.clean)
    return fail(
      'conflict',
      `${branch} and the merges that wait for it changed the same lines (${merged.value.conflicts.join(', ')}): run "git merge ${mergedRef(branch)}" in your checkout first.`,
      { conflicts: merged.value.conflicts },
    );
  // With a fixed time it is the same commit whenever it is made.
  const made = await git(['log', '-1', '--format=%cI', waiting], { cwd: repository.root });
  const joined = await git(
    ['commit-tree', merged.value.tree, '-p', here, '-p', waiting, '-m', `Merge what waited for ${branch}`],
    { cwd: repository.root, author: { ...author, ...(made.ok ? { date: made.value } : {}) } },
  );
  return joined.ok ? joined : fail(joined.error.code, joined.error.message);
}
