import { newTaskBody, startRunBody, taskQuery, taskRoutes, transitionBody } from '@attractor/api';
import { answer, found, refuse } from './answer.ts';
import type { Routes } from './context.ts';
import { decodeBody, decodeQuery } from './decode.ts';

export const taskHandlers: Routes = (app, { workflow }) => {
  app.get(taskRoutes.all, async (context) => {
    const query = decodeQuery(context, taskQuery);
    return query.ok ? context.json(await workflow.listTasks(query.value)) : refuse(context, query.error);
  });

  app.get(taskRoutes.one, async (context) => {
    const id = context.req.param('id');
    return found(context, await workflow.getTask(id), `task ${id}`);
  });

  app.get(taskRoutes.transitions, async (context) =>
    context.json(await workflow.validTransitions(context.req.param('id'))),
  );

  app.get(taskRoutes.artifacts, async (context) => context.json(await workflow.listArtifacts(context.req.param('id'))));

  app.post(taskRoutes.all, async (context) => {
    const body = await decodeBody(context, newTaskBody);
    if (!body.ok) return refuse(context, body.error);
    return answer(context, await workflow.createTask(body.value, context.var.actor));
  });

  app.post(taskRoutes.transitions, async (context) => {
    const body = await decodeBody(context, transitionBody);
    if (!body.ok) return refuse(context, body.error);
    const command = { taskId: context.req.param('id'), ...body.value };
    return answer(context, await workflow.transition(command, context.var.actor));
  });

  app.post(taskRoutes.runs, async (context) => {
    const body = await decodeBody(context, startRunBody);
    if (!body.ok) return refuse(context, body.error);
    const command = { taskId: context.req.param('id'), ...body.value };
    return answer(context, await workflow.startAgent(command, context.var.actor));
  });
};
