import type {
  BranchState,
  BranchUpdate,
  FileLines,
  ForgeInfo,
  Issue,
  LinesWanted,
  OfTask,
  Picture,
  PictureSide,
  TaskDiff,
} from '@attractor/repository';
import type { Actor, AgentRun, Artifact, Effect, MergeMethod, Result, Task } from '@attractor/store';
import type { AttemptGroup } from '@attractor/run';
import type { PromptCommands } from '../prompts/contract.ts';

/** The result of importing a project's issues. Each issue becomes a task once; its address shows whether it already did. */
export type ImportedIssues = {
  readonly imported: ReadonlyArray<Task>;
  readonly known: ReadonlyArray<{ readonly url: string; readonly taskId: string }>;
  readonly refused: ReadonlyArray<{ readonly number: number; readonly message: string }>;
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

/** `mergedAs`: the base's commit with the work; then it is undone there. A step is one commit of the branch. */
export type TaskChanges = {
  readonly branch: string;
  readonly baseBranch: string;
  readonly baseCommit: string;
  readonly headCommit: string;
  readonly mergedAs: string | null;
  readonly steps: ReadonlyArray<{
    readonly step: number;
    readonly commit: string;
    readonly author: string;
    readonly title: string;
    readonly runId: string | null;
    readonly files: ReadonlyArray<{ readonly path: string; readonly additions: number; readonly deletions: number }>;
  }>;
};

/** Neither `step` nor `files`: everything that the task changed. Both: the step's part in these files. */
export type RollBack = { readonly taskId: string; readonly step?: number; readonly files?: ReadonlyArray<string> };

export type RolledBack = { readonly branch: string; readonly label: string; readonly commit: string | null };

/** One of the attempts of a group that was judged. */
export type AttemptChosen = { readonly groupId: string; readonly runId: string };

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
  /** As of any prompt; an approval of work that changed since it was shown is refused, and asked for anew. */
  readonly answerPrompt: PromptCommands['answerPrompt'];
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
  /** What the task changed, step by step, also after it was merged. */
  readonly taskChanges: (of: OfTask) => Promise<Result<TaskChanges>>;
  /**
   * Undoes work of a task by a new commit on its branch or, once that has it, on its base: all of it, one step, or some files. What came
   * since stays; if the same lines changed again, nothing is done.
   */
  readonly rollBack: (input: RollBack, actor: Actor) => Promise<Result<RolledBack>>;
  readonly diff: (of: OfTask) => Promise<Result<TaskDiff>>;
  /** A picture that the branch changes, as it was on the base or is on the branch. */
  readonly picture: (of: OfTask & PictureSide) => Promise<Result<Picture>>;
  /** Lines of a file as the branch has it, also those that the diff leaves out. */
  readonly fileLines: (of: OfTask & LinesWanted) => Promise<Result<FileLines>>;
  /** What one run changed: from where it began to where it ended, or to its branch as it is now. */
  readonly runDiff: (runId: string) => Promise<Result<TaskDiff>>;
  /**
   * Takes another attempt than the one that the checks chose: a commit on the task's branch leads from the one's work to the other's, and
   * what came since stays. A review that waits is asked anew.
   */
  readonly chooseAttempt: (input: AttemptChosen, actor: Actor) => Promise<Result<AttemptGroup>>;
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
