import { runQuery, runRoutes } from '@attractor/api';
import { answer, found, refuse } from './answer.ts';
import type { Routes } from './context.ts';
import { decodeQuery } from './decode.ts';

export const runHandlers: Routes = (app, { workflow }) => {
  app.get(runRoutes.all, async (context) => {
    const query = decodeQuery(context, runQuery);
    return query.ok ? context.json(await workflow.listRuns(query.value)) : refuse(context, query.error);
  });

  app.get(runRoutes.one, async (context) => {
    const id = context.req.param('id');
    return found(context, await workflow.getRun(id), `run ${id}`);
  });

  app.post(runRoutes.stop, async (context) =>
    answer(context, await workflow.stopAgent(context.req.param('id'), context.var.actor)),
  );
};
