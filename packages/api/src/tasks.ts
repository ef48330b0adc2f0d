import { defined, done, failed, once } from '@attractor/base';
import type {
  AgentRun,
  BulkResult,
  Split,
  StatedTask,
  Task,
  TaskPhase,
  TransitionOption,
  Workflow,
} from '@attractor/platform';
import { z } from 'zod';
import { doneAnswer } from './answers/done.ts';
import { transitionOptionAnswer } from './answers/pipeline.ts';
import { runAnswer } from './answers/run.ts';
import { list } from './answers/shape.ts';
import { statedTaskAnswer } from './answers/state.ts';
import { taskListAnswer, taskViewAnswer } from './answers/task-view.ts';
import {
  bulkAnswer,
  phaseAnswer,
  splitAnswer,
  taskAnswer,
  taskPageAnswer,
  transitionEntryAnswer,
} from './answers/task.ts';
import { asDone, type Done } from './done.ts';
import { found, ofTask } from './found.ts';
import { undoWork } from './from-scratch.ts';
import { ask, type HttpOptions } from './http.ts';
import { route } from './route.ts';
import { runOverrides, startRunBody, type StartRunBody } from './runs.ts';
import { taskFilters, words } from './task-filters.ts';
import { newTaskShape, subtasksShape, taskEditShape } from './task-shapes.ts';
import { unknownStatus } from './unknown-status.ts';
import { readOn } from './views/read-on.ts';
import type { TaskListView } from './views/task-list.ts';
import { emptyTaskView, taskView, type TaskView } from './views/task.ts';

const at = {
  list: 'GET /api/tasks',
  page: 'GET /api/tasks/page',
  states: 'GET /api/tasks/states',
  get: 'GET /api/tasks/:id',
  create: 'POST /api/tasks',
  update: 'PATCH /api/tasks/:id',
  delete: 'DELETE /api/tasks/:id',
  bulkUpdate: 'POST /api/tasks/bulk-update',
  bulkDelete: 'POST /api/tasks/bulk-delete',
  transitions: 'GET /api/tasks/:id/transitions',
  transition: 'POST /api/tasks/:id/transitions',
  history: 'GET /api/tasks/:id/history',
  phases: 'GET /api/tasks/:id/phases',
  place: 'POST /api/tasks/:id/place',
  close: 'POST /api/tasks/:id/close',
  reopen: 'POST /api/tasks/:id/reopen',
  split: 'GET /api/tasks/:id/split',
  makeSplit: 'POST /api/tasks/:id/split',
  startRun: 'POST /api/tasks/:id/runs',
  listView: 'GET /api/views/task-list',
  view: 'GET /api/views/tasks/:id',
} as const;

export const newTaskBody = /* @__PURE__ */ once(() =>
  z.strictObject({
    projectId: z.string().min(1),
    ...newTaskShape(),
    /** For every run of the task. */
    overrides: runOverrides().exactOptional(),
  }),
);

/** `version`: refused if the task has changed since. */
const taskEditBody = /* @__PURE__ */ once(() =>
  z.strictObject({ ...taskEditShape(), version: z.number().int().min(0).exactOptional() }),
);

/** The most tasks whose states one call tells. */
export const STATES_AT_ONCE = 200;

const idList = () => z.array(z.string().min(1)).min(1).max(1000).readonly();

const bulkUpdateBody = /* @__PURE__ */ once(() =>
  z.strictObject({
    taskIds: idList(),
    edit: z.strictObject(taskEditShape()).exactOptional(),
    to: z.string().min(1).exactOptional(),
  }),
);

const bulkDeleteBody = /* @__PURE__ */ once(() => z.strictObject({ taskIds: idList() }));

/** The position just after another task of the project; null: the top. */
const placeBody = /* @__PURE__ */ once(() => z.strictObject({ after: z.string().min(1).nullable() }));

const transitionBody = /* @__PURE__ */ once(() =>
  z.strictObject({
    to: z.string().min(1),
    reason: z.string().max(20_000).exactOptional(),
  }),
);

