import type { Id } from '@attractor/base/id';
import type { NewTask } from './new-task.ts';
import type { AgentRunMode } from './run.ts';

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
