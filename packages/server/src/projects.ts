import { newProjectBody, projectRoutes, trustBody } from '@attractor/api';
import { answer, found, refuse } from './answer.ts';
import type { Routes } from './context.ts';
import { decodeBody } from './decode.ts';

export const projectHandlers: Routes = (app, { workflow }) => {
  app.get(projectRoutes.all, async (context) => context.json(await workflow.listProjects()));

  app.get(projectRoutes.one, async (context) => {
    const id = context.req.param('id');
    return found(context, await workflow.getProject(id), `project ${id}`);
  });

  app.post(projectRoutes.all, async (context) => {
    const body = await decodeBody(context, newProjectBody);
    if (!body.ok) return refuse(context, body.error);
    return answer(context, await workflow.createProject(body.value, context.var.actor));
  });

  app.post(projectRoutes.trust, async (context) => {
    const body = await decodeBody(context, trustBody);
    if (!body.ok) return refuse(context, body.error);
    return answer(context, await workflow.trustConfig(context.req.param('id'), body.value.hash, context.var.actor));
  });
};
