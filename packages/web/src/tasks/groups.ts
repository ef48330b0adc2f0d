import type { PipelineStatus, StatusCategory, TaskListView, TaskRow } from '@attractor/api';
import { statusOf, type Pipelines } from '../use-pipelines.ts';

export type TaskGroup = { readonly status: PipelineStatus; readonly rows: ReadonlyArray<TaskRow> };

/** What may need a person comes first, what is over comes last. */
const ORDER: ReadonlyArray<StatusCategory> = ['waiting', 'blocked', 'active', 'review', 'backlog', 'done'];

/** Tasks by status of their pipelines; inside a group those that wait for a person first, then the newest. */
export function groupTasks(view: TaskListView, pipelines: Pipelines): ReadonlyArray<TaskGroup> {
  const groups = new Map<string, { status: PipelineStatus; rows: TaskRow[] }>();
  for (const row of Object.values(view.rows)) {
    const status = statusOf(row.task, pipelines);
    const key = `${status.category} ${status.label}`;
    const group = groups.get(key) ?? { status, rows: [] };
    group.rows.push(row);
    groups.set(key, group);
  }
  const sorted = [...groups.values()].toSorted(
    (a, b) =>
      ORDER.indexOf(a.status.category) - ORDER.indexOf(b.status.category) || a.status.position - b.status.position,
  );
  return sorted.map(({ status, rows }) => ({ status, rows: rows.toSorted(byNeed) }));
}

function byNeed(a: TaskRow, b: TaskRow): number {
  const waits = Number(b.waiting.length > 0) - Number(a.waiting.length > 0);
  return waits || (a.task.id < b.task.id ? 1 : -1);
}
