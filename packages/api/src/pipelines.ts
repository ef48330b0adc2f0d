import { z } from 'zod';
import { once } from './once.ts';
import { defined } from '@attractor/base';
import type { PipelineDefinition } from '@attractor/platform';
import type { Done } from './done.ts';
import { get, post, remove, type HttpOptions } from './http.ts';
import { fillPath } from './path.ts';

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

export function pipelineCalls(http: HttpOptions) {
  return {
    list: () => get<ReadonlyArray<PipelineDefinition>>(http, pipelineRoutes.all),
    get: (id: string, version?: number) =>
      get<PipelineDefinition>(http, fillPath(pipelineRoutes.one, { id }, defined({ version }))),
    graph: (id: string, query: GraphQuery = {}) =>
      get<PipelineGraph>(http, fillPath(pipelineRoutes.graph, { id }, query)),
    /** JSON of any origin: what is wrong in it comes back as a failure that names every place. */
    save: (definition: unknown) => post<PipelineDefinition>(http, pipelineRoutes.all, definition),
    validate: (definition: unknown) => post<PipelineDefinition>(http, pipelineRoutes.validation, definition),
    setDefault: (id: string) => post<PipelineDefinition>(http, fillPath(pipelineRoutes.default, { id })),
    delete: (id: string) => remove<Done>(http, fillPath(pipelineRoutes.one, { id })),
  };
}
