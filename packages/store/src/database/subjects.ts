import { hash } from 'node:crypto';

/**
 * What a transaction decides about. Transactions about the same run one after another; all others run side by side, if the database can.
 * A transaction without a list is alone: nothing runs beside it. One with an empty list only makes changes whose own conditions hold, such
 * as an update of a row with its fencing number.
 */
export type Subject = `task:${string}` | `lane:${string}` | `pulls:${string}` | 'queue' | 'outbox';
export type Subjects = ReadonlyArray<Subject>;

/** Everything of one task: its rows, its runs, its prompts, its events. */
export function aboutTask(taskId: string): Subjects {
  return [taskSubject(taskId)];
}

export function taskSubject(taskId: string): Subject {
  return `task:${taskId}`;
}

/** The numbers of a project's jobs. */
export function aboutLane(projectId: string): Subjects {
  return [`lane:${projectId}`];
}

/** The pull requests of a project that we keep: their numbers, and that one is open from a branch. */
export function aboutPullRequests(projectId: string): Subjects {
  return [`pulls:${projectId}`];
}

/** Which job is taken next, and how many run. */
export const ABOUT_QUEUE: Subjects = ['queue'];
/** The order of effects, and who carries out which. */
export const ABOUT_OUTBOX: Subjects = ['outbox'];
/** Each of its changes holds by itself. */
export const ABOUT_NOTHING_ELSE: Subjects = [];

/** One order for all, so that transactions that know their subjects from the start never wait for each other in a circle. */
export function inOrder(subjects: Subjects): Subjects {
  return [...new Set(subjects)].toSorted();
}

/** The high 16 bits of an advisory lock's number say what it is for. */
const OF_SUBJECTS = 0x4155n;

/** Two subjects with the same number wait for each other for nothing; there are 2^48. */
export function subjectKey(subject: string): string {
  return lockNumber(OF_SUBJECTS, BigInt(`0x${hash('sha256', subject).slice(0, 12)}`));
}

export function lockNumber(use: bigint, number: bigint): string {
  return String((use << 48n) | number);
}
