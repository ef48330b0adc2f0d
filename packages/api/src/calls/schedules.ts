import type { Schedule } from '@attractor/platform';
import type { Done } from '../done.ts';
import { get, post, remove, type HttpOptions } from '../http.ts';
import { fillPath } from '../path.ts';
import { scheduleRoutes, type ScheduleBody, type ScheduleQuery } from '../schedules.ts';

export function scheduleCalls(http: HttpOptions) {
  return {
    list: (query: ScheduleQuery = {}) => get<ReadonlyArray<Schedule>>(http, fillPath(scheduleRoutes.all, {}, query)),
    save: (body: ScheduleBody) => post<Schedule>(http, scheduleRoutes.all, body),
    delete: (id: string) => remove<Done>(http, fillPath(scheduleRoutes.one, { id })),
  };
}
