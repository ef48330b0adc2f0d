import { healthRoutes, type StatusView } from '@attractor/api';
import { answer } from './answer.ts';
import type { Routes } from './context.ts';

export const healthHandlers: Routes = (app, { workflow }) => {
  app.get(healthRoutes.status, async (context) => {
    const [running, waiting, queue, limits, health] = await Promise.all([
      workflow.listRuns({ status: 'running' }),
      workflow.listPrompts({ status: 'pending' }),
      workflow.queueState({ limit: 0 }),
      workflow.providerLimits(),
      workflow.health(),
    ]);
    const { isPaused, running: busy, queued } = queue;
    const view: StatusView = { running, waiting, queue: { isPaused, running: busy, queued }, limits, health };
    return context.json(view);
  });

  app.post(healthRoutes.supervise, async (context) => answer(context, await workflow.superviseOnce()));

  app.get(healthRoutes.disk, async (context) => answer(context, await workflow.diskUsage()));

  app.get(healthRoutes.limits, async (context) => context.json(await workflow.providerLimits()));

  app.post(healthRoutes.lift, async (context) =>
    answer(context, await workflow.liftLimit(context.req.param('account'), context.var.actor)),
  );
};
