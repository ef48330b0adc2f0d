import { defined, done, isRecord, once } from '@attractor/base';
import type { PipelineDefinition } from '@attractor/platform';
import { z } from 'zod';
import { doneAnswer } from './answers/done.ts';
import { graphAnswer, pipelineAnswer } from './answers/pipeline.ts';
import { list } from './answers/shape.ts';
import { asDone, type Done } from './done.ts';
import { found } from './found.ts';
import { ask, type HttpOptions } from './http.ts';
import { route } from './route.ts';
import type { GraphFormat } from './server-parts.ts';

const at = {
  list: 'GET /api/pipelines',
  get: 'GET /api/pipelines/:id',
  graph: 'GET /api/pipelines/:id/graph',
  save: 'POST /api/pipelines',
  validate: 'POST /api/pipeline-validation',
  setDefault: 'POST /api/pipelines/:id/default',
  delete: 'DELETE /api/pipelines/:id',
  builtIn: 'GET /api/built-in-pipelines',
} as const;

const version = () => z.coerce.number().int().min(0).exactOptional();

const pipelineQuery = /* @__PURE__ */ once(() => z.strictObject({ version: version() }));

const graphQuery = /* @__PURE__ */ once(() =>
  z.strictObject({ version: version(), format: z.enum(['mermaid', 'svg']).exactOptional() }),
);

/** The platform checks the definition itself, and names every mistake with its place. */
const pipelineBody = /* @__PURE__ */ once(() => z.unknown());

/** The body is the definition itself: an invalid one is a bad request. */
const JUDGED_BODY = { invalid: 400 } as const;

export type GraphQuery = z.infer<ReturnType<typeof graphQuery>>;

export type PipelineGraph = {
  readonly pipelineId: string;
  readonly version: number;
  readonly format: GraphFormat;
  readonly text: string;
};

export type { PipelineDefinition, PipelineStatus, StatusCategory, TransitionOption } from '@attractor/platform';

export function pipelineCalls(http: HttpOptions) {
  return {
    list: () => ask<ReadonlyArray<PipelineDefinition>>(http, at.list),
    get: (id: string, version?: number) =>
      ask<PipelineDefinition>(http, at.get, { params: { id }, query: defined({ version }) }),
    graph: (id: string, query: GraphQuery = {}) => ask<PipelineGraph>(http, at.graph, { params: { id }, query }),
    /** Any JSON: mistakes come back as a failure that names every place. */
    save: (definition: unknown) => ask<PipelineDefinition>(http, at.save, { body: definition }),
    validate: (definition: unknown) => ask<PipelineDefinition>(http, at.validate, { body: definition }),
    setDefault: (id: string) => ask<PipelineDefinition>(http, at.setDefault, { params: { id } }),
    delete: (id: string) => ask<Done>(http, at.delete, { params: { id } }),
    builtIn: () => ask<ReadonlyArray<string>>(http, at.builtIn),
  };
}

export const pipelineRoutes = /* @__PURE__ */ once(() => ({ ...reads(), ...changes() }));

const reads = () => ({
  list: route(at.list, {
    about: 'list pipelines',
    access: ['viewer', 'shared'],
    answers: () => list(pipelineAnswer()),
    act: async ({ workflow }) => done(await workflow.listPipelines()),
  }),
  get: route(at.get, {
    about: 'show a pipeline, as it is or in an earlier version',
    access: ['viewer', 'shared'],
    answers: pipelineAnswer,
    query: pipelineQuery,
    act: async ({ workflow, params: { id }, query }) =>
      found(await workflow.getPipeline(id, query.version), `pipeline ${id}`),
  }),
  graph: route(at.graph, {
    about: 'draw a pipeline',
    access: ['viewer', 'shared'],
    answers: graphAnswer,
    query: graphQuery,
    act: async ({ workflow, drawPipeline, params: { id }, query }) => {
      const pipeline = found(await workflow.getPipeline(id, query.version), `pipeline ${id}`);
      if (!pipeline.ok) return pipeline;
      const { format = 'mermaid' } = query;
      const { id: pipelineId, version } = pipeline.value;
      return done({ pipelineId, version, format, text: drawPipeline[format](pipeline.value) });
    },
  }),
  builtIn: route(at.builtIn, {
    about: 'list the ids of the pipelines that come with Attractor and stay',
    access: ['viewer', 'shared'],
    answers: () => list(z.string()),
    act: async ({ builtInPipelines }) => done(builtInPipelines),
  }),
});

const changes = () => ({
  save: route(at.save, {
    about: 'save a pipeline as its next version',
    access: ['admin', 'every'],
    answers: pipelineAnswer,
    body: pipelineBody,
    statuses: JUDGED_BODY,
    act: ({ workflow, body, actor }) => workflow.savePipeline(body, actor),
  }),
  validate: route(at.validate, {
    about: 'check a pipeline without saving it',
    access: ['viewer', 'shared'],
    answers: pipelineAnswer,
    body: pipelineBody,
    statuses: JUDGED_BODY,
    act: async ({ workflow, readPipeline, body }) =>
      readPipeline(withOurs(body), isRecord(body) ? await workflow.getPipeline(String(body['id'])) : null),
  }),
  setDefault: route(at.setDefault, {
    about: 'make a pipeline the one that new tasks get',
    access: ['admin', 'every'],
    answers: pipelineAnswer,
    act: ({ workflow, params, actor }) => workflow.setDefaultPipeline(params.id, actor),
  }),
  delete: route(at.delete, {
    about: 'remove a pipeline',
    access: ['admin', 'every'],
    answers: doneAnswer,
    act: async ({ workflow, params, actor }) => asDone(await workflow.deletePipeline(params.id, actor)),
  }),
});

/** What we set ourselves when a definition is saved may be absent. */
function withOurs(definition: unknown): unknown {
  return isRecord(definition) ? { isDefault: false, version: 1, ...definition } : definition;
}
