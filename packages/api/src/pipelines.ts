import { z } from 'zod';
import { once } from './once.ts';

export const pipelineRoutes = {
  one: '/api/pipelines/:id',
} as const;

export const pipelineQuery = /* @__PURE__ */ once(() =>
  z.strictObject({ version: z.coerce.number().int().min(0).exactOptional() }),
);

export type { PipelineDefinition, PipelineStatus, StatusCategory, TransitionOption } from '@attractor/platform';
