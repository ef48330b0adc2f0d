import type { Inbox, InboxFilter, StatedTask } from '@attractor/states';

/** How tasks stand, for people. */
export type StateCommands = {
  /** In the order of the ids; unknown ones are left out. */
  readonly taskStates: (taskIds: ReadonlyArray<string>) => Promise<ReadonlyArray<StatedTask>>;
  readonly inbox: (filter?: InboxFilter) => Promise<Inbox>;
};
