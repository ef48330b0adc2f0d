import { checkRoutes, emptyRunView, runView, type RunCheck } from '@attractor/api';
import type { AgentRun, PlatformWorkflow } from '@attractor/platform';
import { answer, found } from './answer.ts';
import type { Routes } from './context.ts';

export const checkHandlers: Routes = (app, { workflow }) => {
  app.get(checkRoutes.ofRun, async (context) => {
    const id = context.req.param('id');
    const run = await workflow.getRun(id);
    return run === null ? found(context, null, `run ${id}`) : context.json(await checksOf(workflow, run));
  });

  app.post(checkRoutes.ofTask, async (context) =>
    answer(context, await workflow.runChecks(context.req.param('id'), context.var.actor)),
  );

  app.get(checkRoutes.ofTask, async (context) => {
    const id = context.req.param('id');
    if ((await workflow.getTask(id)) === null) return found(context, null, `task ${id}`);
    const runs = (await workflow.listRuns({ taskId: id })).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const checks = await Promise.all(runs.map((run) => checksOf(workflow, run)));
    return context.json(checks.flat());
  });
};

/** A run that is closed keeps its checks; those of one under way stand in the log. */
async function checksOf(workflow: PlatformWorkflow, run: AgentRun): Promise<ReadonlyArray<RunCheck>> {
  const events = await workflow.events({ runId: run.id, type: 'run.check_finished' });
  const view = runView.foldAll({ ...emptyRunView(run.id), run }, events);
  const checks = run.checks.length > 0 ? run.checks : view.checks;
  return checks.map((check) => ({ ...check, runId: run.id, mode: run.mode }));
}
