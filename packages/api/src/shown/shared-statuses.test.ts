import type { Task } from '@attractor/platform';
import { expect, it } from 'vitest';
import type { Pipelines } from './task-status.ts';
import { sharedStatuses } from './shared-statuses.ts';

const statuses = (...ids: ReadonlyArray<string>) => ids.map((id, position) => ({ id, label: id, position }));
const PIPELINES = {
  'chore@1': { statuses: statuses('open', 'doing', 'dropped') },
  'coding@4': { statuses: statuses('open', 'planning', 'dropped') },
} as unknown as Pipelines;

const task = (pipelineId: string, pipelineVersion: number, status: string) =>
  ({ pipelineId, pipelineVersion, status }) as Task;

it('offers what the pipelines of all chosen tasks have, and not where all of them are', () => {
  const names = (tasks: ReadonlyArray<Task>) => sharedStatuses(tasks, PIPELINES).map(({ id }) => id);
  expect(names([task('chore', 1, 'open')])).toEqual(['doing', 'dropped']);
  expect(names([task('chore', 1, 'open'), task('coding', 4, 'planning')])).toEqual(['open', 'dropped']);
  expect(names([task('chore', 1, 'open'), task('unknown', 1, 'open')])).toEqual([]);
  expect(names([])).toEqual([]);
});
