import { z } from 'zod';

export const pipelineRoutes = {
  one: '/api/pipelines/:id',
} as const;

export const pipelineQuery = z.strictObject({ version: z.coerce.number().int().min(0).exactOptional() });

export type { PipelineDefinition, PipelineStatus, StatusCategory, TransitionOption } from '@attractor/platform';
