import { taskListView, type TaskListView } from '@attractor/api';
import { useMemo } from 'react';
import { api } from './api.ts';
import type { Loaded } from './answers.ts';
import { useHidden } from './hidden.ts';
import { mayNotify } from './notifying.ts';
import { type LiveSource, useLive } from './use-live.ts';

const SOURCE: LiveSource<TaskListView> = {
  name: 'tasks',
  load: () => api.tasks.listView(),
  query: { only: 'tasks' },
  readTo: (view) => view.seq,
  fold: (view, { events }) => taskListView.foldAll(view, events),
  staysHidden: mayNotify,
};

/** Every task with what is happening to it: the shell follows it, so it is always at hand. */
export function useTaskList(): Loaded<TaskListView> {
  const list = useLive(SOURCE);
  const hidden = useHidden();
  const value = list.state === 'ready' ? list.value : null;
  const shown = useMemo(() => (value === null ? null : without(value, hidden)), [value, hidden]);
  return list.state === 'ready' && shown !== null ? { ...list, value: shown } : list;
}

/** The same list, if nothing of it is hidden. */
function without(list: TaskListView, hidden: ReadonlySet<string>): TaskListView {
  if (![...hidden].some((id) => id in list.rows)) return list;
  const rows = Object.entries(list.rows).filter(([id]) => !hidden.has(id));
  return { ...list, rows: Object.fromEntries(rows) };
}

/** Whether any run is under way: what it waits for can come and end without an event. */
export function useIsUnderWay(): boolean {
  const list = useTaskList();
  const rows = list.state === 'ready' ? list.value.rows : null;
  return useMemo(() => rows !== null && Object.values(rows).some(({ run }) => run?.status === 'running'), [rows]);
}

/** How far the log is known; whatever has no fold of its own is asked for again when it grows. */
export function useLogSeq(): number {
  const list = useTaskList();
  return list.state === 'ready' ? list.value.seq : 0;
}
