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
import type { Actor, AgentRun, Artifact, Effect, MergeMethod, Result, Task } from '@attractor/store';

/** The result of importing a project's issues. Each issue becomes a task once; its address shows whether it already did. */
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

/** `method` absent: as the project says. */
export type OfMerge = OfTask & { readonly method?: MergeMethod };

/** `contentHash`: of the review that was shown; another one by now is not answered. */
export type Approval = {
  readonly taskId: string;
  readonly contentHash?: string;
  readonly message?: string;
  readonly merge?: boolean;
  readonly method?: MergeMethod;
};

/** `run`: null if nothing conflicts, so that there was nothing to resolve. */
export type Resolving = { readonly update: BranchUpdate; readonly run: AgentRun | null };

/** `pullRequest`: merged, if that was asked for. */
export type Approved = { readonly task: Task; readonly pullRequest: Artifact | null };

/**
 * Git and the forge. Everything that leaves the machine (push, pull request, merge, comment) is put into the outbox in one transaction and
 * done by the service alone; a command returns when it is done, or says why it is not. Nothing is forced, and nothing of
 * a person's that is not committed is touched.
 */
export type ScmCommands = {
  /**
   * Merges the task's approved pull request into its base, at its current head. Returns the pull request, whose metadata say which commit of
   * the base it is. A checkout that has the base moves forward with it; if that can't be, nothing is done.
   */
  readonly mergePullRequest: (of: OfMerge, actor: Actor) => Promise<Result<Artifact>>;
  /** Accepts the work of a task, and with `merge` merges it as well: one act, or none if the merge can't be made. */
  readonly approve: (input: Approval, actor: Actor) => Promise<Result<Approved>>;
  /** Pushes the branch, and opens the pull request that was left out after a refused push. */
  readonly pushBranch: (of: OfTask, actor: Actor) => Promise<Result<ReadonlyArray<Effect>>>;
  /** Pushes the branch if there is a remote and opens a pull request for it. If one is already open, returns that one. */
  readonly openPullRequest: (of: OfTask, actor: Actor) => Promise<Result<Artifact>>;
  readonly branchState: (of: OfTask) => Promise<Result<BranchState>>;
  /** Brings the branch up to date with its base. If there are conflicts they are shown and nothing is changed. */
  readonly rebase: (of: OfTask, actor: Actor) => Promise<Result<BranchUpdate>>;
  /**
   * Lets an agent resolve what conflicts with the base: the base is merged into the branch with its conflicts marked, and a run starts that
   * is told so. The task is reviewed again afterwards. Without a conflict the branch is only brought up to date.
   */
  readonly resolveConflict: (input: OfTask, actor: Actor) => Promise<Result<Resolving>>;
  /** Takes the merge of the task back by a commit on top of its base. Returns the pull request. */
  readonly revertMerge: (of: OfTask, actor: Actor) => Promise<Result<Artifact>>;
  readonly diff: (of: OfTask) => Promise<Result<TaskDiff>>;
  /** The effects in the outbox, oldest first: which are done, which wait, and why. */
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
  /** Checks whether others merged or closed pull requests, and records it. */
  readonly reconcilePullRequests: (projectId?: string) => Promise<Result<{ readonly changed: number }>>;
};
