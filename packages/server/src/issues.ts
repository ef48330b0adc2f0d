import { importIssuesBody, issueRoutes } from '@attractor/api';
import { answer, refuse } from './answer.ts';
import type { Routes } from './context.ts';
import { decodeBody } from './decode.ts';

export const issueHandlers: Routes = (app, { workflow }) => {
  app.get(issueRoutes.all, async (context) => answer(context, await workflow.listIssues(context.req.param('id'))));

  app.post(issueRoutes.import, async (context) => {
    const body = await decodeBody(context, importIssuesBody);
    if (!body.ok) return refuse(context, body.error);
    const command = { projectId: context.req.param('id'), ...body.value };
    return answer(context, await workflow.importIssues(command, context.var.actor));
  });
};
