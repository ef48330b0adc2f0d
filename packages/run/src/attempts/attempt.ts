import type { AgentRun } from '@attractor/store';

/** `score` is set once the attempt is done, `place` once all are judged; 1 is the winner. */
export type Attempt = {
  readonly number: number;
  readonly run: AgentRun;
  readonly score: AttemptScore | null;
  readonly place: number | null;
};

export type AttemptScore = {
  readonly succeeded: boolean;
  readonly failedChecks: number;
  readonly changedLines: number;
  readonly costUsd: number | null;
};

/** Several parallel attempts at one task, judged by the project's checks. The winner's work becomes the task's branch. */
export type AttemptGroup = {
  readonly id: string;
  readonly taskId: string;
  readonly projectId: string;
  readonly status: 'running' | 'judged' | 'cancelled';
  readonly winnerRunId: string | null;
  readonly createdAt: string;
  readonly attempts: ReadonlyArray<Attempt>;
};
