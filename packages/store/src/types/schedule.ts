import type { Id } from '@attractor/base/id';
import type { NewTask } from './new-task.ts';
import type { AgentRunMode } from './run.ts';

/** What a schedule does when it is due: it creates a task, or takes an existing one, and may move it or start an agent on it. */
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
 * Recurring work. `nextAt` is the next time by cron line and time zone; it moves on in the transaction that does the work, so that with any
 * number of servers each time is done once. Times missed while no server ran are made up for by one.
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
  /** The task of the last time, or why there is none. */
  readonly lastResult: string | null;
  readonly createdAt: string;
};
