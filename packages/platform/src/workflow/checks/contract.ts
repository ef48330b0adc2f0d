import type { Actor, CheckResult, Result } from '@attractor/store';

/** Checks that a person asks for, in addition to those that every run makes. */
export type CheckCommands = {
  /**
   * Runs the trusted checks of the project on what the task's worktree holds now, one after another; each result is an event. Refused
   * while an agent works there, and when nobody has trusted the checks.
   */
  readonly runChecks: (taskId: string, actor: Actor) => Promise<Result<ReadonlyArray<CheckResult>>>;
};
