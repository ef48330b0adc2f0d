import { artifactEditBody, artifactRoutes, newArtifactBody } from '@attractor/api';
import { answer, answerDone, found, refuse } from './answer.ts';
import type { Routes } from './context.ts';
import { decodeBody } from './decode.ts';
import { ofTask } from './tasks.ts';

export const artifactHandlers: Routes = (app, services) => {
  const { workflow } = services;

  app.get(artifactRoutes.all, (context) => ofTask(context, services, workflow.listArtifacts));

  app.get(artifactRoutes.one, async (context) => {
    const id = context.req.param('id');
    return found(context, await workflow.getArtifact(id), `artifact ${id}`);
  });

  app.post(artifactRoutes.all, async (context) => {
    const body = await decodeBody(context, newArtifactBody);
    if (!body.ok) return refuse(context, body.error);
    const command = { taskId: context.req.param('id'), ...body.value };
    return answer(context, await workflow.addArtifact(command, context.var.actor));
  });

  app.patch(artifactRoutes.one, async (context) => {
    const body = await decodeBody(context, artifactEditBody);
    if (!body.ok) return refuse(context, body.error);
    return answer(context, await workflow.updateArtifact(context.req.param('id'), body.value, context.var.actor));
  });

  app.delete(artifactRoutes.one, async (context) =>
    answerDone(context, await workflow.removeArtifact(context.req.param('id'), context.var.actor)),
  );
};
