/** Work that waits or is done; its order and its owner. One for each run. */
export type JobRow = {
  id: string;
  run_id: string;
  state: 'queued' | 'running' | 'waiting' | 'done';
  owner: string | null;
  /** Grows with every claim; a write of an older claim is refused. */
  fence: number;
  /** Milliseconds of the store's clock (`Store.now`): changing a machine's wall clock ends no lease. */
  lease_until: number | null;
  /** Claims since the run last made progress. */
  attempts: number;
  created_at: string;
  project_id: string;
  agent_type: string;
  /** The account whose limit the run counts against. */
  account: string;
  /** How many jobs the project had, this one included, when it was put. */
  number: number;
  /** The order within the project: `number`, moved ahead by the task's priority. */
  place: number;
  /** ISO time: not to be claimed before it. */
  not_before: string | null;
  /** The `StartBlock` that held it up last, as JSON. Of a running job: what its run waits for; it takes no one's place meanwhile. */
  blocked: string | null;
};

/** What a worker must have to take the job. */
export type JobLabelRow = { job_id: string; label: string };

/** One for each project that ever had a job. `served` grows with every claim of any project: the lowest was served longest ago. */
export type QueueLaneRow = { project_id: string; paused: number; served: number };

/** `paused` for everything, `agent:TYPE` and `account:NAME` for how many may run at once. */
export type QueueLimitRow = { name: string; value: number };

/**
 * A worker, busy or idle. `owner` names its process as in `jobs`. `seen_at` is its last sign of life for people, `seen` the same in
 * milliseconds of the store's clock. Never moved: it names processes.
 */
export type WorkerRow = {
  id: string;
  owner: string;
  host: string;
  labels: string;
  concurrency: number;
  started_at: string;
  seen_at: string;
  seen: number;
};

export type ScheduleRow = {
  id: string;
  project_id: string;
  name: string;
  cron: string;
  time_zone: string;
  enabled: number;
  action: string;
  next_at: string;
  last_at: string | null;
  last_result: string | null;
  created_at: string;
};
