import { get, type HttpOptions } from '../http.ts';
import { fillPath } from '../path.ts';
import { runConfigRoutes, type RunConfigQuery, type RunConfigView } from '../run-config.ts';

export function runConfigCalls(http: HttpOptions) {
  return {
    get: (projectId: string, query: RunConfigQuery = {}) =>
      get<RunConfigView>(http, fillPath(runConfigRoutes.one, { id: projectId }, query)),
  };
}
