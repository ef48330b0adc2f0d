import type { Actor, CheckResult, Result } from '@attractor/store';

/** Checks that a person requests, in addition to those of every run. */
export type CheckCommands = {
  /**
   * Runs the trusted checks of the project on the current contents of the task's worktree, one after another; each result is an event.
   * Refused while an agent works there, and if nobody has trusted the checks.
   */
  readonly runChecks: (taskId: string, actor: Actor) => Promise<Result<ReadonlyArray<CheckResult>>>;
};
