import { checkRoutes, type RunCheck } from '../checks.ts';
import { get, type HttpOptions } from '../http.ts';
import { fillPath } from '../path.ts';

export function checkCalls(http: HttpOptions) {
  return {
    ofTask: (id: string) => get<ReadonlyArray<RunCheck>>(http, fillPath(checkRoutes.ofTask, { id })),
    ofRun: (id: string) => get<ReadonlyArray<RunCheck>>(http, fillPath(checkRoutes.ofRun, { id })),
  };
}
