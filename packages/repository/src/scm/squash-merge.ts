import type { GitPerson } from '@attractor/git';
import { withRepoLock } from '../git/repo-lock.ts';
import { git, type Repository } from '../git/repository.ts';
import { isOurWorktree } from '../git/worktrees-folder.ts';
import { baseTip, mergedRef } from '../git/base-tip.ts';
import { branchTip, checkoutsOf, commitOf, isAncestor, mergeTrees } from '../git/commits.ts';
import type { RemoteOptions } from '../git/person-git.ts';
import { pushCommit, type Remote } from '../git/remote.ts';
import { fail, failForNow, type ScmResult } from '../git/outside-result.ts';

export type SquashMerge = {
  readonly repository: Repository;
  readonly remote: Remote | null;
  readonly talk: RemoteOptions;
  readonly headBranch: string;
  readonly headCommit: string;
  readonly baseBranch: string;
  readonly base: 'ours' | 'theirs';
  readonly message: string;
  /** Written into the commit, so that the merge can be found again. */
  readonly mark: string;
  readonly author: GitPerson;
};

/** `notice`: what is left to the person whose checkout we do not touch. */
export type Squashed = { readonly mergeCommit: string; readonly notice: string | null };

const MAX_RACES = 4;

/**
 * Puts the change of a branch as one commit onto its base. Computed from trees: no checkout, index or HEAD is touched. Never forced: after
 * losing a race for the base it looks again. Repeated after a crash it finds the commit that it made.
 */
export function squashMerge(merge: SquashMerge): Promise<ScmResult<Squashed>> {
  return withRepoLock(merge.repository.gitFolder, async () => {
    const refusal = await headProblem(merge);
    if (refusal !== null) return refusal;
    for (let race = 1; ; race += 1) {
      const merged = await attempt(merge);
      const lostRace = !merged.ok && merged.error.code === 'conflict' && merged.error.detail === LOST_RACE;
      if (!lostRace) return merged;
      if (race === MAX_RACES)
        return failForNow(`${merge.baseBranch} moves all the time: the merge is tried again later.`);
    }
  });
}

const LOST_RACE = 'lost race';

async function headProblem({ repository, headBranch, headCommit }: SquashMerge): Promise<ScmResult<Squashed> | null> {
  if ((await commitOf(repository, headCommit)) === null)
    return fail('not_found', `The commit ${headCommit.slice(0, 12)} of ${headBranch} is not in ${repository.root}.`);
  const tip = await branchTip(repository, headBranch);
  if (tip === null || tip === headCommit) return null;
  return fail(
    'conflict',
    `${headBranch} moved on to ${tip.slice(0, 12)} since the merge was asked for: look at what came, then merge again.`,
    { tip },
  );
}

async function attempt(merge: SquashMerge): Promise<ScmResult<Squashed>> {
  const { repository, headCommit, baseBranch } = merge;
  const tip = await baseTip({ ...merge, branch: baseBranch, head: headCommit, owner: merge.base });
  if (!tip.ok) return tip;
  const known = await findMark(merge, tip.value);
  if (known !== null) return { ok: true, value: { mergeCommit: known, notice: await noticeOf(merge, known) } };
  if (await isAncestor(repository, headCommit, tip.value))
    return { ok: true, value: { mergeCommit: tip.value, notice: 'Its commits were there already.' } };
  const commit = await squash(merge, tip.value);
  return commit.ok ? publish(merge, { old: tip.value, commit: commit.value }) : commit;
}

async function findMark({ repository, headCommit, mark }: SquashMerge, tip: string): Promise<string | null> {
  const { root } = repository;
  const forked = await git(['merge-base', headCommit, tip], { cwd: root });
  if (!forked.ok) return null;
  const args = ['log', '-1', '--format=%H', '--fixed-strings', `--grep=${mark}`, `${forked.value}..${tip}`];
  const found = await git(args, { cwd: root });
  return found.ok && found.value !== '' ? found.value : null;
}

