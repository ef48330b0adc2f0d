import { COMPLEXITIES, PRIORITIES, SIZES } from '@attractor/facts';
import type { AgentRun, BulkResult, Task, TaskPhase, TransitionOption, Workflow } from '@attractor/platform';
import { z } from 'zod';
import { once } from './once.ts';
import { newTaskShape, taskEditShape } from './task-shapes.ts';
import type { Done } from './done.ts';
import { get, patch, post, remove, type HttpOptions } from './http.ts';
import { fillPath } from './path.ts';
import type { StartRunBody } from './runs.ts';
import type { TaskListView } from './views/task-list.ts';
import type { TaskView } from './views/task.ts';

export const taskRoutes = {
  all: '/api/tasks',
  page: '/api/tasks/page',
  one: '/api/tasks/:id',
  transitions: '/api/tasks/:id/transitions',
  runs: '/api/tasks/:id/runs',
  history: '/api/tasks/:id/history',
  phases: '/api/tasks/:id/phases',
  place: '/api/tasks/:id/place',
  bulkUpdate: '/api/tasks/bulk-update',
  bulkDelete: '/api/tasks/bulk-delete',
  listView: '/api/views/task-list',
  view: '/api/views/tasks/:id',
} as const;

export const newTaskBody = /* @__PURE__ */ once(() =>
  z.strictObject({ projectId: z.string().min(1), ...newTaskShape() }),
);

/** `version`: refused where the task has been changed since. */
export const taskEditBody = /* @__PURE__ */ once(() =>
  z.strictObject({ ...taskEditShape(), version: z.number().int().min(0).exactOptional() }),
);

const taskIds = () => z.array(z.string().min(1)).min(1).max(1000).readonly();

export const bulkUpdateBody = /* @__PURE__ */ once(() =>
  z.strictObject({
    taskIds: taskIds(),
    edit: z.strictObject(taskEditShape()).exactOptional(),
    to: z.string().min(1).exactOptional(),
  }),
);

export const bulkDeleteBody = /* @__PURE__ */ once(() => z.strictObject({ taskIds: taskIds() }));

/** To the place just after another task of the project; null: to the top. */
export const placeBody = /* @__PURE__ */ once(() => z.strictObject({ after: z.string().min(1).nullable() }));

export const transitionBody = /* @__PURE__ */ once(() =>
  z.strictObject({
    to: z.string().min(1),
    reason: z.string().max(20_000).exactOptional(),
  }),
);

/** Several values of one field are parted by commas. */
const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(values)));

const words = () => z.string().transform((text) => text.split(',').filter((word) => word !== ''));

/** `parentTaskId=none`: only tasks that have no parent. */
const filters = () => ({
  projectId: z.string().exactOptional(),
  status: words().exactOptional(),
  priority: oneOf(PRIORITIES).exactOptional(),
  size: oneOf(SIZES).exactOptional(),
  complexity: oneOf(COMPLEXITIES).exactOptional(),
  tags: words().exactOptional(),
  search: z.string().max(500).exactOptional(),
  parentTaskId: z
    .string()
    .transform((id) => (id === 'none' ? null : id))
    .exactOptional(),
  pipelineId: z.string().exactOptional(),
  limit: z.coerce.number().int().min(1).max(1000).exactOptional(),
});

/** Newest first; `before` is the last id of the page before. */
export const taskQuery = /* @__PURE__ */ once(() =>
  z.strictObject({ ...filters(), before: z.string().exactOptional() }),
);

/** In the order of the board; `after` is the last id of the page before. */
export const taskPageQuery = /* @__PURE__ */ once(() =>
  z.strictObject({ ...filters(), after: z.string().exactOptional() }),
);

export type NewTaskBody = z.infer<ReturnType<typeof newTaskBody>>;
export type TransitionBody = z.infer<ReturnType<typeof transitionBody>>;
export type TaskEditBody = z.infer<ReturnType<typeof taskEditBody>>;
export type BulkUpdateBody = z.infer<ReturnType<typeof bulkUpdateBody>>;
export type TaskQuery = Omit<z.input<ReturnType<typeof taskQuery>>, 'limit'> & { readonly limit?: number };

export type TaskPageQuery = Omit<z.input<ReturnType<typeof taskPageQuery>>, 'limit'> & { readonly limit?: number };

/** `next`: what to ask for `after` to read on; null at the end. */
export type TaskPage = Awaited<ReturnType<Workflow['pageTasks']>>;

/** A transition that took place, with its time. */
export type TaskHistoryEntry = Awaited<ReturnType<Workflow['history']>>[number];

export type { BulkResult, Task, TaskPhase } from '@attractor/platform';

export function taskCalls(http: HttpOptions) {
  return {
    list: (query: TaskQuery = {}) => get<ReadonlyArray<Task>>(http, fillPath(taskRoutes.all, {}, query)),
    page: (query: TaskPageQuery = {}) => get<TaskPage>(http, fillPath(taskRoutes.page, {}, query)),
    get: (id: string) => get<Task>(http, fillPath(taskRoutes.one, { id })),
    create: (body: NewTaskBody) => post<Task>(http, taskRoutes.all, body),
    update: (id: string, body: TaskEditBody) => patch<Task>(http, fillPath(taskRoutes.one, { id }), body),
    delete: (id: string) => remove<Done>(http, fillPath(taskRoutes.one, { id })),
    bulkUpdate: (body: BulkUpdateBody) => post<BulkResult>(http, taskRoutes.bulkUpdate, body),
    bulkDelete: (taskIds: ReadonlyArray<string>) => post<BulkResult>(http, taskRoutes.bulkDelete, { taskIds }),
    transitions: (id: string) => get<ReadonlyArray<TransitionOption>>(http, fillPath(taskRoutes.transitions, { id })),
    transition: (id: string, body: TransitionBody) => post<Task>(http, fillPath(taskRoutes.transitions, { id }), body),
    history: (id: string) => get<ReadonlyArray<TaskHistoryEntry>>(http, fillPath(taskRoutes.history, { id })),
    phases: (id: string) => get<ReadonlyArray<TaskPhase>>(http, fillPath(taskRoutes.phases, { id })),
    place: (id: string, after: string | null) => post<Task>(http, fillPath(taskRoutes.place, { id }), { after }),
    startRun: (id: string, body: StartRunBody) => post<AgentRun>(http, fillPath(taskRoutes.runs, { id }), body),
    listView: () => get<TaskListView>(http, taskRoutes.listView),
    view: (id: string) => get<TaskView>(http, fillPath(taskRoutes.view, { id })),
  };
}
