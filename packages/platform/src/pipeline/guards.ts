import type { Artifact, Task } from '../types/index.ts';

/** What guards may look at, read in the same transaction that carries the transition out. */
export type GuardFacts = {
  readonly task: Task;
  readonly runningRuns: number;
  readonly artifacts: ReadonlyArray<Artifact>;
  /** How often the task entered each status. */
  readonly visits: Readonly<Record<string, number>>;
};

/** Null lets the task pass; a text says why not and what would satisfy the guard. */
export type Guard = (facts: GuardFacts, params: Readonly<Record<string, unknown>>) => string | null;

const DEFAULT_MAX_ITERATIONS = 5;

export const GUARDS: Readonly<Record<string, Guard>> = {
  no_running_agent: ({ runningRuns }) =>
    runningRuns === 0 ? null : 'An agent is working on this task: wait for it or stop it.',
  has_plan: ({ task }) =>
    task.plan !== null && task.plan.trim() !== '' ? null : 'The task has no plan yet: run the planning step first.',
  has_branch: ({ artifacts }) =>
    artifacts.some((artifact) => artifact.type === 'branch')
      ? null
      : 'The task has no branch yet: let an agent implement it first.',
  max_iterations: ({ visits }, params) => {
    const status = typeof params['statusId'] === 'string' ? params['statusId'] : '';
    const max = Number(params['max'] ?? DEFAULT_MAX_ITERATIONS);
    const count = visits[status] ?? 0;
    return count < max
      ? null
      : `The task was in "${status}" ${count} times already (at most ${max}): finish or cancel it by hand.`;
  },
};
