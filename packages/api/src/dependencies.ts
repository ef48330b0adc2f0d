import { once } from '@attractor/base';
import type { PlatformWorkflow, Task } from '@attractor/platform';
import { z } from 'zod';
import { doneAnswer } from './answers/done.ts';
import { dependenciesAnswer, dependencyGraphAnswer } from './answers/task.ts';
import { asDone, type Done } from './done.ts';
import { found, ofTask } from './found.ts';
import { ask, type HttpOptions } from './http.ts';
import { route } from './route.ts';

const at = {
  list: 'GET /api/tasks/:id/dependencies',
  add: 'POST /api/tasks/:id/dependencies',
  remove: 'DELETE /api/tasks/:id/dependencies/:other',
  graph: 'GET /api/projects/:id/dependencies',
} as const;

const newDependencyBody = /* @__PURE__ */ once(() => z.strictObject({ dependsOnId: z.string().min(1) }));

export type Dependencies = { readonly dependsOn: ReadonlyArray<Task>; readonly blocks: ReadonlyArray<Task> };

/** The tasks of a project that depend on others, or are depended on. */
export type DependencyGraph = {
  readonly tasks: ReadonlyArray<Pick<Task, 'id' | 'key' | 'title' | 'status'>>;
  readonly edges: ReadonlyArray<{ readonly taskId: string; readonly dependsOnId: string }>;
};

export function dependencyCalls(http: HttpOptions) {
  return {
    list: (taskId: string) => ask<Dependencies>(http, at.list, { params: { id: taskId } }),
    add: (taskId: string, dependsOnId: string) =>
      ask<Done>(http, at.add, { params: { id: taskId }, body: { dependsOnId } }),
    remove: (taskId: string, other: string) => ask<Done>(http, at.remove, { params: { id: taskId, other } }),
    graph: (projectId: string) => ask<DependencyGraph>(http, at.graph, { params: { id: projectId } }),
  };
}

export const dependencyRoutes = /* @__PURE__ */ once(() => ({
  list: route(at.list, {
    about: 'show which tasks a task waits for, and which wait for it',
    access: ['viewer', 'named'],
    answers: dependenciesAnswer,
    act: ofTask((workflow, taskId) => workflow.dependencies(taskId)),
  }),
  add: route(at.add, {
    about: 'let a task wait for another',
    access: ['operator', 'named'],
    answers: doneAnswer,
    body: newDependencyBody,
    act: async ({ workflow, params, body, actor }) =>
      asDone(await workflow.addDependency({ taskId: params.id, ...body }, actor)),
  }),
  remove: route(at.remove, {
    about: 'let a task no longer wait for another',
    access: ['operator', 'named'],
    answers: doneAnswer,
    act: async ({ workflow, params, actor }) =>
      asDone(await workflow.removeDependency({ taskId: params.id, dependsOnId: params.other }, actor)),
  }),
  graph: route(at.graph, {
    about: 'show which tasks of a project wait for which',
    access: ['viewer', 'named'],
    answers: dependencyGraphAnswer,
    act: async ({ workflow, params: { id } }) => {
      const project = await workflow.getProject(id);
      return found(project === null ? null : await graphOf(workflow, id), `project ${id}`);
    },
  }),
}));

async function graphOf(workflow: PlatformWorkflow, projectId: string): Promise<DependencyGraph> {
  const all = await workflow.projectDependencies(projectId);
  const nodes = new Map(all.flatMap(({ task, dependsOn }) => [task, dependsOn]).map((task) => [task.id, nodeOf(task)]));
  return {
    tasks: [...nodes.values()].toSorted((a, b) => a.id.localeCompare(b.id)),
    edges: all.map(({ task, dependsOn }) => ({ taskId: task.id, dependsOnId: dependsOn.id })),
  };
}

function nodeOf({ id, key, title, status }: Task): DependencyGraph['tasks'][number] {
  return { id, key, title, status };
}