/** Back to `to`, or to where it was closed from. */
const reopenBody = /* @__PURE__ */ once(() =>
  z.strictObject({ to: z.string().min(1).exactOptional(), reason: z.string().max(20_000).exactOptional() }),
);

/** The parts, each with a name by which the others may depend on it. */
const splitBody = /* @__PURE__ */ once(() => z.strictObject({ subtasks: subtasksShape() }));

const closeBody = /* @__PURE__ */ once(() => z.strictObject({ reason: z.string().max(20_000).exactOptional() }));

const statesQuery = /* @__PURE__ */ once(() =>
  z.strictObject({ ids: words().pipe(z.array(z.string()).min(1).max(STATES_AT_ONCE)) }),
);

/** Newest first; `before` is the last id of the previous page. */
const taskQuery = /* @__PURE__ */ once(() => z.strictObject({ ...taskFilters(), before: z.string().exactOptional() }));

/** In board order; `after` is the last id of the previous page. */
const taskPageQuery = /* @__PURE__ */ once(() =>
  z.strictObject({ ...taskFilters(), after: z.string().exactOptional() }),
);

export type NewTaskBody = z.infer<ReturnType<typeof newTaskBody>>;
export type TransitionBody = z.infer<ReturnType<typeof transitionBody>>;
/** Separated by commas. */
export type StatesQuery = z.input<ReturnType<typeof statesQuery>>;
export type CloseBody = z.infer<ReturnType<typeof closeBody>>;
export type ReopenBody = z.infer<ReturnType<typeof reopenBody>>;
export type SplitBody = z.infer<ReturnType<typeof splitBody>>;
export type TaskEditBody = z.infer<ReturnType<typeof taskEditBody>>;
export type BulkUpdateBody = z.infer<ReturnType<typeof bulkUpdateBody>>;
export type TaskQuery = Omit<z.input<ReturnType<typeof taskQuery>>, 'limit'> & { readonly limit?: number };

export type TaskPageQuery = Omit<z.input<ReturnType<typeof taskPageQuery>>, 'limit'> & { readonly limit?: number };

/** `next`: the value of `after` for the next page; null at the end. */
export type TaskPage = Awaited<ReturnType<Workflow['pageTasks']>>;

/** A transition that took place, with its time. */
export type TaskHistoryEntry = Awaited<ReturnType<Workflow['history']>>[number];

export type { BulkResult, Split, StatedTask, Task, TaskPhase } from '@attractor/platform';

export function taskCalls(http: HttpOptions) {
  return {
    list: (query: TaskQuery = {}) => ask<ReadonlyArray<Task>>(http, at.list, { query }),
    page: (query: TaskPageQuery = {}) => ask<TaskPage>(http, at.page, { query }),
    /** How each stands, for people; at most `STATES_AT_ONCE` at once. */
    states: (query: StatesQuery) => ask<ReadonlyArray<StatedTask>>(http, at.states, { query }),
    get: (id: string) => ask<Task>(http, at.get, { params: { id } }),
    create: (body: NewTaskBody) => ask<Task>(http, at.create, { body }),
    update: (id: string, body: TaskEditBody) => ask<Task>(http, at.update, { params: { id }, body }),
    delete: (id: string) => ask<Done>(http, at.delete, { params: { id } }),
    bulkUpdate: (body: BulkUpdateBody) => ask<BulkResult>(http, at.bulkUpdate, { body }),
    bulkDelete: (taskIds: ReadonlyArray<string>) => ask<BulkResult>(http, at.bulkDelete, { body: { taskIds } }),
    transitions: (id: string) => ask<ReadonlyArray<TransitionOption>>(http, at.transitions, { params: { id } }),
    transition: (id: string, body: TransitionBody) => ask<Task>(http, at.transition, { params: { id }, body }),
    close: (id: string, body: CloseBody = {}) => ask<Task>(http, at.close, { params: { id }, body }),
    reopen: (id: string, body: ReopenBody = {}) => ask<Task>(http, at.reopen, { params: { id }, body }),
    history: (id: string) => ask<ReadonlyArray<TaskHistoryEntry>>(http, at.history, { params: { id } }),
    phases: (id: string) => ask<ReadonlyArray<TaskPhase>>(http, at.phases, { params: { id } }),
    place: (id: string, after: string | null) => ask<Task>(http, at.place, { params: { id }, body: { after } }),
    /** What it waits for, if it was split. */
    split: (id: string) => ask<Split | null>(http, at.split, { params: { id } }),
    makeSplit: (id: string, body: SplitBody) => ask<Split>(http, at.makeSplit, { params: { id }, body }),
    startRun: (id: string, body: StartRunBody) => ask<AgentRun>(http, at.startRun, { params: { id }, body }),
    listView: () => ask<TaskListView>(http, at.listView),
    view: (id: string) => ask<TaskView>(http, at.view, { params: { id } }),
  };
}

