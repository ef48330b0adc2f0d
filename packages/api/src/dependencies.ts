import type { Task } from '@attractor/platform';
import { z } from 'zod';
import { once } from './once.ts';

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
