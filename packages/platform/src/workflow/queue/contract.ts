import type { Id } from '@attractor/base/id';
import type { StartBlock } from './store/jobs.ts';
import type { QueueLimit } from './store/queue-lanes.ts';
import type { Actor, AgentRunMode, Priority } from './types/index.ts';
import type { NewTask, Result } from './workflow-contract.ts';

/**
 * A run's place in the queue. A run is `running` from its start to its end; its job tells whether somebody works on it: `queued` means
 * that it waits for a worker, at its start or after the process that had it was shut down, and `blocked` or `notBefore` say for what.
 */
export type QueuedJob = {
  readonly jobId: string;
  readonly runId: string;
  readonly taskId: string;
  readonly projectId: string;
  readonly state: 'queued' | 'running';
  readonly priority: Priority;
  readonly agentType: string;
  readonly account: string;
  readonly labels: ReadonlyArray<string>;
  /** Claims since the run last moved on. */
  readonly attempts: number;
  readonly notBefore: string | null;
  readonly blocked: StartBlock | null;
  /** The process that has it: host and pid where they are known. */
  readonly owner: string | null;
  readonly createdAt: string;
};

export type QueueLaneState = {
  readonly projectId: string;
  readonly isPaused: boolean;
  readonly maxRunning: number | null;
  readonly running: number;
  readonly queued: number;
};

export type QueueState = {
  readonly isPaused: boolean;
  readonly running: number;
  readonly queued: number;
  readonly lanes: ReadonlyArray<QueueLaneState>;
  readonly limits: ReadonlyArray<QueueLimit>;
  /** What runs, then what waits in the order of each project; at most `limit`. */
  readonly jobs: ReadonlyArray<QueuedJob>;
};

/** What a schedule does when it is due: makes a task and may move it on or start an agent on it, or does so with a task that exists. */
export type ScheduleAction =
  | {
      readonly kind: 'create';
      readonly task: Omit<NewTask, 'projectId'>;
      readonly to?: string;
      readonly start?: AgentRunMode;
    }
  | { readonly kind: 'move'; readonly taskId: string; readonly to: string }
  | { readonly kind: 'start'; readonly taskId: string; readonly mode: AgentRunMode };

/**
 * Something to be done again and again. `nextAt` is the next time by cron line and time zone; it is moved on in the transaction that
 * does the work, so that with any number of servers each time is done once. Times that passed while nobody ran are made up by one.
 */
export type Schedule = {
  readonly id: Id<'sch'>;
  readonly projectId: string;
  readonly name: string;
  readonly cron: string;
  readonly timeZone: string;
  readonly isEnabled: boolean;
  readonly action: ScheduleAction;
  readonly nextAt: string;
  readonly lastAt: string | null;
  /** The task of the last time, or why nothing came of it. */
  readonly lastResult: string | null;
  readonly createdAt: string;
};

export type NewSchedule = {
  /** Present: this one is changed. */
  readonly id?: string;
  readonly projectId: string;
  readonly name: string;
  /** Five fields (minute, hour, day, month, weekday), six with seconds first, or a word such as `@daily`. */
  readonly cron: string;
  /** Such as `Europe/Berlin`. Default `UTC`. */
  readonly timeZone?: string;
  readonly isEnabled?: boolean;
  readonly action: ScheduleAction;
};

/** Everything about who works when. A pause lets what runs go on and starts nothing, of one project or of all. */
export type QueueCommands = {
  readonly queueState: (filter?: { readonly projectId?: string; readonly limit?: number }) => Promise<QueueState>;
  readonly pauseQueue: (scope: { readonly projectId?: string }, actor: Actor) => Promise<Result<QueueState>>;
  readonly resumeQueue: (scope: { readonly projectId?: string }, actor: Actor) => Promise<Result<QueueState>>;
  /** Pauses, and answers when what ran has ended or parked, or after `patienceMs` (default ten minutes); `running` tells which. */
  readonly drainQueue: (
    scope: { readonly projectId?: string; readonly patienceMs?: number },
    actor: Actor,
  ) => Promise<Result<QueueState>>;
  /** How many runs of an agent type or an account run at once, on all machines together; null: no limit. */
  readonly setQueueLimit: (
    limit: { readonly kind: QueueLimit['kind']; readonly name: string; readonly max: number | null },
    actor: Actor,
  ) => Promise<Result<QueueState>>;
  readonly listSchedules: (filter?: { readonly projectId?: string }) => Promise<ReadonlyArray<Schedule>>;
  readonly saveSchedule: (input: NewSchedule, actor: Actor) => Promise<Result<Schedule>>;
  readonly deleteSchedule: (id: string, actor: Actor) => Promise<Result<null>>;
};
