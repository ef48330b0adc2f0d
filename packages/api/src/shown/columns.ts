import type { TaskRow } from '../views/task-list.ts';
import type { PipelineDefinition, PipelineStatus } from '@attractor/platform';
import type { OrderedRows } from './in-column.ts';

export type Column = OrderedRows & { readonly status: PipelineStatus };

/**
 * One for each status of the pipeline, in its order; a status of an older version that still has tasks comes last. Those that wait for a
 * person are above the others, which stand as people placed them; what has ended, the newest first.
 */
export function columnsOf(
  pipeline: PipelineDefinition,
  rows: ReadonlyArray<TaskRow>,
  isWaiting: (row: TaskRow) => boolean,
): ReadonlyArray<Column> {
  const own = Map.groupBy(rows, ({ task }) => task.status);
  const columnOf = (status: PipelineStatus): Column => {
    const found = own.get(status.id) ?? [];
    if (status.category === 'done') return { status, rows: found, waiting: 0, isPlaced: false };
    const inOrder = found.toSorted((a, b) => a.task.sortOrder - b.task.sortOrder);
    const { true: waiting = [], false: others = [] } = Object.groupBy(inOrder, (row) => `${isWaiting(row)}` as const);
    return { status, rows: [...waiting, ...others], waiting: waiting.length, isPlaced: true };
  };
  const known = pipeline.statuses.toSorted((a, b) => a.position - b.position);
  const unknown = [...own.keys()].filter((id) => !known.some((status) => status.id === id));
  return [...known.map(columnOf), ...unknown.map((id) => columnOf(pastStatus(id)))];
}

function pastStatus(id: string): PipelineStatus {
  return { id, label: id.replaceAll('_', ' '), category: 'backlog', color: 'gray', position: Number.MAX_SAFE_INTEGER };
}

/** The pipelines that the tasks walk, the one with the most first. */
export function pipelinesOf(rows: ReadonlyArray<TaskRow>): ReadonlyArray<string> {
  const counts = new Map<string, number>();
  for (const { task } of rows) counts.set(task.pipelineId, (counts.get(task.pipelineId) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([id]) => id);
}
