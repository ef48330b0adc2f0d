import type { Id } from '@attractor/base/id';
import type { TokenUsage } from '@attractor/adapters';
import type { AgentRunMode } from '@attractor/facts';

export type { AgentRunMode } from '@attractor/facts';

export type AgentRunStatus = 'running' | 'completed' | 'failed' | 'cancelled' | 'timeout';

export const RUN_STEPS = [
  'prepare',
  'context',
  'configure',
  'execute',
  'monitor',
  'parse',
  'validate',
  'artifacts',
  'trigger',
  'cleanup',
] as const;

export type RunStep = (typeof RUN_STEPS)[number];

/** One pass through the ten steps. Ends in exactly one final status; the transcript is in the event log. */
export type AgentRun = {
  readonly id: Id<'run'>;
  /** `ATT-12.3`: the third run of the task. */
  readonly key: string;
  readonly taskId: Id<'tsk'>;
  readonly projectId: Id<'prj'>;
  readonly agentType: string;
  readonly mode: AgentRunMode;
  readonly status: AgentRunStatus;
  readonly model: string;
  readonly outcome: string | null;
  readonly payload: unknown;
  readonly tokenUsage: TokenUsage | null;
  readonly checks: ReadonlyArray<CheckResult>;
  readonly branch: string | null;
  readonly worktree: string | null;
  readonly durationMs: number | null;
  readonly error: string | null;
  readonly startedAt: string;
  readonly finishedAt: string | null;
  /** Only for a retry of an earlier run. */
  readonly retry?: { readonly attempt: number; readonly of: Id<'run'> };
};

/** Pinned to the commit it checked. `phase` separates the base commit from the agent's work. */
export type CheckResult = {
  readonly name: string;
  readonly command: string;
  readonly phase: 'base' | 'branch';
  readonly commit: string;
  readonly passed: boolean;
  /** Null if it did not end by itself. */
  readonly exitCode: number | null;
  /** It was ended because it took too long. */
  readonly timedOut?: true;
  readonly severity: 'error' | 'warning';
  readonly durationMs: number;
  /** The end of its output. */
  readonly output: string;
  /** It failed on the base already and nothing was added to that: it does not count against the work. */
  readonly known?: true;
  /** It had to fail: the tests were written before the work. */
  readonly expected?: true;
  /** The file with the full output, on the machine that ran it. */
  readonly outputFile?: string;
};
