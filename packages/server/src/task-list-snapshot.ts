import { EMPTY_TASK_LIST, readOn, taskListView, type TaskListView } from '@attractor/api';
import type { Workflow } from '@attractor/platform';

type Read = Pick<Workflow, 'events' | 'getTask'>;

/** The list covers the whole log, so it is cached and only read on; one reader at a time. */
export function createTaskListSnapshot(workflow: Read): () => Promise<TaskListView> {
  let latest = Promise.resolve(EMPTY_TASK_LIST);
  return () => {
    const before = latest;
    latest = before
      .then((view) => readOn({ workflow, fold: taskListView, view, filter: {} }))
      .then((view) => withKeys(workflow, view))
      .catch(() => before);
    return latest;
  };
}

/** A log from before there were keys does not say them. */
async function withKeys(workflow: Read, view: TaskListView): Promise<TaskListView> {
  const nameless = Object.values(view.rows).filter(({ task }) => !('key' in task));
  if (nameless.length === 0) return view;
  const rows = { ...view.rows };
  for (const row of nameless) {
    const task = await workflow.getTask(row.task.id);
    if (task !== null) rows[row.task.id] = { ...row, task: { ...row.task, key: task.key } };
  }
  return { ...view, rows };
}
