import { pipelineQuery, pipelineRoutes } from '@attractor/api';
import { found, refuse } from './answer.ts';
import type { Routes } from './context.ts';
import { decodeQuery } from './decode.ts';

export const pipelineHandlers: Routes = (app, { workflow }) => {
  app.get(pipelineRoutes.one, async (context) => {
    const query = decodeQuery(context, pipelineQuery);
    if (!query.ok) return refuse(context, query.error);
    const id = context.req.param('id');
    return found(context, await workflow.getPipeline(id, query.value.version), `pipeline ${id}`);
  });
};