async function squash(merge: SquashMerge, tip: string): Promise<ScmResult<string>> {
  const { repository, headBranch, baseBranch, headCommit, author } = merge;
  const merged = await mergeTrees(repository, tip, headCommit);
  if (!merged.ok) return fail(merged.error.code, merged.error.message);
  if (!merged.value.clean)
    return fail(
      'conflict',
      `${headBranch} and ${baseBranch} changed the same lines in ${merged.value.conflicts.join(', ')}: bring the branch up to date and resolve that, then merge again.`,
      { conflicts: merged.value.conflicts },
    );
  const message = `${merge.message.trimEnd()}\n\n${merge.mark}`;
  const commit = await git(['commit-tree', merged.value.tree, '-p', tip, '-m', message], {
    cwd: repository.root,
    author,
  });
  return commit.ok ? commit : fail(commit.error.code, commit.error.message);
}

type Step = { readonly old: string; readonly commit: string };

async function publish(merge: SquashMerge, step: Step): Promise<ScmResult<Squashed>> {
  const { repository, remote, talk, baseBranch } = merge;
  if (remote !== null) {
    const pushed = await pushCommit({ repository, remote, branch: baseBranch, talk }, step.commit);
    if (!pushed.ok)
      return pushed.error.code === 'conflict' ? fail('conflict', pushed.error.message, LOST_RACE) : pushed;
  }
  const moved = await moveBase(merge, step);
  if (!moved.ok && remote === null) return moved;
  return { ok: true, value: { mergeCommit: step.commit, notice: await noticeOf(merge, step.commit) } };
}

/** The local branch follows, unless somebody has it checked out; a clean worktree of ours follows with it. */
async function moveBase(merge: SquashMerge, { commit, old }: Step): Promise<ScmResult<null>> {
  const { repository, baseBranch, remote } = merge;
  const here = await branchTip(repository, baseBranch);
  if (here === commit) return { ok: true, value: null };
  const checkouts = await checkoutsOf(repository, baseBranch);
  if (checkouts.some((folder) => !isOurWorktree(repository, folder)))
    return remote === null ? keepWaiting(repository, { branch: baseBranch, commit }) : { ok: true, value: null };
  for (const folder of checkouts) {
    const dirty = await git(['status', '--porcelain'], { cwd: folder });
    if (!dirty.ok || dirty.value !== '')
      return failForNow(`${folder} holds work that is not committed: the merge waits for it.`);
  }
  const from = here ?? '0'.repeat(commit.length);
  if (here !== null && here !== old && !(await isAncestor(repository, here, commit))) return lostRace(baseBranch);
  const set = await git(['update-ref', '-m', 'attractor: merge', `refs/heads/${baseBranch}`, commit, from], {
    cwd: repository.root,
  });
  if (!set.ok) return lostRace(baseBranch);
  for (const folder of checkouts) await git(['reset', '--hard', '--quiet', commit], { cwd: folder });
  return { ok: true, value: null };
}

function lostRace(branch: string): ScmResult<null> {
  return fail('conflict', `${branch} moved meanwhile.`, LOST_RACE);
}

async function keepWaiting(
  { root }: Repository,
  { branch, commit }: { readonly branch: string; readonly commit: string },
): Promise<ScmResult<null>> {
  const kept = await git(['update-ref', mergedRef(branch), commit], { cwd: root });
  return kept.ok ? { ok: true, value: null } : fail(kept.error.code, kept.error.message);
}

async function noticeOf({ repository, baseBranch, remote }: SquashMerge, commit: string): Promise<string | null> {
  const here = await branchTip(repository, baseBranch);
  if (here === null || (await isAncestor(repository, commit, here))) return null;
  const [folder = repository.root] = await checkoutsOf(repository, baseBranch);
  const command =
    remote === null ? `git merge --ff-only ${commit.slice(0, 12)}` : `git pull --ff-only ${remote.name} ${baseBranch}`;
  return `${baseBranch} is checked out in ${folder}, which is not touched: run "${command}" there to have the merge.`;
}
