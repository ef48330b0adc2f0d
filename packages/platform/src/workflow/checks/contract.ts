import type { Actor, CheckResult, Result } from '@attractor/store';

/** The checks of a project when a person wants them, beside those that every run makes. */
export type CheckCommands = {
  /**
   * Runs the trusted checks of the project on what the task's worktree holds now, one after another; each result is an event. Refused
   * while an agent works there, and where nobody trusted the checks.
   */
  readonly runChecks: (taskId: string, actor: Actor) => Promise<Result<ReadonlyArray<CheckResult>>>;
};
