import type { Actor, AgentRunMode, Result } from '@attractor/store';
import type { BudgetInput, BudgetScope, BudgetState, AttemptGroup } from '@attractor/run';
import type { AgentComparison, Costs, RunStats, RunTimeline, SpendFilter, SpendGroup } from '@attractor/analytics';

export type AttemptChoice = { readonly agentType?: string; readonly model?: string };

export type AttemptsInput = {
  readonly taskId: string;
  /** Default: implement, where checks can judge. */
  readonly mode?: AgentRunMode;
  /** One attempt for each, or `n` identical ones. 2 to 10. */
  readonly attempts?: ReadonlyArray<AttemptChoice>;
  readonly n?: number;
};

/** What runs cost, what they may cost, and how they compare. Each command is one transaction with its events. */
export type SpendCommands = {
  readonly listBudgets: (filter?: {
    readonly scope?: BudgetScope;
    readonly subjectId?: string;
  }) => Promise<ReadonlyArray<BudgetState>>;
  /** Creates a budget, or changes the one for this scope, subject and period. */
  readonly setBudget: (input: BudgetInput, actor: Actor) => Promise<Result<BudgetState>>;
  readonly deleteBudget: (id: string, actor: Actor) => Promise<Result<null>>;
  readonly costs: (filter: SpendFilter, groupBy: SpendGroup) => Promise<Result<Costs>>;
  readonly stats: (filter: SpendFilter) => Promise<Result<RunStats>>;
  readonly compareAgents: (filter: SpendFilter) => Promise<Result<ReadonlyArray<AgentComparison>>>;
  readonly runTimeline: (runId: string) => Promise<Result<RunTimeline>>;
  readonly startAttempts: (input: AttemptsInput, actor: Actor) => Promise<Result<AttemptGroup>>;
  readonly getAttempts: (groupId: string) => Promise<AttemptGroup | null>;
  /** Newest first. */
  readonly listAttempts: (taskId: string) => Promise<ReadonlyArray<AttemptGroup>>;
  /** Stops every attempt that has not ended. */
  readonly cancelAttempts: (groupId: string, actor: Actor) => Promise<Result<AttemptGroup>>;
};
