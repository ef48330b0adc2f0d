import type { BranchState, Effect } from '@attractor/platform';
import { showControls } from './plain-text.ts';

/** How a branch stands to its base and to where it was pushed. */
export function branchWords({ ahead, behind, baseBranch, remote, remoteCommit, headCommit }: BranchState): string {
  const commits = `${ahead} ${ahead === 1 ? 'commit' : 'commits'} ahead of ${showControls(baseBranch)}`;
  const late = behind === 0 ? '' : `, ${behind} behind it`;
  if (remote === null) return `${commits}${late}`;
  return `${commits}${late}; ${PUSHED[remoteCommit === null ? 'no' : remoteCommit === headCommit ? 'all' : 'part']}`;
}

const PUSHED = { no: 'not pushed', all: 'pushed', part: 'pushed in part' } as const;

const EFFECTS: Readonly<Record<NonNullable<Effect['work']>['kind'], string>> = {
  push: 'Push',
  create_pr: 'Pull request',
  merge_pr: 'Merge',
  revert_merge: 'Taking the merge back',
  roll_back: 'Undoing work',
  keep_work: 'Keeping what a run left',
  comment_pr: 'Comment on the pull request',
  create_branch: 'Branch',
  create_worktree: 'Worktree',
};

/** A pull request that was opened is not over. */
const DONE: Readonly<Record<NonNullable<Effect['work']>['kind'], string>> = {
  push: 'Pushed',
  create_pr: 'Pull request opened',
  merge_pr: 'Merged',
  revert_merge: 'Merge taken back',
  roll_back: 'Work undone',
  keep_work: 'What a run left is kept',
  comment_pr: 'Commented on the pull request',
  create_branch: 'Branch made',
  create_worktree: 'Worktree made',
};

/** What left this machine, and whether it arrived. */
export function effectWords({ work, state, error }: Effect): string {
  if (work !== null && state === 'done' && error === null) return DONE[work.kind];
  const what = work === null ? 'Unknown' : EFFECTS[work.kind];
  return `${what}: ${state}${error === null ? '' : `, ${showControls(error)}`}`;
}
