import { defined } from '@attractor/base';
import type { PipelineDefinition } from '@attractor/platform';
import type { Done } from '../done.ts';
import { get, post, remove, type HttpOptions } from '../http.ts';
import { fillPath } from '../path.ts';
import { pipelineRoutes, type GraphQuery, type PipelineGraph } from '../pipelines.ts';

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
