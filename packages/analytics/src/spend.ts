import type { AgentRun } from '@attractor/store';

/** `from` and `to` are local dates (`2026-11-15`), both included, or ISO times, which are rounded to their quarter of an hour. */
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
 * `inputTokens` includes the cached ones. `costUsd` is null as soon as one call's price is unknown; `knownCostUsd` is the sum of the known
 * ones.
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

/** `key` is an id, an agent's type, a model or a local date; `label` is its name for people. */
export type SpendRow = Spend & { readonly key: string; readonly label: string; readonly runs: number };

export type Costs = { readonly total: Spend & { readonly runs: number }; readonly rows: ReadonlyArray<SpendRow> };

/** Milliseconds, summed over the runs. */
export type WaitingTimes = {
  readonly onQueueMs: number;
  readonly onAgentsMs: number;
  readonly onChecksMs: number;
  readonly onPeopleMs: number;
};

/**
 * Statistics of the runs that began within the filter. `successRate` is null if none ended; a run that a person stopped does not count as a
 * failure.
 */
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
  /** Runs that repeated what an earlier run of the same task and mode had not completed. */
  readonly retries: number;
  /** Tasks whose work people took, each for the run that wrote to it last. */
  readonly accepted: number;
  readonly waiting: WaitingTimes;
};

export type AgentComparison = RunStats & {
  readonly agentType: string;
  readonly model: string;
  readonly spend: Spend;
  /** Null if a price is unknown or nothing was completed. */
  readonly costPerCompletedUsd: number | null;
  /** Of all its runs, also those that failed: null if a price is unknown or nothing was accepted. */
  readonly costPerAcceptedUsd: number | null;
};

/** What a run did, in order, with times. A span that has not ended has no `end`. */
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
