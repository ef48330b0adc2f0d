import type { CheckResult } from '@attractor/platform';
import { checkRoutes, type RunCheck } from '../checks.ts';
import { get, post, type HttpOptions } from '../http.ts';
import { fillPath } from '../path.ts';

export function checkCalls(http: HttpOptions) {
  return {
    ofTask: (id: string) => get<ReadonlyArray<RunCheck>>(http, fillPath(checkRoutes.ofTask, { id })),
    /** Answers when the last of them ended. */
    run: (taskId: string) => post<ReadonlyArray<CheckResult>>(http, fillPath(checkRoutes.ofTask, { id: taskId })),
    ofRun: (id: string) => get<ReadonlyArray<RunCheck>>(http, fillPath(checkRoutes.ofRun, { id })),
  };
}
