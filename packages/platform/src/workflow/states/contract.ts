import type { Inbox, InboxFilter } from '../../states/inbox.ts';
import type { StatedTask } from '../../states/read-states.ts';

/** How tasks stand, for people. */
export type StateCommands = {
  /** In the order of the ids; unknown ones are left out. */
  readonly taskStates: (taskIds: ReadonlyArray<string>) => Promise<ReadonlyArray<StatedTask>>;
  readonly inbox: (filter?: InboxFilter) => Promise<Inbox>;
};
