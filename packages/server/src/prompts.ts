import { answerBody, promptQuery, promptRoutes } from '@attractor/api';
import { answer, found, refuse } from './answer.ts';
import type { Routes } from './context.ts';
import { decodeBody, decodeQuery } from './decode.ts';

export const promptHandlers: Routes = (app, { workflow }) => {
  app.get(promptRoutes.all, async (context) => {
    const query = decodeQuery(context, promptQuery);
    return query.ok ? context.json(await workflow.listPrompts(query.value)) : refuse(context, query.error);
  });

  app.get(promptRoutes.one, async (context) => {
    const id = context.req.param('id');
    return found(context, await workflow.getPrompt(id), `question ${id}`);
  });

  app.post(promptRoutes.answer, async (context) => {
    const body = await decodeBody(context, answerBody);
    if (!body.ok) return refuse(context, body.error);
    const command = { promptId: context.req.param('id'), ...body.value };
    return answer(context, await workflow.answerPrompt(command, context.var.actor));
  });
};
