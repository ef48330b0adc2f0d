import { z } from 'zod';
import { once } from './once.ts';

export const pipelineRoutes = {
  all: '/api/pipelines',
  one: '/api/pipelines/:id',
  graph: '/api/pipelines/:id/graph',
  default: '/api/pipelines/:id/default',
  validation: '/api/pipeline-validation',
} as const;

const version = () => z.coerce.number().int().min(0).exactOptional();

export const pipelineQuery = /* @__PURE__ */ once(() => z.strictObject({ version: version() }));

export const graphQuery = /* @__PURE__ */ once(() =>
  z.strictObject({ version: version(), format: z.enum(['mermaid', 'svg']).exactOptional() }),
);

/** The definition itself is judged by the platform, which names every place that is wrong. */
export const pipelineBody = /* @__PURE__ */ once(() => z.unknown());

export type GraphQuery = z.infer<ReturnType<typeof graphQuery>>;

export type PipelineGraph = {
  readonly pipelineId: string;
  readonly version: number;
  readonly format: 'mermaid' | 'svg';
  readonly text: string;
};

export type { PipelineDefinition, PipelineStatus, StatusCategory, TransitionOption } from '@attractor/platform';
