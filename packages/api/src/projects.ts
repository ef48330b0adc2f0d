import { isRecord } from '@attractor/base';
import type { Project, ProjectEdit } from '@attractor/platform';
import { z } from 'zod';
import { once } from './once.ts';
import { get, patch, post, remove, type HttpOptions } from './http.ts';
import { fillPath } from './path.ts';
import { getEvents } from './get-events.ts';

export const projectRoutes = {
  all: '/api/projects',
  one: '/api/projects/:id',
  trust: '/api/projects/:id/trust',
  info: '/api/projects/:id/info',
  activity: '/api/projects/:id/activity',
} as const;

export const newProjectBody = /* @__PURE__ */ once(() =>
  z.strictObject({
    path: z.string().min(1).max(4096),
    name: z.string().min(1).max(200).exactOptional(),
    description: z.string().max(20_000).exactOptional(),
    defaultBranch: z.string().min(1).max(250).exactOptional(),
  }),
);

/** `config` replaces the whole of it; what it may hold is the platform's to say. */
export const projectEditBody = /* @__PURE__ */ once(() =>
  z.strictObject({
    name: z.string().min(1).max(200).exactOptional(),
    description: z.string().max(20_000).exactOptional(),
    defaultBranch: z.string().min(1).max(250).exactOptional(),
    config: z
      .custom<NonNullable<ProjectEdit['config']>>((value) => isRecord(value), {
        error: 'expected an object',
      })
      .exactOptional(),
  }),
);

export const activityQuery = /* @__PURE__ */ once(() =>
  z.strictObject({
    before: z.coerce.number().int().min(1).exactOptional(),
    limit: z.coerce.number().int().min(1).max(1000).exactOptional(),
  }),
);

export const trustBody = /* @__PURE__ */ once(() => z.strictObject({ hash: z.string().min(1).max(200) }));

export type NewProjectBody = z.infer<ReturnType<typeof newProjectBody>>;
export type ProjectEditBody = z.infer<ReturnType<typeof projectEditBody>>;
export type ActivityQuery = z.infer<ReturnType<typeof activityQuery>>;

/** A project and how much is going on in it. */
export type ProjectInfo = {
  readonly project: Project;
  /** Tasks by status. */
  readonly tasks: Readonly<Record<string, number>>;
  readonly runningRuns: number;
  readonly pendingPrompts: number;
};

export type { Project } from '@attractor/platform';

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
