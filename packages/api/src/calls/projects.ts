import type { Project } from '@attractor/platform';
import { get, patch, post, remove, type HttpOptions } from '../http.ts';
import { fillPath } from '../path.ts';
import {
  projectRoutes,
  type ActivityQuery,
  type NewProjectBody,
  type ProjectEditBody,
  type ProjectInfo,
} from '../projects.ts';
import { getEvents } from './get-events.ts';

export function projectCalls(http: HttpOptions) {
  return {
    list: () => get<ReadonlyArray<Project>>(http, projectRoutes.all),
    get: (id: string) => get<Project>(http, fillPath(projectRoutes.one, { id })),
    create: (body: NewProjectBody) => post<Project>(http, projectRoutes.all, body),
    info: (id: string) => get<ProjectInfo>(http, fillPath(projectRoutes.info, { id })),
    update: (id: string, body: ProjectEditBody) => patch<Project>(http, fillPath(projectRoutes.one, { id }), body),
    delete: (id: string) => remove<{ readonly tasks: number }>(http, fillPath(projectRoutes.one, { id })),
    activity: (id: string, query: ActivityQuery = {}) =>
      getEvents(http, fillPath(projectRoutes.activity, { id }, query)),
    trust: (id: string, hash: string) => post<Project>(http, fillPath(projectRoutes.trust, { id }), { hash }),
  };
}
