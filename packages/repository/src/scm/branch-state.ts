import { done } from '@attractor/base';
import { refuse, type Result } from '@attractor/store';
import { branchTip, commitOf, countApart, mergeTrees } from '../git/commits.ts';
import type { ProjectGit } from './open-scm.ts';
import type { PullRequestState } from './scm.ts';
import type { TaskPlace } from './task-place.ts';

/** How a branch relates to its base. `conflicts` are the files that can't be merged automatically. */
export type BranchState = {
  readonly branch: string;
  readonly baseBranch: string;
  readonly headCommit: string;
  readonly baseCommit: string;
  readonly ahead: number;
  readonly behind: number;
  readonly conflicts: ReadonlyArray<string>;
  readonly remote: string | null;
  /** What the remote had at our last push or fetch; null if it has no such branch. */
  readonly remoteCommit: string | null;
  readonly pullRequest: {
    readonly number: number | null;
    readonly state: PullRequestState | null;
    readonly url: string | null;
  } | null;
};

/** Computed from commits alone; contacts no remote. */
export async function readBranchState(git: ProjectGit, place: TaskPlace): Promise<Result<BranchState>> {
  const { repository, remote } = git;
  const { branch, baseBranch, pullRequest } = place;
  const head = await branchTip(repository, branch);
  const base = await newestBase(git, baseBranch);
  if (head === null) return refuse('not_found', `There is no branch "${branch}" in ${repository.root}.`);
  if (base === null) return refuse('not_found', `There is no branch "${baseBranch}" in ${repository.root}.`);
  const apart = await countApart(repository, { base, head });
  if (!apart.ok) return apart;
  const merged = await mergeTrees(repository, base, head);
  if (!merged.ok) return merged;
  return done({
    branch,
    baseBranch,
    headCommit: head,
    baseCommit: base,
    ...apart.value,
    conflicts: merged.value.clean ? [] : merged.value.conflicts,
    remote: remote?.name ?? null,
    remoteCommit: remote === null ? null : await commitOf(repository, `refs/remotes/${remote.name}/${branch}`),
    pullRequest: pullRequest === null ? null : shownRequest(pullRequest),
  });
}

/** The remote's if known, since that is what a merge goes to; otherwise the local one. */
export async function newestBase({ repository, remote }: ProjectGit, branch: string): Promise<string | null> {
  const there = remote === null ? null : await commitOf(repository, `refs/remotes/${remote.name}/${branch}`);
  return there ?? branchTip(repository, branch);
}

const STATES: ReadonlyArray<PullRequestState> = ['draft', 'open', 'merged', 'closed'];

function shownRequest({ metadata, url }: NonNullable<TaskPlace['pullRequest']>): BranchState['pullRequest'] {
  const { prNumber, state } = metadata;
  return {
    number: typeof prNumber === 'number' ? prNumber : null,
    state: STATES.find((known) => known === state) ?? null,
    url,
  };
}
