import type { Actor, Criterion, Result } from '@attractor/store';

/** `isMet` null takes the person's decision back: then what was claimed counts again. */
export type CriterionDecision = {
  readonly taskId: string;
  readonly number: number;
  readonly isMet: boolean | null;
  readonly note?: string;
};

export type CriterionCommands = {
  /** Evidence for a commit that the branch has left is only claimed, and says so. */
  readonly criteria: (taskId: string) => Promise<Result<ReadonlyArray<Criterion>>>;
  readonly markCriterion: (decision: CriterionDecision, actor: Actor) => Promise<Result<ReadonlyArray<Criterion>>>;
  /** Holds every claim against the branch as it is now. It runs no command: checks count that ran on that commit. */
  readonly verifyCriteria: (taskId: string, actor: Actor) => Promise<Result<ReadonlyArray<Criterion>>>;
};
