import type { Task } from '@attractor/store';
import type { NextStep } from './next-step.ts';

/** The words that every list and page shows first, one for each state. */
export const STATE_WORDS = {
  open: 'Not started',
  queued: 'Queued',
  working: 'Working',
  waiting: 'Waiting for you',
  subtasks: 'Waiting for subtasks',
  paused: 'Paused',
  by_hand: 'In your hands',
  stopped: 'Stopped',
  failed: 'Failed',
  accepted: 'Accepted, not merged',
  merged: 'Merged',
  closed: 'Closed',
} as const;

/**
 * How a task stands, for people. `label` is the same wherever it is shown. There is always a next step, and each can be taken as it is
 * written.
 */
export type TaskState = {
  readonly kind: keyof typeof STATE_WORDS;
  readonly label: string;
  /** More about it: why, what for, what would help. */
  readonly detail: string | null;
  readonly since: string;
  /** When it goes on by itself, if that is known. */
  readonly until: string | null;
  /** Nothing happens until a person does something. */
  readonly needsPerson: boolean;
  readonly steps: ReadonlyArray<NextStep>;
};

export type Words = {
  readonly about?: string;
  readonly detail?: string | null;
  readonly since: string;
  readonly until?: string | null;
  readonly needsPerson?: true;
  readonly steps: ReadonlyArray<NextStep>;
};

/** A state in its words. */
export function state(kind: TaskState['kind'], { about, detail, since, until, needsPerson, steps }: Words): TaskState {
  return {
    kind,
    label: about === undefined ? STATE_WORDS[kind] : `${STATE_WORDS[kind]}: ${about}`,
    detail: detail ?? null,
    since,
    until: until ?? null,
    needsPerson: needsPerson === true,
    steps,
  };
}

/** Why nobody goes on with a task that rests; with the branch that waits to be looked at, if one does. */
export function restWords({ key, title }: Pick<Task, 'key' | 'title'>, branch: string | null): string {
  if (branch === null) return `${title}: nobody goes on until you say how.`;
  return `The work is on ${branch}: \`attractor tasks diff ${key}\` shows it.`;
}
