import type { AttemptGroup } from '@attractor/platform';
import { attemptRoutes, type AttemptsBody } from '../attempts.ts';
import { get, post, type HttpOptions } from '../http.ts';
import { fillPath } from '../path.ts';

export function attemptCalls(http: HttpOptions) {
  return {
    list: (taskId: string) => get<ReadonlyArray<AttemptGroup>>(http, fillPath(attemptRoutes.ofTask, { id: taskId })),
    start: (taskId: string, body: AttemptsBody) =>
      post<AttemptGroup>(http, fillPath(attemptRoutes.ofTask, { id: taskId }), body),
    get: (id: string) => get<AttemptGroup>(http, fillPath(attemptRoutes.one, { id })),
    cancel: (id: string) => post<AttemptGroup>(http, fillPath(attemptRoutes.cancel, { id })),
  };
}
