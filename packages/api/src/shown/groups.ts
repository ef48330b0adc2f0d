import type { TaskRow } from '../views/task-list.ts';
import type { PipelineStatus, Task } from '@attractor/platform';
import type { GroupName } from './board-filter.ts';

export type Group = { readonly head: string; readonly count: number; readonly status?: PipelineStatus };
/** A line of the list: a task, or the head of those below it. */
export type Line = TaskRow | Group;

export function isHead(line: Line): line is Group {
  return 'head' in line;
}

const PRIORITIES: Readonly<Record<Task['priority'], string>> = {
  critical: 'Critical',
  high: 'High',
  medium: 'Medium',
  low: 'Low',
};

/** What has begun follows what has not, and what has ended comes last, whichever pipeline it is of. */
const CATEGORIES: ReadonlyArray<PipelineStatus['category']> = [
  'backlog',
  'active',
  'waiting',
  'review',
  'blocked',
  'done',
];

function inOrder(a: PipelineStatus, b: PipelineStatus): number {
  return CATEGORIES.indexOf(a.category) - CATEGORIES.indexOf(b.category) || a.position - b.position;
}

/** The rows under heads, in the order of the statuses, of the urgency or of the alphabet; within one they stay as they were. */
export function groupedLines(
  rows: ReadonlyArray<TaskRow>,
  by: GroupName | null,
  statuses: ReadonlyArray<PipelineStatus>,
): ReadonlyArray<Line> {
  if (by === null) return rows;
  const labelOf = (id: string) => statuses.find((status) => status.id === id)?.label ?? id.replaceAll('_', ' ');
  const headOf: Readonly<Record<GroupName, (row: TaskRow) => string>> = {
    status: ({ task }) => labelOf(task.status),
    priority: ({ task }) => PRIORITIES[task.priority],
    agent: ({ run }) => run?.agentType ?? 'No agent yet',
  };
  const order = by === 'status' ? statuses.toSorted(inOrder).map(({ label }) => label) : [];
  const known = by === 'priority' ? Object.values(PRIORITIES) : order;
  const place = (head: string) => (known.includes(head) ? known.indexOf(head) : known.length);
  return [...Map.groupBy(rows, headOf[by])]
    .toSorted(([a], [b]) => place(a) - place(b) || (a < b ? -1 : 1))
    .flatMap(([head, own]): ReadonlyArray<Line> => {
      const status = by === 'status' ? statuses.find(({ label }) => label === head) : undefined;
      return [{ head, count: own.length, ...(status === undefined ? {} : { status }) }, ...own];
    });
}
