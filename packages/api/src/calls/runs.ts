import type { AgentRun } from '@attractor/platform';
import { get, post, type HttpOptions } from '../http.ts';
import { fillPath } from '../path.ts';
import { runRoutes, type RunQuery } from '../runs.ts';
import type { RunView } from '../views/run.ts';

export function runCalls(http: HttpOptions) {
  return {
    list: (query: RunQuery = {}) => get<ReadonlyArray<AgentRun>>(http, fillPath(runRoutes.all, {}, query)),
    get: (id: string) => get<AgentRun>(http, fillPath(runRoutes.one, { id })),
    stop: (id: string) => post<AgentRun>(http, fillPath(runRoutes.stop, { id })),
    view: (id: string) => get<RunView>(http, fillPath(runRoutes.view, { id })),
  };
}
