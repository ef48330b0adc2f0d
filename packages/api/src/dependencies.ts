import type { Task } from '@attractor/platform';
import { z } from 'zod';
import { once } from './once.ts';
import type { Done } from './done.ts';
import { get, post, remove, type HttpOptions } from './http.ts';
import { fillPath } from './path.ts';

export const dependencyRoutes = {
  all: '/api/tasks/:id/dependencies',
  one: '/api/tasks/:id/dependencies/:other',
  graph: '/api/projects/:id/dependencies',
} as const;

export const newDependencyBody = /* @__PURE__ */ once(() => z.strictObject({ dependsOnId: z.string().min(1) }));

export type Dependencies = { readonly dependsOn: ReadonlyArray<Task>; readonly blocks: ReadonlyArray<Task> };

/** The tasks of a project that depend on others, or are depended on. */
export type DependencyGraph = {
  readonly tasks: ReadonlyArray<Pick<Task, 'id' | 'title' | 'status'>>;
  readonly edges: ReadonlyArray<{ readonly taskId: string; readonly dependsOnId: string }>;
};

export function dependencyCalls(http: HttpOptions) {
  return {
    list: (taskId: string) => get<Dependencies>(http, fillPath(dependencyRoutes.all, { id: taskId })),
    add: (taskId: string, dependsOnId: string) =>
      post<Done>(http, fillPath(dependencyRoutes.all, { id: taskId }), { dependsOnId }),
    remove: (taskId: string, other: string) =>
      remove<Done>(http, fillPath(dependencyRoutes.one, { id: taskId, other })),
    graph: (projectId: string) => get<DependencyGraph>(http, fillPath(dependencyRoutes.graph, { id: projectId })),
  };
}
