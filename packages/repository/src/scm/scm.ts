import type { MergeMethod } from '@attractor/store';
import type { ScmResult } from '../git/outside-result.ts';
import type { Prove } from '../landing/land.ts';

export type PullRequestState = 'draft' | 'open' | 'merged' | 'closed';

export type PullRequest = {
  readonly number: number;
  readonly url: string | null;
  readonly title: string;
  readonly state: PullRequestState;
  readonly headBranch: string;
  readonly baseBranch: string;
  /** The commit of the head, or its last one when it was merged. */
  readonly headCommit: string | null;
  readonly mergeCommit: string | null;
  readonly mergedAt: string | null;
};

export type NewPullRequest = Pick<PullRequest, 'title' | 'headBranch' | 'baseBranch'> & {
  readonly body: string;
  readonly state: 'open' | 'draft';
};

export type MergeRequest = {
  readonly number: number;
  /** Only this is merged: a head that has moved since is refused. */
  readonly headCommit: string;
  readonly message: string;
  readonly method: MergeMethod;
  /** Asked before the base moves, by a home of pull requests that merges itself. */
  readonly prove: Prove;
  /** The base is one of our branches, such as that of a task with phases: nobody else's work is on it. */
  readonly base: 'ours' | 'theirs';
  /** Of the task whose work it is, for the commands that a refusal names. */
  readonly taskKey?: string;
  /** Commits that are known as work of the head: only they count as merged by somebody who moved the base to one of them. */
  readonly own?: ReadonlySet<string>;
};

/** `notice`: what a person still has to do, such as updating a checkout. `baseCommit`: the base's tip before, if we merged it now. */
export type MergedPullRequest = PullRequest & { readonly notice: string | null; readonly baseCommit: string | null };

export type PullRequestComment = { readonly author: string; readonly body: string; readonly at: string | null };

export type NewComment = {
  readonly number: number;
  /** The same key means the same comment. */
  readonly key: string;
  readonly body: string;
};

export type Issue = {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly url: string;
  readonly labels: ReadonlyArray<string>;
  readonly state: 'open' | 'closed';
};

export type RepositoryInfo = {
  readonly name: string;
  readonly url: string | null;
  readonly defaultBranch: string;
};

export type Availability = { readonly available: true } | { readonly available: false; readonly reason: string };

/**
 * Where pull requests of one repository live. `createPR` looks first: called again it returns the existing one. `mergePR` merges exactly the
 * requested commit, and called again returns the merge that was made. A checkout that has the base moves forward with it, or nothing is
 * done; nothing is ever forced. Issues are a capability that only a forge has.
 */
export type Scm = {
  readonly type: 'local' | 'gh';
  readonly isAvailable: () => Promise<Availability>;
  readonly createPR: (wanted: NewPullRequest) => Promise<ScmResult<PullRequest>>;
  readonly getPR: (number: number) => Promise<ScmResult<PullRequest>>;
  readonly listPRs: (filter?: {
    readonly state?: 'open' | 'all';
    readonly headBranch?: string;
  }) => Promise<ScmResult<ReadonlyArray<PullRequest>>>;
  readonly mergePR: (merge: MergeRequest) => Promise<ScmResult<MergedPullRequest>>;
  readonly commentPR: (comment: NewComment) => Promise<ScmResult<null>>;
  readonly getPRComments: (number: number) => Promise<ScmResult<ReadonlyArray<PullRequestComment>>>;
  readonly getRepoInfo: () => Promise<ScmResult<RepositoryInfo>>;
  readonly listIssues?: () => Promise<ScmResult<ReadonlyArray<Issue>>>;
  readonly getIssue?: (number: number) => Promise<ScmResult<Issue>>;
};

export function isOpen({ state }: Pick<PullRequest, 'state'>): boolean {
  return state === 'open' || state === 'draft';
}