/** `page` and `states` come before `get`: they are no ids. */
export const taskRoutes = /* @__PURE__ */ once(() => ({ ...reads(), ...partsOf(), ...moves(), ...changes() }));

const reads = () => ({
  list: route(at.list, {
    about: 'list tasks, the newest first',
    access: ['viewer', 'visible'],
    answers: () => list(taskAnswer()),
    query: taskQuery,
    act: async ({ workflow, query }) => {
      const tasks = await workflow.listTasks(query);
      const before = tasks.length < (query.limit ?? LISTED) ? null : (tasks.at(-1)?.id ?? null);
      const left = before === null ? 0 : await workflow.countTasks({ ...query, before });
      const unknown = tasks.length > 0 ? null : await unknownStatus(workflow, query.status ?? []);
      return unknown === null ? { ...done(tasks), left } : failed({ code: 'invalid', message: unknown });
    },
  }),
  page: route(at.page, {
    about: 'list tasks in the order of the board, a page at a time',
    access: ['viewer', 'visible'],
    answers: taskPageAnswer,
    query: taskPageQuery,
    act: async ({ workflow, query }) => done(await workflow.pageTasks(query)),
  }),
  states: route(at.states, {
    about: 'show how tasks stand, and what can be done next with each',
    access: ['viewer', 'named'],
    answers: () => list(statedTaskAnswer()),
    query: statesQuery,
    act: async ({ workflow, query }) => done(await workflow.taskStates(query.ids)),
  }),
  get: route(at.get, {
    about: 'show a task',
    access: ['viewer', 'named'],
    answers: taskAnswer,
    act: async ({ workflow, params: { id } }) => found(await workflow.getTask(id), `task ${id}`),
  }),
});

const partsOf = () => ({
  transitions: route(at.transitions, {
    about: 'list where a task may go from its status, and what stands in the way',
    access: ['viewer', 'named'],
    answers: () => list(transitionOptionAnswer()),
    act: ofTask((workflow, taskId) => workflow.validTransitions(taskId)),
  }),
  history: route(at.history, {
    about: 'list the transitions of a task',
    access: ['viewer', 'named'],
    answers: () => list(transitionEntryAnswer()),
    act: ofTask((workflow, taskId) => workflow.history(taskId)),
  }),
  split: route(at.split, {
    about: 'show the subtasks that a task waits for, or null',
    access: ['viewer', 'named'],
    answers: () => splitAnswer().nullable(),
    act: ofTask((workflow, taskId) => workflow.openSplit(taskId)),
  }),
  phases: route(at.phases, {
    about: 'list the parts of a task',
    access: ['viewer', 'named'],
    answers: () => list(phaseAnswer()),
    act: ofTask((workflow, taskId) => workflow.listPhases(taskId)),
  }),
  listView: route(at.listView, {
    about: 'show the list of tasks as a page shows it, to be folded on with the stream',
    access: ['viewer', 'visible'],
    answers: taskListAnswer,
    act: async ({ taskList }) => done(await taskList()),
  }),
  view: route(at.view, {
    about: 'show a task as a page shows it, to be folded on with the stream',
    access: ['viewer', 'named'],
    answers: taskViewAnswer,
    act: async ({ workflow, params: { id } }) => {
      const view = await readOn({ workflow, fold: taskView, view: emptyTaskView(id), filter: { taskId: id } });
      const known = await workflow.getTask(id);
      const task = view.task === null || known === null ? null : { ...view.task, key: known.key };
      return found(task === null ? null : { ...view, task }, `task ${id}`);
    },
  }),
});

