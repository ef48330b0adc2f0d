import type { TaskListView } from '../views/task-list.ts';
import { expect, test } from 'vitest';
import { type BoardFilter, filterRows } from './board-filter.ts';

const NOTHING: BoardFilter = { text: '', projectId: null, agent: null, label: null, only: null, inInbox: new Set() };

test('what waits for a person is what the inbox has, and comes first', () => {
  const row = (id: string, waiting: ReadonlyArray<object> = []) => [
    id,
    { task: { id, key: id, title: id, tags: [], projectId: 'prj_1' }, run: null, waiting },
  ];
  const rows = Object.fromEntries([row('tsk_1', [{}]), row('tsk_2'), row('tsk_3')]);
  const list = { seq: 1, rows, projects: {} } as unknown as TaskListView;
  const ids = (filter: Partial<BoardFilter>) => filterRows(list, { ...NOTHING, ...filter }).map(({ task }) => task.id);
  // A review without a question, of `chore` or after a merge by hand, waits too.
  const inInbox = new Set(['tsk_1', 'tsk_2']);
  expect(ids({ only: 'waiting', inInbox })).toEqual(['tsk_2', 'tsk_1']);
  expect(ids({ inInbox })).toEqual(['tsk_2', 'tsk_1', 'tsk_3']);
  expect(ids({ only: 'waiting' })).toEqual(['tsk_1']);
});
