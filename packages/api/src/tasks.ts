import { z } from 'zod';
import { once } from './once.ts';

export const taskRoutes = {
  all: '/api/tasks',
  one: '/api/tasks/:id',
  transitions: '/api/tasks/:id/transitions',
  runs: '/api/tasks/:id/runs',
  artifacts: '/api/tasks/:id/artifacts',
  listView: '/api/views/task-list',
  view: '/api/views/tasks/:id',
} as const;

export const newTaskBody = /* @__PURE__ */ once(() =>
  z.strictObject({
    projectId: z.string().min(1),
    title: z.string().trim().min(1).max(500),
    description: z.string().max(200_000).exactOptional(),
    pipelineId: z.string().min(1).exactOptional(),
    priority: z.enum(['critical', 'high', 'medium', 'low']).exactOptional(),
    size: z.enum(['xs', 's', 'm', 'l', 'xl']).exactOptional(),
    complexity: z.enum(['low', 'medium', 'high']).exactOptional(),
    tags: z.array(z.string().min(1).max(100)).max(50).readonly().exactOptional(),
    plan: z.string().max(200_000).exactOptional(),
    acceptanceCriteria: z.array(z.string().min(1).max(2_000)).max(100).readonly().exactOptional(),
    parentTaskId: z.string().min(1).exactOptional(),
    dependsOn: z.array(z.string().min(1)).max(100).readonly().exactOptional(),
    sourceUrl: z
      .url({ protocol: /^https?$/ })
      .max(2_000)
      .exactOptional(),
    template: z.string().min(1).exactOptional(),
    taskType: z.string().min(1).max(100).exactOptional(),
  }),
);

export const transitionBody = /* @__PURE__ */ once(() =>
  z.strictObject({
    to: z.string().min(1),
    reason: z.string().max(20_000).exactOptional(),
  }),
);

export const taskQuery = /* @__PURE__ */ once(() =>
  z.strictObject({
    projectId: z.string().exactOptional(),
    limit: z.coerce.number().int().min(1).max(1000).exactOptional(),
    before: z.string().exactOptional(),
  }),
);

export type NewTaskBody = z.infer<ReturnType<typeof newTaskBody>>;
export type TransitionBody = z.infer<ReturnType<typeof transitionBody>>;
export type TaskQuery = z.infer<ReturnType<typeof taskQuery>>;

export type { Artifact, Task } from '@attractor/platform';
