import type { TaskRow } from '../views/task-list.ts';
import type { PipelineDefinition, PipelineStatus } from '@attractor/platform';
import { expect, it } from 'vitest';
import { columnsOf } from './columns.ts';
import { groupedLines, isHead } from './groups.ts';

const status = (id: string, category: PipelineStatus['category'], position: number) =>
  ({ id, label: `The ${id}`, category, position }) as PipelineStatus;
// As two pipelines have them: the short one's review is at 1, the long one's plan at 2.
const STATUSES = [
  status('open', 'backlog', 0),
  status('review', 'review', 1),
  status('done', 'done', 2),
  status('plan', 'active', 2),
];

const row = (id: string, fields: object) => ({ task: { id, ...fields }, run: null }) as unknown as TaskRow;
const told = (rows: ReadonlyArray<TaskRow>, by: Parameters<typeof groupedLines>[1]) =>
  groupedLines(rows, by, STATUSES).map((line) => (isHead(line) ? `${line.head} ${line.count}` : line.task.id));

it('parts a list by status in the order of the work, by urgency and by agent', () => {
  const rows = [
    row('a', { status: 'done', priority: 'low' }),
    row('b', { status: 'review', priority: 'critical' }),
    row('c', { status: 'plan', priority: 'medium' }),
    row('d', { status: 'of_old', priority: 'medium' }),
    row('e', { status: 'plan', priority: 'critical' }),
  ];
  expect(told(rows, null)).toEqual(['a', 'b', 'c', 'd', 'e']);
  const byStatus = ['The plan 2', 'c', 'e', 'The review 1', 'b', 'The done 1', 'a', 'of old 1', 'd'];
  expect(told(rows, 'status')).toEqual(byStatus);
  expect(told(rows, 'priority')).toEqual(['Critical 2', 'b', 'e', 'Medium 2', 'c', 'd', 'Low 1', 'a']);
  expect(told(rows, 'agent')).toEqual(['No agent yet 5', 'a', 'b', 'c', 'd', 'e']);
});

it('stands the cards of a column as people placed them, under those that wait; what has ended as it came', () => {
  const rows = (['open', 'done'] as const).flatMap((at) =>
    [3, 1, 2].map((sortOrder) => row(`${at}${sortOrder}`, { status: at, sortOrder })),
  );
  const pipeline = { statuses: STATUSES } as unknown as PipelineDefinition;
  const columns = columnsOf(pipeline, rows, ({ task }) => task.sortOrder === 2);
  const idsOf = (id: string) => columns.find((one) => one.status.id === id)?.rows.map(({ task }) => task.id);
  expect([idsOf('open'), idsOf('done')]).toEqual([
    ['open2', 'open1', 'open3'],
    ['done3', 'done1', 'done2'],
  ]);
});
