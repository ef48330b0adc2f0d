import { channelBody, channelRoutes, deliveryQuery, preferencesBody } from '@attractor/api';
import { answer, answerDone, refuse } from './answer.ts';
import type { Routes } from './context.ts';
import { decodeBody, decodeQuery } from './decode.ts';

export const channelHandlers: Routes = (app, { workflow }) => {
  app.get(channelRoutes.all, async (context) => answer(context, await workflow.notifySettings()));

  app.post(channelRoutes.all, async (context) => {
    const body = await decodeBody(context, channelBody);
    if (!body.ok) return refuse(context, body.error);
    return answer(context, await workflow.saveChannel(body.value, context.var.actor));
  });

  app.delete(channelRoutes.one, async (context) =>
    answerDone(context, await workflow.removeChannel(context.req.param('name'), context.var.actor)),
  );

  app.post(channelRoutes.test, async (context) =>
    answerDone(context, await workflow.testChannel(context.req.param('name'), context.var.actor)),
  );

  app.patch(channelRoutes.preferences, async (context) => {
    const body = await decodeBody(context, preferencesBody);
    if (!body.ok) return refuse(context, body.error);
    return answer(context, await workflow.saveNotifyPreferences(body.value, context.var.actor));
  });

  app.get(channelRoutes.deliveries, async (context) => {
    const query = decodeQuery(context, deliveryQuery);
    return query.ok ? context.json(await workflow.listDeliveries(query.value)) : refuse(context, query.error);
  });
};
