import type { ScheduleAction } from '@attractor/store';

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
