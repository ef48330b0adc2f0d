import type { CodingSession, Inbox, InboxFilter, StatedTask } from '@attractor/states';

/** How tasks stand, for people. */
export type StateCommands = {
  /** In the order of the ids; unknown ones are left out. */
  readonly taskStates: (taskIds: ReadonlyArray<string>) => Promise<ReadonlyArray<StatedTask>>;
  /** The task as a coding session; null if there is no such task. */
  readonly codingSession: (taskId: string) => Promise<CodingSession | null>;
  readonly inbox: (filter?: InboxFilter) => Promise<Inbox>;
};
