import { done, once } from '@attractor/base';
import type { AgentRun, CheckResult, PlatformWorkflow } from '@attractor/platform';
import { checkAnswer, runCheckAnswer } from './answers/run.ts';
import { list } from './answers/shape.ts';
import { found, ofTask } from './found.ts';
import { ask, type HttpOptions } from './http.ts';
import { route } from './route.ts';
import { emptyRunView, runView } from './views/run.ts';

const at = {
  ofTask: 'GET /api/tasks/:id/checks',
  run: 'POST /api/tasks/:id/checks',
  ofRun: 'GET /api/runs/:id/checks',
} as const;

/** A result with the run that it belongs to; the newest of each check and side of that run. */
export type RunCheck = CheckResult & { readonly runId: AgentRun['id']; readonly mode: AgentRun['mode'] };

export function checkCalls(http: HttpOptions) {
  return {
    ofTask: (id: string) => ask<ReadonlyArray<RunCheck>>(http, at.ofTask, { params: { id } }),
    /** Returns when the last of them ended. */
    run: (taskId: string) => ask<ReadonlyArray<CheckResult>>(http, at.run, { params: { id: taskId } }),
    ofRun: (id: string) => ask<ReadonlyArray<RunCheck>>(http, at.ofRun, { params: { id } }),
  };
}

export const checkRoutes = /* @__PURE__ */ once(() => ({
  ofTask: route(at.ofTask, {
    about: 'list the results of the checks of a task, run by run',
    access: ['viewer', 'named'],
    answers: () => list(runCheckAnswer()),
    act: ofTask(async (workflow, taskId) => {
      const runs = (await workflow.listRuns({ taskId })).toSorted((a, b) => (a.id < b.id ? -1 : 1));
      const checks = await Promise.all(runs.map((run) => checksOf(workflow, run)));
      return checks.flat();
    }),
  }),
  run: route(at.run, {
    about: 'run the checks of a task now',
    access: ['operator', 'named'],
    answers: () => list(checkAnswer()),
    act: ({ workflow, params, actor }) => workflow.runChecks(params.id, actor),
  }),
  ofRun: route(at.ofRun, {
    about: 'list the results of the checks of a run',
    access: ['viewer', 'named'],
    answers: () => list(runCheckAnswer()),
    act: async ({ workflow, params: { id } }) => {
      const run = found(await workflow.getRun(id), `run ${id}`);
      return run.ok ? done(await checksOf(workflow, run.value)) : run;
    },
  }),
}));

/** A closed run keeps its checks; those of a running one are in the log. */
async function checksOf(workflow: PlatformWorkflow, run: AgentRun): Promise<ReadonlyArray<RunCheck>> {
  const events = await workflow.events({ runId: run.id, type: 'run.check_finished' });
  const view = runView.foldAll({ ...emptyRunView(run.id), run }, events);
  const checks = run.checks.length > 0 ? run.checks : view.checks;
  return checks.map((check) => ({ ...check, runId: run.id, mode: run.mode }));
}
