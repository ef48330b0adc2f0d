import type { PipelineDefinition } from '@attractor/platform';
import { get, type HttpOptions } from '../http.ts';
import { fillPath } from '../path.ts';
import { pipelineRoutes } from '../pipelines.ts';

export function pipelineCalls(http: HttpOptions) {
  return {
    get: (id: string, version?: number) =>
      get<PipelineDefinition>(http, fillPath(pipelineRoutes.one, { id }, version === undefined ? {} : { version })),
  };
}
