import { isRecord } from '@attractor/base';
import { failure, graphQuery, pipelineBody, pipelineQuery, pipelineRoutes, type PipelineGraph } from '@attractor/api';
import { mermaidGraph, readPipelineDefinition, svgGraph, type Result } from '@attractor/platform';
import type { Context } from 'hono';
import { answer, answerDone, found, refuse } from './answer.ts';
import type { Routes } from './context.ts';
import { decodeBody, decodeQuery } from './decode.ts';

export const pipelineHandlers: Routes = (app, { workflow }) => {
  app.get(pipelineRoutes.all, async (context) => context.json(await workflow.listPipelines()));

  app.get(pipelineRoutes.one, async (context) => {
    const query = decodeQuery(context, pipelineQuery);
    if (!query.ok) return refuse(context, query.error);
    const id = context.req.param('id');
    return found(context, await workflow.getPipeline(id, query.value.version), `pipeline ${id}`);
  });

  app.get(pipelineRoutes.graph, async (context) => {
    const query = decodeQuery(context, graphQuery);
    if (!query.ok) return refuse(context, query.error);
    const id = context.req.param('id');
    const { version, format = 'mermaid' } = query.value;
    const pipeline = await workflow.getPipeline(id, version);
    if (pipeline === null) return found(context, null, `pipeline ${id}`);
    const text = GRAPHS[format](pipeline);
    return context.json({ pipelineId: pipeline.id, version: pipeline.version, format, text } satisfies PipelineGraph);
  });

  app.post(pipelineRoutes.all, async (context) => {
    const body = await decodeBody(context, pipelineBody);
    if (!body.ok) return refuse(context, body.error);
    return answerDefinition(context, await workflow.savePipeline(body.value, context.var.actor));
  });

  app.post(pipelineRoutes.validation, async (context) => {
    const body = await decodeBody(context, pipelineBody);
    if (!body.ok) return refuse(context, body.error);
    return answerDefinition(context, readPipelineDefinition(withOurs(body.value)));
  });

  app.post(pipelineRoutes.default, async (context) =>
    answer(context, await workflow.setDefaultPipeline(context.req.param('id'), context.var.actor)),
  );

  app.delete(pipelineRoutes.one, async (context) =>
    answerDone(context, await workflow.deletePipeline(context.req.param('id'), context.var.actor)),
  );
};

const GRAPHS = { mermaid: mermaidGraph, svg: svgGraph } as const;

/** What a saved definition gets from us may be absent, as it may be when it is saved. */
function withOurs(value: unknown): unknown {
  const isObject = isRecord(value);
  return isObject ? { isDefault: false, version: 1, ...value } : value;
}

/** A definition is the body itself: one that can't be understood is a bad request, with every place that is wrong. */
function answerDefinition<Value>(context: Context, result: Result<Value>): Response {
  if (result.ok || result.error.code !== 'invalid') return answer(context, result);
  return context.json({ error: failure('invalid', result.error.message, result.error.detail) }, 400);
}
