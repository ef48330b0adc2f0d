import type {
  AgentRun,
  Artifact,
  PipelineDefinition,
  PlatformEvent,
  Project,
  Prompt,
  Task,
  TransitionOption,
} from '@attractor/platform';
import { accessRoutes, type SessionInfo, type SignInKey } from './access.ts';
import { readFrames, type StreamFrame } from './event-stream.ts';
import { eventRoutes, type EventQuery, type StreamQuery } from './events.ts';
import type { Answer } from './failure.ts';
import { get, open, post, type Fetch, type HttpOptions } from './http.ts';
import { fillPath } from './path.ts';
import { pipelineRoutes } from './pipelines.ts';
import { projectRoutes, type NewProjectBody } from './projects.ts';
import { promptRoutes, type AnswerBody, type PromptQuery } from './prompts.ts';
import { runRoutes, type RunQuery, type StartRunBody } from './runs.ts';
import { taskRoutes, type NewTaskBody, type TaskQuery, type TransitionBody } from './tasks.ts';
import type { RunView } from './views/run.ts';
import type { TaskListView } from './views/task-list.ts';
import type { TaskView } from './views/task.ts';

export type ApiClientOptions = {
  readonly baseUrl: string;
  readonly token?: string;
  readonly fetch?: Fetch;
  readonly headers?: () => Readonly<Record<string, string>>;
};

export type ApiClient = ReturnType<typeof createApiClient>;

/** Every route as a function that answers a value or a failure; the same in browser, command and tests. */
export function createApiClient(options: ApiClientOptions) {
  const http: HttpOptions = {
    baseUrl: options.baseUrl,
    fetch: options.fetch ?? ((request) => globalThis.fetch(request)),
    headers: () => ({
      ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
      ...options.headers?.(),
    }),
  };
  return {
    access: accessCalls(http),
    projects: projectCalls(http),
    tasks: taskCalls(http),
    runs: runCalls(http),
    prompts: promptCalls(http),
    pipelines: pipelineCalls(http),
    events: eventCalls(http),
  };
}

function accessCalls(http: HttpOptions) {
  return {
    login: (key: string) => post<SessionInfo>(http, accessRoutes.login, { key }),
    logout: () => post<{ readonly done: true }>(http, accessRoutes.logout),
    session: () => post<SessionInfo>(http, accessRoutes.session),
    mintKey: () => post<SignInKey>(http, accessRoutes.keys),
  };
}

function projectCalls(http: HttpOptions) {
  return {
    list: () => get<ReadonlyArray<Project>>(http, projectRoutes.all),
    get: (id: string) => get<Project>(http, fillPath(projectRoutes.one, { id })),
    create: (body: NewProjectBody) => post<Project>(http, projectRoutes.all, body),
    trust: (id: string, hash: string) => post<Project>(http, fillPath(projectRoutes.trust, { id }), { hash }),
  };
}

function taskCalls(http: HttpOptions) {
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

function runCalls(http: HttpOptions) {
  return {
    list: (query: RunQuery = {}) => get<ReadonlyArray<AgentRun>>(http, fillPath(runRoutes.all, {}, query)),
    get: (id: string) => get<AgentRun>(http, fillPath(runRoutes.one, { id })),
    stop: (id: string) => post<AgentRun>(http, fillPath(runRoutes.stop, { id })),
    view: (id: string) => get<RunView>(http, fillPath(runRoutes.view, { id })),
  };
}

function promptCalls(http: HttpOptions) {
  return {
    list: (query: PromptQuery = {}) => get<ReadonlyArray<Prompt>>(http, fillPath(promptRoutes.all, {}, query)),
    get: (id: string) => get<Prompt>(http, fillPath(promptRoutes.one, { id })),
    answer: (id: string, body: AnswerBody) => post<Prompt>(http, fillPath(promptRoutes.answer, { id }), body),
  };
}

function pipelineCalls(http: HttpOptions) {
  return {
    get: (id: string, version?: number) =>
      get<PipelineDefinition>(http, fillPath(pipelineRoutes.one, { id }, version === undefined ? {} : { version })),
  };
}

function eventCalls(http: HttpOptions) {
  return {
    page: (query: EventQuery = {}) => get<ReadonlyArray<PlatformEvent>>(http, fillPath(eventRoutes.page, {}, query)),
    /** One connection; it ends when the server, the network or the signal ends it. Resume with the last `seq` as `after`. */
    stream: async (
      query: StreamQuery = {},
      signal?: AbortSignal,
    ): Promise<Answer<AsyncGenerator<StreamFrame, void>>> => {
      const path = fillPath(eventRoutes.stream, {}, query);
      const body = await open(http, { method: 'GET', path, ...(signal ? { signal } : {}) });
      return body.ok ? { ok: true, value: readFrames(body.value) } : body;
    },
  };
}
