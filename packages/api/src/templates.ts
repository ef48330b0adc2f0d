import { z } from 'zod';
import { once } from './once.ts';

export const templateRoutes = {
  all: '/api/templates',
  one: '/api/templates/:id',
} as const;

/** With `id` that template is changed. */
export const templateBody = /* @__PURE__ */ once(() =>
  z.strictObject({
    id: z.string().min(1).exactOptional(),
    name: z.string().trim().min(1).max(200),
    description: z.string().max(20_000).exactOptional(),
    fields: z.strictObject({
      title: z.string().max(500).exactOptional(),
      description: z.string().max(200_000).exactOptional(),
      pipelineId: z.string().min(1).exactOptional(),
      priority: z.enum(['critical', 'high', 'medium', 'low']).exactOptional(),
      size: z.enum(['xs', 's', 'm', 'l', 'xl']).exactOptional(),
      complexity: z.enum(['low', 'medium', 'high']).exactOptional(),
      tags: z.array(z.string().min(1).max(100)).max(50).readonly().exactOptional(),
      acceptanceCriteria: z.array(z.string().min(1).max(2_000)).max(100).readonly().exactOptional(),
    }),
  }),
);

export type TemplateBody = z.infer<ReturnType<typeof templateBody>>;

export type { TaskTemplate, TemplateFields } from '@attractor/platform';
