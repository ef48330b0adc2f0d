import { scheduleBody, scheduleQuery, scheduleRoutes } from '@attractor/api';
import { answer, answerDone, refuse } from './answer.ts';
import type { Routes } from './context.ts';
import { decodeBody, decodeQuery } from './decode.ts';

export const scheduleHandlers: Routes = (app, { workflow }) => {
  app.get(scheduleRoutes.all, async (context) => {
    const query = decodeQuery(context, scheduleQuery);
    return query.ok ? context.json(await workflow.listSchedules(query.value)) : refuse(context, query.error);
  });

  app.post(scheduleRoutes.all, async (context) => {
    const body = await decodeBody(context, scheduleBody);
    if (!body.ok) return refuse(context, body.error);
    return answer(context, await workflow.saveSchedule(body.value, context.var.actor));
  });

  app.delete(scheduleRoutes.one, async (context) =>
    answerDone(context, await workflow.deleteSchedule(context.req.param('id'), context.var.actor)),
  );
};
