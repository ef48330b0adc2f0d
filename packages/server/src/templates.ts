import { templateBody, templateRoutes } from '@attractor/api';
import { answer, answerDone, found, refuse } from './answer.ts';
import type { Routes } from './context.ts';
import { decodeBody } from './decode.ts';

export const templateHandlers: Routes = (app, { workflow }) => {
  app.get(templateRoutes.all, async (context) => context.json(await workflow.listTemplates()));

  app.get(templateRoutes.one, async (context) => {
    const wanted = context.req.param('id');
    const all = await workflow.listTemplates();
    const one = all.find(({ id }) => id === wanted) ?? all.find(({ name }) => name === wanted) ?? null;
    return found(context, one, `template ${wanted}`);
  });

  app.post(templateRoutes.all, async (context) => {
    const body = await decodeBody(context, templateBody);
    if (!body.ok) return refuse(context, body.error);
    return answer(context, await workflow.saveTemplate(body.value, context.var.actor));
  });

  app.delete(templateRoutes.one, async (context) =>
    answerDone(context, await workflow.deleteTemplate(context.req.param('id'), context.var.actor)),
  );
};
