import type { TaskListView, TaskRow } from '../views/task-list.ts';
import { keyOf } from '@attractor/store/types';

/** By what the list can be parted. */
export const GROUPS = ['status', 'priority', 'agent'] as const;
export type GroupName = (typeof GROUPS)[number];

export type BoardFilter = {
  readonly text: string;
  readonly projectId: string | null;
  readonly agent: string | null;
  readonly label: string | null;
  /** `waiting`, `running` or `failed`. */
  readonly only: string | null;
  /** The ids of the tasks in the inbox: with a question, for a review, after a failure. */
  readonly inInbox: ReadonlySet<string>;
};

const ONLY: Readonly<Record<string, (row: TaskRow) => boolean>> = {
  running: ({ run }) => run?.status === 'running',
  failed: ({ run }) => run?.status === 'failed' || run?.status === 'timeout',
};

/** The rows that fit; those that wait for a person first, then the newest. */
export function filterRows(view: TaskListView, filter: BoardFilter): ReadonlyArray<TaskRow> {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  const isWaiting = (row: TaskRow) => waitsForPerson(row, filter.inInbox);
  const isWanted = filter.only === 'waiting' ? isWaiting : (ONLY[filter.only ?? ''] ?? (() => true));
  return Object.values(view.rows)
    .filter((row) => filter.projectId === null || row.task.projectId === filter.projectId)
    .filter((row) => filter.agent === null || row.run?.agentType === filter.agent)
    .filter((row) => filter.label === null || row.task.tags.includes(filter.label))
    .filter((row) => isWanted(row) && hasWords(row, words))
    .toSorted((a, b) => Number(isWaiting(b)) - Number(isWaiting(a)) || (a.task.id < b.task.id ? 1 : -1));
}

/** A question is known a moment before the inbox was asked again. */
export function waitsForPerson({ task, waiting }: TaskRow, inInbox: ReadonlySet<string>): boolean {
  return waiting.length > 0 || inInbox.has(task.id);
}

function hasWords({ task }: TaskRow, words: ReadonlyArray<string>): boolean {
  const text = `${keyOf(task)} ${task.title} ${task.tags.join(' ')}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

export function agentsOf(view: TaskListView): ReadonlyArray<string> {
  return distinct(Object.values(view.rows).flatMap(({ run }) => (run === null ? [] : [run.agentType])));
}

export function labelsOf(view: TaskListView): ReadonlyArray<string> {
  return distinct(Object.values(view.rows).flatMap(({ task }) => task.tags));
}

function distinct(texts: ReadonlyArray<string>): ReadonlyArray<string> {
  return [...new Set(texts)].toSorted();
}
