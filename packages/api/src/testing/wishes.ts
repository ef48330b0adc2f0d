import { done, once } from '@attractor/base';
import type { Task } from '@attractor/platform';
import { z } from 'zod';
import { list } from '../answers/shape.ts';
import { taskAnswer } from '../answers/task.ts';
import { found } from '../found.ts';
import { ask, open, type HttpOptions } from '../http.ts';
import { httpRoute, route } from '../route.ts';

/** A noun for tests, with a route of every type. A wish is a task. */
const at = {
  list: 'GET /api/wishes',
  get: 'GET /api/wishes/:id',
  make: 'POST /api/wishes',
  grant: 'POST /api/wishes/:id/grant',
  hear: 'GET /api/wishes/:id/sound',
} as const;

const wishQuery = /* @__PURE__ */ once(() => z.strictObject({ projectId: z.string().exactOptional() }));

const wishBody = /* @__PURE__ */ once(() => z.strictObject({ projectId: z.string().min(1), title: z.string().min(1) }));

export type WishQuery = z.infer<ReturnType<typeof wishQuery>>;
export type WishBody = z.infer<ReturnType<typeof wishBody>>;

export function wishCalls(http: HttpOptions) {
  return {
    list: (query: WishQuery = {}) => ask<ReadonlyArray<Task>>(http, at.list, { query }),
    get: (id: string) => ask<Task>(http, at.get, { params: { id } }),
    make: (body: WishBody) => ask<Task>(http, at.make, { body }),
    grant: (id: string) => ask<Task>(http, at.grant, { params: { id } }),
    hear: (id: string) => open(http, at.hear, { params: { id } }),
  };
}

export const wishRoutes = /* @__PURE__ */ once(() => ({
  list: route(at.list, {
    about: 'list wishes',
    access: ['viewer', 'visible'],
    answers: () => list(taskAnswer()),
    query: wishQuery,
    act: async ({ workflow, query }) => done(await workflow.listTasks(query)),
  }),
  get: route(at.get, {
    about: 'show a wish',
    access: ['viewer', 'visible'],
    answers: taskAnswer,
    act: async ({ workflow, params: { id } }) => found(await workflow.getTask(id), `wish ${id}`),
  }),
  make: route(at.make, {
    about: 'make a wish',
    access: ['viewer', 'visible'],
    answers: taskAnswer,
    body: wishBody,
    act: ({ workflow, body, actor }) => workflow.createTask(body, actor),
  }),
  grant: route(at.grant, {
    about: 'grant a wish',
    access: ['viewer', 'visible'],
    answers: taskAnswer,
    statuses: { blocked: 400 },
    act: ({ workflow, params, actor }) => workflow.transition({ taskId: params.id, to: 'granted' }, actor),
  }),
  hear: httpRoute(at.hear, {
    about: 'hear a wish',
    access: ['viewer', 'visible'],
    answers: { mediaType: 'text/plain', about: 'the sound' },
  }),
}));
