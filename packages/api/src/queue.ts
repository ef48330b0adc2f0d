import { z } from 'zod';
import { once } from './once.ts';
import type { QueueState } from '@attractor/platform';
import { get, post, put, type HttpOptions } from './http.ts';
import { fillPath } from './path.ts';

export const queueRoutes = {
  state: '/api/queue',
  pause: '/api/queue/pause',
  resume: '/api/queue/resume',
  drain: '/api/queue/drain',
  limits: '/api/queue/limits',
} as const;

const projectId = () => z.string().min(1).exactOptional();

export const queueQuery = /* @__PURE__ */ once(() =>
  z.strictObject({ projectId: projectId(), limit: z.coerce.number().int().min(0).max(1000).exactOptional() }),
);

/** Of one project; without it, of everything. */
export const queueScopeBody = /* @__PURE__ */ once(() => z.strictObject({ projectId: projectId() }));

export const drainBody = /* @__PURE__ */ once(() =>
  z.strictObject({ projectId: projectId(), patienceMs: z.number().int().min(0).max(3_600_000).exactOptional() }),
);

/** `max` null takes the limit back. */
export const queueLimitBody = /* @__PURE__ */ once(() =>
  z.strictObject({
    kind: z.enum(['agent', 'account']),
    name: z.string().min(1).max(200),
    max: z.number().int().min(0).max(10_000).nullable(),
  }),
);

export type QueueQuery = z.infer<ReturnType<typeof queueQuery>>;
export type QueueScopeBody = z.infer<ReturnType<typeof queueScopeBody>>;
export type DrainBody = z.infer<ReturnType<typeof drainBody>>;
export type QueueLimitBody = z.infer<ReturnType<typeof queueLimitBody>>;

export type { QueuedJob, QueueState } from '@attractor/platform';

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
