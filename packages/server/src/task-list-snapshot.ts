import { EMPTY_TASK_LIST, readOn, taskListView, type TaskListView } from '@attractor/api';
import type { Workflow } from '@attractor/platform';

/** The list covers the whole log, so it is cached and only read on; one reader at a time. */
export function createTaskListSnapshot(workflow: Pick<Workflow, 'events'>): () => Promise<TaskListView> {
  let latest = Promise.resolve(EMPTY_TASK_LIST);
  return () => {
    const before = latest;
    latest = before.then((view) => readOn({ workflow, fold: taskListView, view, filter: {} })).catch(() => before);
    return latest;
  };
}
