export { checkedOutSubmodules, gitHere, type GitHere } from './git-here.ts';
export { filesKnownToGit, filesListedByGit, kindOfObject } from './known-files.ts';
export { filesPrintedByGit } from './printed-files.ts';
export { refNameProblem } from './ref-name.ts';
export { readRepositoryConfig, runGit } from './run-git.ts';
export type { GitOptions, GitPerson, GitResult } from './start-git.ts';
export { isOfRepository, type GitRepository, type GitSetting } from './what-git-obeys.ts';
export { takeGitSnapshot } from './git-snapshot.ts';
export { knownOwnWorktree, makeOwnWorktree, type OwnWorktree, type WorktreeSource } from './own-worktree.ts';
