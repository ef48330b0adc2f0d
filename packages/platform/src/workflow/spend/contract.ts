import type { Actor, AgentRun, AgentRunMode } from './types/index.ts';
import type { Result } from './workflow-contract.ts';

/** `all`: everything that this database runs. `subjectId` names the project or the task, and is null for `all`. */
export type BudgetScope = 'all' | 'project' | 'task';

/**
 * What may be spent: in USD, in tokens, or both, once or each day. At most one budget for a scope, its subject and a period. Reached,
 * it starts no more runs; a run at work ends after its turn (`stop`), or waits for a person who may raise the budget (`ask`).
 */
export type Budget = {
  readonly id: string;
  readonly scope: BudgetScope;
  readonly subjectId: string | null;
  readonly period: 'total' | 'day';
  /** Where the day begins. An IANA name. */
  readonly timeZone: string;
  readonly limitUsd: number | null;
  readonly limitTokens: number | null;
  readonly whenReached: 'ask' | 'stop';
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** `reserved` is held for runs at work that did not use it yet. `unpricedCalls` used models of unknown price: no USD budget sees them. */
export type BudgetState = Budget & {
  readonly spentUsd: number;
  readonly spentTokens: number;
  readonly reservedUsd: number;
  readonly reservedTokens: number;
  readonly unpricedCalls: number;
  readonly isReached: boolean;
};

export type BudgetInput = {
  readonly scope: BudgetScope;
  readonly subjectId?: string | null;
  readonly period?: Budget['period'];
  readonly timeZone?: string;
  readonly limitUsd?: number | null;
  readonly limitTokens?: number | null;
  readonly whenReached?: Budget['whenReached'];
};

/** `from` and `to` are local dates (`2026-11-15`), both included, or ISO times; a time counts to its quarter of an hour. */
export type SpendFilter = {
  readonly projectId?: string;
  readonly taskId?: string;
  readonly agentType?: string;
  readonly model?: string;
  readonly from?: string;
  readonly to?: string;
  /** Where days begin and end. Default: UTC. */
  readonly timeZone?: string;
};

export type SpendGroup = 'project' | 'task' | 'agent' | 'model' | 'day';

/**
 * `inputTokens` holds the cached ones too. `costUsd` is null as soon as one call's price is unknown; `knownCostUsd` is the sum of those
 * that are known.
 */
export type Spend = {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly costUsd: number | null;
  readonly knownCostUsd: number;
  readonly unpricedCalls: number;
};

/** `key` is an id, an agent's type, a model or a local date; `label` is what a person calls it. */
export type SpendRow = Spend & { readonly key: string; readonly label: string; readonly runs: number };

export type Costs = { readonly total: Spend & { readonly runs: number }; readonly rows: ReadonlyArray<SpendRow> };

/** Milliseconds, summed over the runs. */
export type WaitingTimes = {
  readonly onQueueMs: number;
  readonly onAgentsMs: number;
  readonly onChecksMs: number;
  readonly onPeopleMs: number;
};

/** Of runs that began within the filter. `successRate` is null where none ended; people who stop a run do not make it a failure. */
export type RunStats = {
  readonly runs: number;
  readonly running: number;
  readonly completed: number;
  readonly failed: number;
  readonly timeout: number;
  readonly cancelled: number;
  readonly successRate: number | null;
  readonly meanDurationMs: number | null;
  readonly medianDurationMs: number | null;
  /** Runs that did again what an earlier run of the same task and mode had not completed. */
  readonly retries: number;
  readonly waiting: WaitingTimes;
};

export type AgentComparison = RunStats & {
  readonly agentType: string;
  readonly model: string;
  readonly spend: Spend;
  /** Null where a price is unknown or nothing was completed. */
  readonly costPerCompletedUsd: number | null;
};

/** What a run did when, in its order. A span that has not ended has no `end`. */
export type TimelineSpan = {
  readonly kind: 'queue' | 'step' | 'tool' | 'check' | 'person';
  readonly name: string;
  readonly start: string;
  readonly end: string | null;
  readonly ok: boolean | null;
};

export type RunTimeline = {
  readonly run: AgentRun;
  readonly spans: ReadonlyArray<TimelineSpan>;
  readonly waiting: WaitingTimes;
  readonly spend: ReadonlyArray<Spend & { readonly model: string }>;
};

export type AttemptChoice = { readonly agentType?: string; readonly model?: string };

export type AttemptsInput = {
  readonly taskId: string;
  /** Default: implement, where checks can judge. */
  readonly mode?: AgentRunMode;
  /** One attempt for each, or `n` alike. 2 to 10. */
  readonly attempts?: ReadonlyArray<AttemptChoice>;
  readonly n?: number;
};

/** `score` is there once the attempt is done; `place` once all are judged, 1 being the winner. */
export type Attempt = {
  readonly number: number;
  readonly run: AgentRun;
  readonly score: AttemptScore | null;
  readonly place: number | null;
};

export type AttemptScore = {
  readonly succeeded: boolean;
  readonly failedChecks: number;
  readonly changedLines: number;
  readonly costUsd: number | null;
};

/** Several attempts at one task at once, judged by the project's checks. The winner's work becomes the task's branch. */
export type AttemptGroup = {
  readonly id: string;
  readonly taskId: string;
  readonly projectId: string;
  readonly status: 'running' | 'judged' | 'cancelled';
  readonly winnerRunId: string | null;
  readonly createdAt: string;
  readonly attempts: ReadonlyArray<Attempt>;
};

/** What runs cost, what they may cost, and how they compare. Commands are one transaction each with its events. */
export type SpendCommands = {
  readonly listBudgets: (filter?: {
    readonly scope?: BudgetScope;
    readonly subjectId?: string;
  }) => Promise<ReadonlyArray<BudgetState>>;
  /** Makes it, or changes the one that is there for this scope, subject and period. */
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
