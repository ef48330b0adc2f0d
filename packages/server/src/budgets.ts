import { budgetBody, budgetQuery, budgetRoutes } from '@attractor/api';
import { answer, answerDone, refuse } from './answer.ts';
import type { Routes } from './context.ts';
import { decodeBody, decodeQuery } from './decode.ts';

export const budgetHandlers: Routes = (app, { workflow }) => {
  app.get(budgetRoutes.all, async (context) => {
    const query = decodeQuery(context, budgetQuery);
    return query.ok ? context.json(await workflow.listBudgets(query.value)) : refuse(context, query.error);
  });

  app.post(budgetRoutes.all, async (context) => {
    const body = await decodeBody(context, budgetBody);
    if (!body.ok) return refuse(context, body.error);
    return answer(context, await workflow.setBudget(body.value, context.var.actor));
  });

  app.delete(budgetRoutes.one, async (context) =>
    answerDone(context, await workflow.deleteBudget(context.req.param('id'), context.var.actor)),
  );
};
