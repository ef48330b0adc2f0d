import { attemptRoutes, attemptsBody } from '@attractor/api';
import { answer, found, refuse } from './answer.ts';
import type { Routes } from './context.ts';
import { decodeBody } from './decode.ts';

export const attemptHandlers: Routes = (app, { workflow }) => {
  app.get(attemptRoutes.ofTask, async (context) => {
    const id = context.req.param('id');
    if ((await workflow.getTask(id)) === null) return found(context, null, `task ${id}`);
    return context.json(await workflow.listAttempts(id));
  });

  app.post(attemptRoutes.ofTask, async (context) => {
    const body = await decodeBody(context, attemptsBody);
    if (!body.ok) return refuse(context, body.error);
    const command = { taskId: context.req.param('id'), ...body.value };
    return answer(context, await workflow.startAttempts(command, context.var.actor));
  });

  app.get(attemptRoutes.one, async (context) => {
    const id = context.req.param('id');
    return found(context, await workflow.getAttempts(id), `group of attempts ${id}`);
  });

  app.post(attemptRoutes.cancel, async (context) =>
    answer(context, await workflow.cancelAttempts(context.req.param('id'), context.var.actor)),
  );
};
