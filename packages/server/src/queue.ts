import { drainBody, queueLimitBody, queueQuery, queueRoutes, queueScopeBody } from '@attractor/api';
import { answer, refuse } from './answer.ts';
import type { Routes } from './context.ts';
import { decodeBody, decodeQuery } from './decode.ts';

export const queueHandlers: Routes = (app, { workflow }) => {
  app.get(queueRoutes.state, async (context) => {
    const query = decodeQuery(context, queueQuery);
    return query.ok ? context.json(await workflow.queueState(query.value)) : refuse(context, query.error);
  });

  app.post(queueRoutes.pause, async (context) => {
    const body = await decodeBody(context, queueScopeBody);
    if (!body.ok) return refuse(context, body.error);
    return answer(context, await workflow.pauseQueue(body.value, context.var.actor));
  });

  app.post(queueRoutes.resume, async (context) => {
    const body = await decodeBody(context, queueScopeBody);
    if (!body.ok) return refuse(context, body.error);
    return answer(context, await workflow.resumeQueue(body.value, context.var.actor));
  });

  app.post(queueRoutes.drain, async (context) => {
    const body = await decodeBody(context, drainBody);
    if (!body.ok) return refuse(context, body.error);
    return answer(context, await workflow.drainQueue(body.value, context.var.actor));
  });

  app.put(queueRoutes.limits, async (context) => {
    const body = await decodeBody(context, queueLimitBody);
    if (!body.ok) return refuse(context, body.error);
    return answer(context, await workflow.setQueueLimit(body.value, context.var.actor));
  });
};
