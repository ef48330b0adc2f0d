import type { LiveDelta, PlatformWorkflow, Task } from '@attractor/platform';
import type { TaskListView } from '@attractor/api';

/** The reads that answer with more than one thing, as somebody sees them who has some projects only. What they name is judged before. */
export function visibleWorkflow(workflow: PlatformWorkflow, projects: ReadonlyArray<string>): PlatformWorkflow {
  // A query for none of them has to name one that does not exist.
  const projectIds = projects.length === 0 ? ['none'] : projects;
  const isVisible = (projectId: string): boolean => projectIds.includes(projectId);
  const ofTasks = (tasks: ReadonlyArray<Task>) => tasks.filter((task) => isVisible(task.projectId));
  return {
    ...workflow,
    listProjects: async () => (await workflow.listProjects()).filter(({ id }) => isVisible(id)),
    listTasks: (filter) => workflow.listTasks({ ...filter, projectIds }),
    countTasks: (filter) => workflow.countTasks({ ...filter, projectIds }),
    pageTasks: (filter) => workflow.pageTasks({ ...filter, projectIds }),
    listRuns: (filter) => workflow.listRuns({ ...filter, projectIds }),
    countRuns: (filter) => workflow.countRuns({ ...filter, projectIds }),
    listPrompts: (filter) => workflow.listPrompts({ ...filter, projectIds }),
    countPrompts: (filter) => workflow.countPrompts({ ...filter, projectIds }),
    inbox: (filter) => workflow.inbox({ ...filter, projectIds }),
    events: (filter) => workflow.events({ ...filter, projectIds }),
    findId: (search) => workflow.findId({ ...search, projectIds }),
    nameIds: async (ids) => {
      const named = await workflow.nameIds(ids);
      const owners = await Promise.all(named.map(({ id }) => workflow.projectOf(id)));
      return named.filter((_, index) => isVisible(owners[index] ?? ''));
    },
    dependencies: async (taskId) => {
      const { dependsOn, blocks } = await workflow.dependencies(taskId);
      return { dependsOn: ofTasks(dependsOn), blocks: ofTasks(blocks) };
    },
    projectDependencies: async (projectId) =>
      (await workflow.projectDependencies(projectId)).filter(({ dependsOn }) => isVisible(dependsOn.projectId)),
    listSchedules: async (filter) =>
      (await workflow.listSchedules(filter)).filter(({ projectId }) => isVisible(projectId)),
    listBudgets: async (filter) => {
      const all = await workflow.listBudgets(filter);
      const owners = await Promise.all(
        all.map(async ({ subjectId }) => (subjectId === null ? null : workflow.projectOf(subjectId))),
      );
      return all.filter((_, index) => isVisible(owners[index] ?? ''));
    },
    queueState: async (filter) => {
      const state = await workflow.queueState(filter);
      const lanes = state.lanes.filter(({ projectId }) => isVisible(projectId));
      const sum = (of: 'running' | 'queued' | 'waiting') => lanes.reduce((total, lane) => total + lane[of], 0);
      const jobs = state.jobs.filter(({ projectId }) => isVisible(projectId));
      return { ...state, running: sum('running'), queued: sum('queued'), waiting: sum('waiting'), lanes, jobs };
    },
    // Its details tell of folders and runs of everybody.
    health: async () => {
      const { ok, parts } = await workflow.health();
      return {
        ok,
        parts: parts.map((part) => ({ ...part, summary: part.ok ? 'ok' : 'not well', detail: {} })),
      };
    },
    onDelta: (listener) =>
      workflow.onDelta(inOrder(listener, async (id) => isVisible((await workflow.projectOf(id)) ?? ''))),
  };
}

export function visibleTaskList(view: TaskListView, projects: ReadonlyArray<string>): TaskListView {
  const rows = Object.entries(view.rows).filter(([, { task }]) => projects.includes(task.projectId));
  const known = Object.entries(view.projects).filter(([id]) => projects.includes(id));
  return { seq: view.seq, rows: Object.fromEntries(rows), projects: Object.fromEntries(known) };
}

/** Whose task it is has to be looked up once; what comes meanwhile waits its turn. */
function inOrder(listener: (delta: LiveDelta) => void, isVisible: (taskId: string) => Promise<boolean>) {
  const known = new Map<string, Promise<boolean>>();
  let last = Promise.resolve();
  return (delta: LiveDelta): void => {
    const seen = known.get(delta.taskId) ?? isVisible(delta.taskId).catch(() => false);
    known.set(delta.taskId, seen);
    last = last.then(async () => {
      if (await seen) listener(delta);
    });
  };
}
