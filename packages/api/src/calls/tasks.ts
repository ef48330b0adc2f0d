import type { AgentRun, Artifact, Task, TransitionOption } from '@attractor/platform';
import { get, post, type HttpOptions } from '../http.ts';
import { fillPath } from '../path.ts';
import type { StartRunBody } from '../runs.ts';
import { taskRoutes, type NewTaskBody, type TaskQuery, type TransitionBody } from '../tasks.ts';
import type { TaskListView } from '../views/task-list.ts';
import type { TaskView } from '../views/task.ts';

export function taskCalls(http: HttpOptions) {
  return {
    list: (query: TaskQuery = {}) => get<ReadonlyArray<Task>>(http, fillPath(taskRoutes.all, {}, query)),
    get: (id: string) => get<Task>(http, fillPath(taskRoutes.one, { id })),
    create: (body: NewTaskBody) => post<Task>(http, taskRoutes.all, body),
    transitions: (id: string) => get<ReadonlyArray<TransitionOption>>(http, fillPath(taskRoutes.transitions, { id })),
    transition: (id: string, body: TransitionBody) => post<Task>(http, fillPath(taskRoutes.transitions, { id }), body),
    startRun: (id: string, body: StartRunBody) => post<AgentRun>(http, fillPath(taskRoutes.runs, { id }), body),
    artifacts: (id: string) => get<ReadonlyArray<Artifact>>(http, fillPath(taskRoutes.artifacts, { id })),
    listView: () => get<TaskListView>(http, taskRoutes.listView),
    view: (id: string) => get<TaskView>(http, fillPath(taskRoutes.view, { id })),
  };
}
