import { z } from 'zod';
import { once } from './once.ts';
import { newTaskBody } from './tasks.ts';
import type { Schedule } from '@attractor/platform';
import type { Done } from './done.ts';
import { get, post, remove, type HttpOptions } from './http.ts';
import { fillPath } from './path.ts';

export const scheduleRoutes = { all: '/api/schedules', one: '/api/schedules/:id' } as const;

const mode = () => z.enum(['plan', 'implement', 'review', 'investigate', 'design']);

export const scheduleQuery = /* @__PURE__ */ once(() => z.strictObject({ projectId: z.string().exactOptional() }));

/** With an `id`: that one is changed. */
export const scheduleBody = /* @__PURE__ */ once(() =>
  z.strictObject({
    id: z.string().min(1).exactOptional(),
    projectId: z.string().min(1),
    name: z.string().trim().min(1).max(200),
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
    list: (query: ScheduleQuery = {}) => get<ReadonlyArray<Schedule>>(http, fillPath(scheduleRoutes.all, {}, query)),
    save: (body: ScheduleBody) => post<Schedule>(http, scheduleRoutes.all, body),
    delete: (id: string) => remove<Done>(http, fillPath(scheduleRoutes.one, { id })),
  };
}
