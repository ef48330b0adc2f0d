export { readAddedLines, readMessages } from './git/added-lines.ts';
export { readBranchChange, readChangedFiles, readFilesOf } from './scm/branch-change.ts';
export { readAddress } from './copy/address.ts';
export { copyAddress } from './copy/copy-remote.ts';
export { branchName, branchOfRun } from './git/branch-name.ts';
export { readCommits, readDiffStat } from './git/change.ts';
export { branchTip, commitOf } from './git/commits.ts';
export { openRepository } from './git/open-repository.ts';
export type { RemoteOptions } from './git/person-git.ts';
export { personRemoteOptions } from './git/person-git.ts';
export { haveSameFiles, headOf } from './git/checked-out.ts';
export { fetchBranch, findRemote } from './git/remote.ts';
export { withRepoLock } from './git/repo-lock.ts';
export type { Repository } from './git/repository.ts';
export { defaultBranch, git } from './git/repository.ts';
export { inScratchWorktree } from './git/scratch-worktree.ts';
export { chosenFolder, isOurWorktree, worktreeFolders, worktreePath } from './git/worktrees-folder.ts';
export { makeSample } from './sample/make-sample.ts';
export { rehearseMerge } from './landing/rehearse-merge.ts';
export type { Outbox } from './outbox/outbox.ts';
export { createOutbox } from './outbox/outbox.ts';
export type { Cleaning, MadeMerge, ProveMerge } from './outbox/performed.ts';
export type { BranchState } from './scm/branch-state.ts';
export { newestBase, readBranchState } from './scm/branch-state.ts';
export type { ForgeInfo, ProjectGit, ScmServices } from './scm/open-scm.ts';
export { openProjectGit, openScm, readForge } from './scm/open-scm.ts';
export { noteUpdate, ownCommits } from './scm/own-commits.ts';
export { branchesOfRun } from './scm/phase-place.ts';
export { pullRequestText } from './scm/pr-text.ts';
export { reconcilePullRequests } from './scm/reconcile.ts';
export { reviewText } from './scm/review-text.ts';
export type { Issue, Scm } from './scm/scm.ts';
export { phaseBranchName } from './scm/task-branch.ts';
export type { TaskDiff } from './scm/task-diff.ts';
export { messageOfOnly, readPatch } from './scm/range-patch.ts';
export {
  diffBetween,
  type PictureSide,
  readBranchDiff,
  readBranchLines,
  readBranchPicture,
} from './scm/branch-diff.ts';
export type { Picture } from './scm/changed-picture.ts';
export type { FileLines, LinesWanted } from './scm/file-lines.ts';
export type { OfTask, TaskPlace } from './scm/task-place.ts';
export { findPlace, isOpenRequest } from './scm/task-place.ts';
export type { FileDiff } from './scm/unified-diff.ts';
export type { BranchUpdate } from './scm/update-branch.ts';
export { updateBranch } from './scm/update-branch.ts';
export {
  dropAllCarried,
  dropCarried,
  fetchCarried,
  listCarriedRuns,
  pushRefs,
  rescueCarried,
} from './worktrees/carry-remote.ts';
export type { CarriedWork, LastCarried } from './worktrees/carry-work.ts';
export { forgetRefs, keepCarried, newestCarried, snapshotWork, stateRef, workRef } from './worktrees/carry-work.ts';
export type { FetchedBase } from './worktrees/fetch-base.ts';
export { logSubmodules } from './submodules/submodule-diff.ts';
export { fetchBase } from './worktrees/fetch-base.ts';
export { completeLargeFiles } from './worktrees/large-files.ts';
export { machineGate } from './worktrees/machine-gate.ts';
export { includeFiles } from './worktrees/include-files.ts';
export { overlookedFiles } from './worktrees/overlooked.ts';
export { keepWorktree, putBackLeft } from './worktrees/keep-worktree.ts';
export { worktreeNotices } from './worktrees/notices.ts';
export { checkOutProject, withoutSecret } from './worktrees/project-checkout.ts';
export { removeOldScratch } from './git/old-scratch.ts';
export { nextRescueRef, rescueLeftovers } from './worktrees/rescue.ts';
export { restoreBranch, restoreState, restoreUncommitted } from './worktrees/restore-work.ts';
export type { SyncRequest } from './worktrees/sync-branch.ts';
export { keepShared, SETUPS, type SharedSetup, takeShared } from './worktrees/shared-setup.ts';
export { bringBack, fastForward, rebaseOnBase } from './worktrees/sync-branch.ts';
export type { Worktree } from './worktrees/worktree.ts';
export { commitAll } from './worktrees/commit-all.ts';
export type { Change, Collected } from './scm/work-of-run.ts';
export { hasWork, readWork } from './scm/work-of-run.ts';
export { ensureWorktree, unlockWorktree } from './worktrees/worktree.ts';