const changes = () => ({
  create: route(at.create, {
    about: 'make a task',
    access: ['operator', 'named'],
    answers: taskAnswer,
    body: newTaskBody,
    act: ({ workflow, body, actor }) => workflow.createTask(body, actor),
  }),
  update: route(at.update, {
    about: 'change a task',
    access: ['operator', 'named'],
    answers: taskAnswer,
    body: taskEditBody,
    act: ({ workflow, params, body: { version, ...edit }, actor }) =>
      workflow.updateTask({ taskId: params.id, edit, ...defined({ version }) }, actor),
  }),
  delete: route(at.delete, {
    about: 'remove a task',
    access: ['operator', 'named'],
    answers: doneAnswer,
    act: async ({ workflow, params, actor }) => asDone(await workflow.deleteTask({ taskId: params.id }, actor)),
  }),
  bulkUpdate: route(at.bulkUpdate, {
    about: 'change or move several tasks',
    access: ['operator', 'named'],
    answers: bulkAnswer,
    body: bulkUpdateBody,
    act: ({ workflow, body, actor }) => workflow.bulkUpdate(body, actor),
  }),
  bulkDelete: route(at.bulkDelete, {
    about: 'remove several tasks',
    access: ['operator', 'named'],
    answers: bulkAnswer,
    body: bulkDeleteBody,
    act: ({ workflow, body, actor }) => workflow.bulkDelete(body.taskIds, actor),
  }),
});

const moves = () => ({
  transition: route(at.transition, {
    about: 'move a task to another status',
    access: ['operator', 'named'],
    answers: taskAnswer,
    body: transitionBody,
    act: ({ workflow, params, body, actor }) => workflow.transition({ taskId: params.id, ...body }, actor),
  }),
  close: route(at.close, {
    about: 'end a task without its work, even if that was accepted but not merged',
    access: ['operator', 'named'],
    answers: taskAnswer,
    body: closeBody,
    act: ({ workflow, params, body, actor }) => workflow.closeTask({ taskId: params.id, ...body }, actor),
  }),
  reopen: route(at.reopen, {
    about: 'take a task back to where it was closed from, or to an earlier status',
    access: ['operator', 'named'],
    answers: taskAnswer,
    body: reopenBody,
    act: ({ workflow, params, body, actor }) => workflow.reopenTask({ taskId: params.id, ...body }, actor),
  }),
  makeSplit: route(at.makeSplit, {
    about: 'split a task into subtasks, and let it wait for them',
    access: ['operator', 'named'],
    answers: splitAnswer,
    body: splitBody,
    act: ({ workflow, params, body, actor }) => workflow.splitTask({ taskId: params.id, ...body }, actor),
  }),
  place: route(at.place, {
    about: 'move a task up or down on the board',
    access: ['operator', 'named'],
    answers: taskAnswer,
    body: placeBody,
    act: ({ workflow, params, body, actor }) => workflow.reorderTask({ taskId: params.id, ...body }, actor),
  }),
  startRun: route(at.startRun, {
    about: 'start an agent on a task, if wanted from scratch',
    access: ['operator', 'named'],
    answers: runAnswer,
    body: startRunBody,
    act: async ({ workflow, params: { id }, body: { from, ...body }, actor }) => {
      const undone = from === 'scratch' ? await undoWork(workflow, id, actor) : done(null);
      return undone.ok ? workflow.startAgent({ taskId: id, ...body }, actor) : undone;
    },
  }),
});

/** How many are listed if nobody says. */
const LISTED = 100;
