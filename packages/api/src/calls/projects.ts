import type { Project } from '@attractor/platform';
import { get, post, type HttpOptions } from '../http.ts';
import { fillPath } from '../path.ts';
import { projectRoutes, type NewProjectBody } from '../projects.ts';

export function projectCalls(http: HttpOptions) {
  return {
    list: () => get<ReadonlyArray<Project>>(http, projectRoutes.all),
    get: (id: string) => get<Project>(http, fillPath(projectRoutes.one, { id })),
    create: (body: NewProjectBody) => post<Project>(http, projectRoutes.all, body),
    trust: (id: string, hash: string) => post<Project>(http, fillPath(projectRoutes.trust, { id }), { hash }),
  };
}
