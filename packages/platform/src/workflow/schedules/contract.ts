import type { Actor, Result, Schedule, ScheduleAction } from '@attractor/store';

export type NewSchedule = {
  /** Present: this schedule is changed. */
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

export type ScheduleCommands = {
  readonly listSchedules: (filter?: { readonly projectId?: string }) => Promise<ReadonlyArray<Schedule>>;
  readonly saveSchedule: (input: NewSchedule, actor: Actor) => Promise<Result<Schedule>>;
  readonly deleteSchedule: (id: string, actor: Actor) => Promise<Result<null>>;
};
