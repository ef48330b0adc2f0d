import type { AgentRun, BulkResult, Task, TaskPhase, TransitionOption } from '@attractor/platform';
import type { Done } from '../done.ts';
import { get, patch, post, remove, type HttpOptions } from '../http.ts';
import { fillPath } from '../path.ts';
import type { StartRunBody } from '../runs.ts';
import {
  taskRoutes,
  type BulkUpdateBody,
  type NewTaskBody,
  type TaskEditBody,
  type TaskHistoryEntry,
  type TaskPage,
  type TaskPageQuery,
  type TaskQuery,
  type TransitionBody,
} from '../tasks.ts';
import type { TaskListView } from '../views/task-list.ts';
import type { TaskView } from '../views/task.ts';

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
