import { costQuery, costRoutes, statsQuery } from '@attractor/api';
import { answer, refuse } from './answer.ts';
import type { Routes } from './context.ts';
import { decodeQuery } from './decode.ts';

export const costHandlers: Routes = (app, { workflow }) => {
  app.get(costRoutes.all, async (context) => {
    const query = decodeQuery(context, costQuery);
    if (!query.ok) return refuse(context, query.error);
    const { groupBy = 'project', ...filter } = query.value;
    return answer(context, await workflow.costs(filter, groupBy));
  });

  app.get(costRoutes.stats, async (context) => {
    const query = decodeQuery(context, statsQuery);
    return query.ok ? answer(context, await workflow.stats(query.value)) : refuse(context, query.error);
  });

  app.get(costRoutes.agents, async (context) => {
    const query = decodeQuery(context, statsQuery);
    return query.ok ? answer(context, await workflow.compareAgents(query.value)) : refuse(context, query.error);
  });

  app.get(costRoutes.timeline, async (context) => answer(context, await workflow.runTimeline(context.req.param('id'))));
};
