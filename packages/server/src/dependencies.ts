import { defined } from '@attractor/base';
import { dependencyRoutes, newDependencyBody, type DependencyGraph } from '@attractor/api';
import type { PlatformWorkflow, Task } from '@attractor/platform';
import { answerDone, found, refuse } from './answer.ts';
import type { Routes } from './context.ts';
import { decodeBody } from './decode.ts';
import { ofTask } from './tasks.ts';

export const dependencyHandlers: Routes = (app, services) => {
  const { workflow } = services;

  app.get(dependencyRoutes.all, (context) => ofTask(context, services, workflow.dependencies));

  app.post(dependencyRoutes.all, async (context) => {
    const body = await decodeBody(context, newDependencyBody);
    if (!body.ok) return refuse(context, body.error);
    const command = { taskId: context.req.param('id'), ...body.value };
    return answerDone(context, await workflow.addDependency(command, context.var.actor));
  });

  app.delete(dependencyRoutes.one, async (context) => {
    const command = { taskId: context.req.param('id'), dependsOnId: context.req.param('other') };
    return answerDone(context, await workflow.removeDependency(command, context.var.actor));
  });

  app.get(dependencyRoutes.graph, async (context) => {
    const id = context.req.param('id');
    const project = await workflow.getProject(id);
    return found(context, project === null ? null : await graphOf(workflow, id), `project ${id}`);
  });
};

const PAGE = 1000;

async function graphOf(workflow: PlatformWorkflow, projectId: string): Promise<DependencyGraph> {
  const edges: Array<DependencyGraph['edges'][number]> = [];
  const tasks = new Map<string, DependencyGraph['tasks'][number]>();
  let before: string | undefined;
  for (;;) {
    const page = await workflow.listTasks({ projectId, limit: PAGE, ...defined({ before }) });
    for (const task of page) {
      const { dependsOn } = await workflow.dependencies(task.id);
      for (const node of dependsOn.length === 0 ? [] : [task, ...dependsOn]) tasks.set(node.id, nodeOf(node));
      edges.push(...dependsOn.map(({ id }) => ({ taskId: task.id, dependsOnId: id })));
    }
    before = page.at(-1)?.id;
    if (page.length < PAGE) return { tasks: [...tasks.values()].toSorted((a, b) => a.id.localeCompare(b.id)), edges };
  }
}

function nodeOf({ id, title, status }: Task): DependencyGraph['tasks'][number] {
  return { id, title, status };
}
