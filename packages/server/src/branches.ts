import { branchRoutes, phaseQuery } from '@attractor/api';
import type { OfTask } from '@attractor/platform';
import type { Context } from 'hono';
import { answer, found, refuse } from './answer.ts';
import type { Env, Routes } from './context.ts';
import { decodeQuery } from './decode.ts';

export const branchHandlers: Routes = (app, { workflow }) => {
  app.get(
    branchRoutes.state,
    onTask(async (of, context) => answer(context, await workflow.branchState(of))),
  );

  app.get(
    branchRoutes.diff,
    onTask(async (of, context) => answer(context, await workflow.diff(of))),
  );

  app.post(
    branchRoutes.push,
    onTask(async (of, context) => answer(context, await workflow.pushBranch(of, context.var.actor))),
  );

  app.post(
    branchRoutes.rebase,
    onTask(async (of, context) => answer(context, await workflow.rebase(of, context.var.actor))),
  );

  app.post(
    branchRoutes.merge,
    onTask(async (of, context) => answer(context, await workflow.mergePullRequest(of, context.var.actor))),
  );

  app.get(branchRoutes.effects, async (context) => {
    const id = context.req.param('id');
    if ((await workflow.getTask(id)) === null) return found(context, null, `task ${id}`);
    return context.json(await workflow.listEffects(id));
  });
};

function onTask(handle: (of: OfTask, context: Context<Env>) => Promise<Response>) {
  return async (context: Context<Env>): Promise<Response> => {
    const query = decodeQuery(context, phaseQuery);
    if (!query.ok) return refuse(context, query.error);
    return handle({ taskId: context.req.param('id') ?? '', ...query.value }, context);
  };
}
