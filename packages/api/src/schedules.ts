import { done, once } from '@attractor/base';
import { RUN_MODES } from '@attractor/facts';
import type { Schedule } from '@attractor/platform';
import { z } from 'zod';
import { doneAnswer } from './answers/done.ts';
import { scheduleAnswer } from './answers/schedule.ts';
import { list } from './answers/shape.ts';
import { asDone, type Done } from './done.ts';
import { givenName } from './given-name.ts';
import { ask, type HttpOptions } from './http.ts';
import { route } from './route.ts';
import { newTaskBody } from './tasks.ts';

const at = { list: 'GET /api/schedules', save: 'POST /api/schedules', delete: 'DELETE /api/schedules/:id' } as const;

const mode = () => z.enum(RUN_MODES);

const scheduleQuery = /* @__PURE__ */ once(() => z.strictObject({ projectId: z.string().exactOptional() }));

/** With an `id`: that one is changed. */
const scheduleBody = /* @__PURE__ */ once(() =>
  z.strictObject({
    id: z.string().min(1).exactOptional(),
    projectId: z.string().min(1),
    name: givenName(200),
    cron: z.string().min(1).max(200),
    timeZone: z.string().min(1).max(100).exactOptional(),
    isEnabled: z.boolean().exactOptional(),
    action: z.discriminatedUnion('kind', [
      z.strictObject({
        kind: z.literal('create'),
        task: newTaskBody().omit({ projectId: true }),
        to: z.string().min(1).exactOptional(),
        start: mode().exactOptional(),
      }),
      z.strictObject({ kind: z.literal('move'), taskId: z.string().min(1), to: z.string().min(1) }),
      z.strictObject({ kind: z.literal('start'), taskId: z.string().min(1), mode: mode() }),
    ]),
  }),
);

export type ScheduleQuery = z.infer<ReturnType<typeof scheduleQuery>>;
export type ScheduleBody = z.infer<ReturnType<typeof scheduleBody>>;

export type { Schedule, ScheduleAction } from '@attractor/platform';

export function scheduleCalls(http: HttpOptions) {
  return {
    list: (query: ScheduleQuery = {}) => ask<ReadonlyArray<Schedule>>(http, at.list, { query }),
    save: (body: ScheduleBody) => ask<Schedule>(http, at.save, { body }),
    delete: (id: string) => ask<Done>(http, at.delete, { params: { id } }),
  };
}

export const scheduleRoutes = /* @__PURE__ */ once(() => ({
  list: route(at.list, {
    about: 'list schedules, and when each is due next',
    access: ['viewer', 'visible'],
    answers: () => list(scheduleAnswer()),
    query: scheduleQuery,
    act: async ({ workflow, query }) => done(await workflow.listSchedules(query)),
  }),
  save: route(at.save, {
    about: 'make a schedule or change it',
    access: ['operator', 'named'],
    answers: scheduleAnswer,
    body: scheduleBody,
    act: ({ workflow, body, actor }) => workflow.saveSchedule(body, actor),
  }),
  delete: route(at.delete, {
    about: 'remove a schedule',
    access: ['operator', 'named'],
    answers: doneAnswer,
    act: async ({ workflow, params, actor }) => asDone(await workflow.deleteSchedule(params.id, actor)),
  }),
}));
