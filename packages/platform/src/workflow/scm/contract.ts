import type {
  Availability,
  BranchState,
  BranchUpdate,
  Issue,
  OfTask,
  RepositoryInfo,
  Scm,
  TaskDiff,
} from '@attractor/repository';
import type { Actor, Artifact, Effect, Result, Task } from '@attractor/store';

/** What became of a project's issues: each is a task once, by its address. */
export type ImportedIssues = {
  readonly imported: ReadonlyArray<Task>;
  readonly known: ReadonlyArray<{ readonly url: string; readonly taskId: string }>;
  readonly refused: ReadonlyArray<{ readonly number: number; readonly message: string }>;
};

export type ForgeInfo = {
  readonly type: Scm['type'];
  readonly availability: Availability;
  readonly repository: RepositoryInfo | null;
};

/**
 * Git and the forge. What leaves the machine (push, pull request, merge, comment) is put into the outbox in one transaction and done by
 * the service alone; a command answers when it is done, or says why it is not. Nothing is forced, and no checkout of a person is touched.
 */
export type ScmCommands = {
  /** Squashes the task's open pull request into its base, at the head that it has now. Answers the pull request. */
  readonly mergePullRequest: (of: OfTask, actor: Actor) => Promise<Result<Artifact>>;
  /** Pushes the branch, and opens the pull request that a refused push left out. */
  readonly pushBranch: (of: OfTask, actor: Actor) => Promise<Result<ReadonlyArray<Effect>>>;
  /** Opens a pull request for the branch as it is, after pushing it where there is a remote. The one that is open already is answered. */
  readonly openPullRequest: (of: OfTask, actor: Actor) => Promise<Result<Artifact>>;
  readonly branchState: (of: OfTask) => Promise<Result<BranchState>>;
  /** Brings the branch up to date with its base. Conflicts are shown, and then nothing was changed. */
  readonly rebase: (of: OfTask, actor: Actor) => Promise<Result<BranchUpdate>>;
  readonly diff: (of: OfTask) => Promise<Result<TaskDiff>>;
  /** What was decided for outside, oldest first: what is done, what waits and why. */
  readonly listEffects: (taskId: string) => Promise<ReadonlyArray<Effect>>;
  readonly forge: (projectId: string) => Promise<Result<ForgeInfo>>;
  readonly listIssues: (projectId: string) => Promise<Result<ReadonlyArray<Issue>>>;
  readonly importIssues: (
    input: {
      readonly projectId: string;
      readonly numbers: ReadonlyArray<number> | 'all';
      readonly pipeline?: string;
    },
    actor: Actor,
  ) => Promise<Result<ImportedIssues>>;
  /** Looks whether pull requests were merged or closed by others, and tells it. */
  readonly reconcilePullRequests: (projectId?: string) => Promise<Result<{ readonly changed: number }>>;
};
