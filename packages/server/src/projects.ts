import { defined } from '@attractor/base';
import {
  activityQuery,
  newProjectBody,
  projectEditBody,
  projectRoutes,
  trustBody,
  type ProjectInfo,
} from '@attractor/api';
import type { PlatformWorkflow, Project } from '@attractor/platform';
import { answer, found, refuse } from './answer.ts';
import type { Routes } from './context.ts';
import { decodeBody, decodeQuery } from './decode.ts';

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

  app.patch(projectRoutes.one, async (context) => {
    const body = await decodeBody(context, projectEditBody);
    if (!body.ok) return refuse(context, body.error);
    return answer(context, await workflow.updateProject(context.req.param('id'), body.value, context.var.actor));
  });

  app.delete(projectRoutes.one, async (context) =>
    answer(context, await workflow.deleteProject(context.req.param('id'), context.var.actor)),
  );

  app.get(projectRoutes.info, async (context) => {
    const id = context.req.param('id');
    const project = await workflow.getProject(id);
    return found(context, project === null ? null : await infoOf(workflow, project), `project ${id}`);
  });

  app.get(projectRoutes.activity, async (context) => {
    const query = decodeQuery(context, activityQuery);
    if (!query.ok) return refuse(context, query.error);
    const projectId = context.req.param('id');
    if ((await workflow.getProject(projectId)) === null) return found(context, null, `project ${projectId}`);
    return context.json(await workflow.activity({ projectId, ...query.value }));
  });
};

async function infoOf(workflow: PlatformWorkflow, project: Project): Promise<ProjectInfo> {
  const [running, pending, tasks] = await Promise.all([
    workflow.listRuns({ projectId: project.id, status: 'running' }),
    workflow.listPrompts({ status: 'pending' }),
    countTasks(workflow, project.id),
  ]);
  const own = new Set(tasks.ids);
  return {
    project,
    tasks: tasks.byStatus,
    runningRuns: running.length,
    pendingPrompts: pending.filter(({ taskId }) => own.has(taskId)).length,
  };
}

const PAGE = 1000;

async function countTasks(workflow: PlatformWorkflow, projectId: string) {
  const byStatus: Record<string, number> = {};
  const ids: string[] = [];
  for (;;) {
    const before = ids.at(-1);
    const page = await workflow.listTasks({ projectId, limit: PAGE, ...defined({ before }) });
    for (const { id, status } of page) {
      ids.push(id);
      byStatus[status] = (byStatus[status] ?? 0) + 1;
    }
    if (page.length < PAGE) return { byStatus, ids };
  }
}
