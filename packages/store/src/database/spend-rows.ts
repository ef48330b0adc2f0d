/** What a run used of a model in a quarter of an hour (`slot`: quarters since 1970). Money in billionths of a dollar: sums are exact. */
export type RunUsageRow = {
  run_id: string;
  model: string;
  slot: number;
  calls: number;
  input_tokens: number;
  output_tokens: number;
  cache_read_tokens: number;
  cache_write_tokens: number;
  cost_nano: number;
  unpriced_calls: number;
};

/**
 * What a project's runs used on a day that is over (slots from `from_slot` until before `to_slot`), as JSON; the row of no project says that
 * the day was summed up. Derived from `run_usage`, whose changes remove the rows of their day.
 */
type SpendDayRow = { project_id: string; from_slot: number; to_slot: number; sums: string };

/** Where a run's time went; stored while it runs, so that a restart does not reset it. */
export type RunMeterRow = {
  run_id: string;
  begun_at: string;
  queue_ms: number;
  agent_ms: number;
  checks_ms: number;
  /** The identity of the agent's own process, while there is one. */
  agent_process: string | null;
};

/** What a run is expected to use. Counts against budgets while its job is running, as far as the run has not used it yet. */
type ReservationRow = { run_id: string; cost_nano: number; tokens: number };

export type BudgetRow = {
  id: string;
  scope: 'all' | 'project' | 'task';
  /** Empty for `all`. */
  subject_id: string;
  period: 'total' | 'day';
  time_zone: string;
  limit_nano: number | null;
  limit_tokens: number | null;
  when_reached: 'ask' | 'stop';
  created_at: string;
  updated_at: string;
};

export type AttemptGroupRow = {
  id: string;
  task_id: string;
  project_id: string;
  winner_run_id: string | null;
  judged_at: string | null;
  created_at: string;
};

export type AttemptRow = {
  run_id: string;
  group_id: string;
  number: number;
  score: string | null;
  place: number | null;
};

export type SpendTables = {
  run_usage: RunUsageRow;
  run_meters: RunMeterRow;
  reservations: ReservationRow;
  budgets: BudgetRow;
  attempt_groups: AttemptGroupRow;
  attempts: AttemptRow;
  spend_days: SpendDayRow;
};
