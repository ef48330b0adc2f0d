import { newNoteBody, noteRoutes } from '@attractor/api';
import { answer, refuse } from './answer.ts';
import type { Routes } from './context.ts';
import { decodeBody } from './decode.ts';
import { ofTask } from './tasks.ts';

export const noteHandlers: Routes = (app, services) => {
  const { workflow } = services;

  app.get(noteRoutes.all, (context) => ofTask(context, services, workflow.listNotes));

  app.post(noteRoutes.all, async (context) => {
    const body = await decodeBody(context, newNoteBody);
    if (!body.ok) return refuse(context, body.error);
    const command = { taskId: context.req.param('id'), ...body.value };
    return answer(context, await workflow.addNote(command, context.var.actor));
  });
};
