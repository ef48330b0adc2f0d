import type { StandingSubtask } from '@attractor/pipeline';
import type {
  PipelineDefinition,
  PipelineTransition,
  Prompt,
  RetryNote,
  RunStep,
  RunSummary,
  StartBlock,
  Task,
  TransitionOption,
} from '@attractor/store';

/** All that the state of a task is made from. Every field is read from the store; nothing else decides. */
export type StateFacts = {
  readonly task: Task;
  readonly pipeline: PipelineDefinition;
  /** What a person may do by the pipeline, each with what blocks it. */
  readonly options: ReadonlyArray<TransitionOption>;
  /** When the task came into its status. */
  readonly enteredAt: string;
  /** The status before. Null: it was never moved, or an agent is on it. */
  readonly cameFrom: string | null;
  readonly run: RunFacts | null;
  /** Unanswered, oldest first. */
  readonly prompts: ReadonlyArray<Prompt>;
  readonly merge: MergeFacts;
  /** The subtasks that it waits for. Null if it waits for none. */
  readonly split: SplitFacts | null;
  /** The tasks that it depends on and that have not ended. */
  readonly waitingFor: ReadonlyArray<Pick<Task, 'id' | 'key' | 'title'>>;
};

/** A split whose subtasks are not all settled, or were settled a moment ago. */
export type SplitFacts = {
  readonly since: string;
  /** In which mode the agent is started when all are settled. */
  readonly mode: string | null;
  readonly subtasks: ReadonlyArray<
    Pick<StandingSubtask, 'id' | 'key' | 'title' | 'standing'> & {
      /** How it can be started now; null if it was, or has to wait for another. */
      readonly start: { readonly mode: string } | { readonly move: PipelineTransition } | null;
      readonly isStarted: boolean;
    }
  >;
};

/** The newest run. */
export type RunFacts = Omit<RunSummary, 'taskId' | 'branch'> & {
  /** The step that is under way, or the last one. */
  readonly step: RunStep;
  /** A person moved the task after the run had ended: how it ended no longer matters. */
  readonly isPast: boolean;
  /** Our code for its failure, and the agent's own. */
  readonly failure: { readonly code: string; readonly agentCode?: string } | null;
  /** Null: no worker has it, and none will take it. */
  readonly job: JobFacts | null;
};

export type JobFacts = {
  readonly state: 'queued' | 'running' | 'waiting';
  readonly account: string;
  /** The limit of its account that has not ended. */
  readonly limit: { readonly until: string; readonly reason: string } | null;
  readonly notBefore: string | null;
  /** What the run before it failed of, if it tries that again. */
  readonly retry: Pick<RetryNote, 'cause' | 'failure'> | null;
  readonly blocked: StartBlock | null;
  /** Whose pause holds it back. */
  readonly pause: 'all' | 'project' | null;
  /** Workers that give signs of life. */
  readonly workers: number;
  /** What the worker has to have that takes it. */
  readonly labels: ReadonlyArray<string>;
  /** Said if none of them has that. */
  readonly unmet: string | null;
};

/** What became of the task's work. Whoever merges records these; a task without work has neither branch nor merge. */
export type MergeFacts = {
  readonly branch: string | null;
  /** What the last run left in its worktree when it ended, until that is on its branch. */
  readonly unkept: {
    readonly branch: string;
    /** Why the last try failed. */
    readonly problem: string | null;
    readonly isGivenUp: boolean;
  } | null;
  /** Only if the base has the commit. */
  readonly merged: {
    readonly commit: string | null;
    readonly base: string;
    readonly method: string | null;
    readonly at: string | null;
    /** The commit that took it back. */
    readonly revertedBy: string | null;
    /** It is known what it brought. */
    readonly canRevert: boolean;
  } | null;
  /** There is a pull request, open or not: an agent reported the work as ready. */
  readonly isOffered: boolean;
  /** There is a pull request that is open. */
  readonly canMerge: boolean;
  /** A merge is under way, or waits for its turn. */
  readonly isMerging: boolean;
  /** Why the last try did not merge, and what would help. */
  readonly problem: { readonly message: string; readonly obstacle: MergeObstacle | null } | null;
};

/** What a step can remove. `conflict`: both sides changed the same lines. `behind`: the branch is not on top of its base. `uncommitted`: a
 * checkout of the base has changes of a person's own. `checks`: the result of the merge fails them. `nothing`: the base has all of it. */
export type MergeObstacle =
  | { readonly kind: 'conflict' | 'behind' | 'checks' | 'nothing' }
  | { readonly kind: 'uncommitted'; readonly folder: string; readonly files: ReadonlyArray<string> };
