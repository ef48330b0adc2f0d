import {
  EMPTY_TASK_LIST,
  emptyRunView,
  emptyTaskView,
  runRoutes,
  runView,
  taskListView,
  taskRoutes,
  taskView,
  type Fold,
  type View,
} from '@attractor/api';
import type { EventFilter, Workflow } from '@attractor/platform';
import { found } from './answer.ts';
import type { Routes } from './context.ts';

/** Snapshots of views: a viewer starts from one and folds what the stream tells after its `seq`. */
export const viewHandlers: Routes = (app, { workflow }) => {
  const taskList = createTaskListSnapshot(workflow);

  app.get(taskRoutes.listView, async (context) => context.json(await taskList()));

  app.get(taskRoutes.view, async (context) => {
    const taskId = context.req.param('id');
    const view = await readOn({ workflow, fold: taskView, view: emptyTaskView(taskId), filter: { taskId } });
    return found(context, view.task === null ? null : view, `task ${taskId}`);
  });

  app.get(runRoutes.view, async (context) => {
    const runId = context.req.param('id');
    const view = await readOn({ workflow, fold: runView, view: emptyRunView(runId), filter: { runId } });
    return found(context, view.seq === 0 ? null : view, `run ${runId}`);
  });
};

/** The list covers the whole log, so it is kept and only read on; one reader at a time. */
function createTaskListSnapshot(workflow: Workflow) {
  let latest = Promise.resolve(EMPTY_TASK_LIST);
  return () => {
    const before = latest;
    latest = before.then((view) => readOn({ workflow, fold: taskListView, view, filter: {} })).catch(() => before);
    return latest;
  };
}

type Reading<V extends View> = {
  readonly workflow: Workflow;
  readonly fold: Fold<V>;
  readonly view: V;
  readonly filter: EventFilter;
};

const PAGE = 1000;

async function readOn<V extends View>({ workflow, fold, view, filter }: Reading<V>): Promise<V> {
  let current = view;
  for (;;) {
    const events = await workflow.events({ ...filter, after: current.seq, limit: PAGE });
    current = fold.foldAll(current, events);
    if (events.length < PAGE) return current;
  }
}
