import { done, once } from '@attractor/base';
import type { QueueState } from '@attractor/platform';
import { z } from 'zod';
import { queueAnswer } from './answers/queue.ts';
import { givenName } from './given-name.ts';
import { ask, type HttpOptions } from './http.ts';
import { route } from './route.ts';

const at = {
  state: 'GET /api/queue',
  pause: 'POST /api/queue/pause',
  resume: 'POST /api/queue/resume',
  drain: 'POST /api/queue/drain',
  setLimit: 'PUT /api/queue/limits',
} as const;

const projectId = () => z.string().min(1).exactOptional();

const queueQuery = /* @__PURE__ */ once(() =>
  z.strictObject({ projectId: projectId(), limit: z.coerce.number().int().min(0).max(1000).exactOptional() }),
);

/** For one project; without it, for everything. */
const queueScopeBody = /* @__PURE__ */ once(() => z.strictObject({ projectId: projectId() }));

const drainBody = /* @__PURE__ */ once(() =>
  z.strictObject({ projectId: projectId(), patienceMs: z.number().int().min(0).max(3_600_000).exactOptional() }),
);

/** `max` null removes the limit. */
const queueLimitBody = /* @__PURE__ */ once(() =>
  z.strictObject({
    kind: z.enum(['agent', 'account']),
    name: givenName(200),
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
    state: (query: QueueQuery = {}) => ask<QueueState>(http, at.state, { query }),
    pause: (body: QueueScopeBody = {}) => ask<QueueState>(http, at.pause, { body }),
    resume: (body: QueueScopeBody = {}) => ask<QueueState>(http, at.resume, { body }),
    /** Returns once running runs have ended, or when the patience is over. */
    drain: (body: DrainBody = {}) => ask<QueueState>(http, at.drain, { body }),
    setLimit: (body: QueueLimitBody) => ask<QueueState>(http, at.setLimit, { body }),
  };
}

export const queueRoutes = /* @__PURE__ */ once(() => ({
  state: route(at.state, {
    about: 'show what runs, what waits and what holds it back',
    access: ['viewer', 'visible'],
    answers: queueAnswer,
    query: queueQuery,
    act: async ({ workflow, query }) => done(await workflow.queueState(query)),
  }),
  pause: route(at.pause, {
    about: 'start nothing more',
    access: ['operator', 'named'],
    answers: queueAnswer,
    body: queueScopeBody,
    act: ({ workflow, body, actor }) => workflow.pauseQueue(body, actor),
  }),
  resume: route(at.resume, {
    about: 'start what waits again',
    access: ['operator', 'named'],
    answers: queueAnswer,
    body: queueScopeBody,
    act: ({ workflow, body, actor }) => workflow.resumeQueue(body, actor),
  }),
  drain: route(at.drain, {
    about: 'start nothing more and wait for what runs',
    access: ['operator', 'named'],
    answers: queueAnswer,
    body: drainBody,
    act: ({ workflow, body, actor }) => workflow.drainQueue(body, actor),
  }),
  setLimit: route(at.setLimit, {
    about: 'limit how many runs of an agent or an account go at once',
    access: ['admin', 'every'],
    answers: queueAnswer,
    body: queueLimitBody,
    act: ({ workflow, body, actor }) => workflow.setQueueLimit(body, actor),
  }),
}));
