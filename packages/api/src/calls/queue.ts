import type { QueueState } from '@attractor/platform';
import { get, post, put, type HttpOptions } from '../http.ts';
import { fillPath } from '../path.ts';
import { queueRoutes, type DrainBody, type QueueLimitBody, type QueueQuery, type QueueScopeBody } from '../queue.ts';

export function queueCalls(http: HttpOptions) {
  return {
    state: (query: QueueQuery = {}) => get<QueueState>(http, fillPath(queueRoutes.state, {}, query)),
    pause: (body: QueueScopeBody = {}) => post<QueueState>(http, queueRoutes.pause, body),
    resume: (body: QueueScopeBody = {}) => post<QueueState>(http, queueRoutes.resume, body),
    /** Answers once what ran has ended, or when the patience is over. */
    drain: (body: DrainBody = {}) => post<QueueState>(http, queueRoutes.drain, body),
    setLimit: (body: QueueLimitBody) => put<QueueState>(http, queueRoutes.limits, body),
  };
}
