import { defined } from '@attractor/base';
import {
  bulkDeleteBody,
  bulkUpdateBody,
  failure,
  newTaskBody,
  placeBody,
  startRunBody,
  taskEditBody,
  taskPageQuery,
  taskQuery,
  taskRoutes,
  transitionBody,
} from '@attractor/api';
import type { PlatformWorkflow } from '@attractor/platform';
import type { Context } from 'hono';
import { answer, answerDone, found, refuse } from './answer.ts';
import type { Env, Routes, Services } from './context.ts';
import { decodeBody, decodeQuery } from './decode.ts';

export const taskHandlers: Routes = (app, services) => {
  const { workflow } = services;

  app.get(taskRoutes.all, async (context) => {
    const query = decodeQuery(context, taskQuery);
    if (!query.ok) return refuse(context, query.error);
    const tasks = await workflow.listTasks(query.value);
    const unknown = tasks.length > 0 ? null : await unknownStatus(workflow, query.value.status ?? []);
    return unknown === null ? context.json(tasks) : refuse(context, failure('invalid', unknown));
  });

  app.get(taskRoutes.page, async (context) => {
    const query = decodeQuery(context, taskPageQuery);
    return query.ok ? context.json(await workflow.pageTasks(query.value)) : refuse(context, query.error);
  });

  app.get(taskRoutes.one, async (context) => {
    const id = context.req.param('id');
    return found(context, await workflow.getTask(id), `task ${id}`);
  });

  app.post(taskRoutes.all, async (context) => {
    const body = await decodeBody(context, newTaskBody);
    if (!body.ok) return refuse(context, body.error);
    return answer(context, await workflow.createTask(body.value, context.var.actor));
  });

  app.patch(taskRoutes.one, async (context) => {
    const body = await decodeBody(context, taskEditBody);
    if (!body.ok) return refuse(context, body.error);
    const { version, ...edit } = body.value;
    const command = { taskId: context.req.param('id'), edit, ...defined({ version }) };
    return answer(context, await workflow.updateTask(command, context.var.actor));
  });

  app.delete(taskRoutes.one, async (context) =>
    answerDone(context, await workflow.deleteTask({ taskId: context.req.param('id') }, context.var.actor)),
  );

  app.post(taskRoutes.bulkUpdate, async (context) => {
    const body = await decodeBody(context, bulkUpdateBody);
    if (!body.ok) return refuse(context, body.error);
    return answer(context, await workflow.bulkUpdate(body.value, context.var.actor));
  });

  app.post(taskRoutes.bulkDelete, async (context) => {
    const body = await decodeBody(context, bulkDeleteBody);
    if (!body.ok) return refuse(context, body.error);
    return answer(context, await workflow.bulkDelete(body.value.taskIds, context.var.actor));
  });

  moveHandlers(app, services);
};

/** Nothing found for a status that no pipeline has is a slip of the pen, not an empty list. */
async function unknownStatus(workflow: PlatformWorkflow, wanted: ReadonlyArray<string>): Promise<string | null> {
  if (wanted.length === 0) return null;
  const known = new Set((await workflow.listPipelines()).flatMap(({ statuses }) => statuses.map(({ id }) => id)));
  const unknown = wanted.find((status) => !known.has(status));
  return unknown === undefined ? null : `No pipeline has a status "${unknown}"; there are ${[...known].join(', ')}.`;
}

const moveHandlers: Routes = (app, services) => {
  const { workflow } = services;

  app.get(taskRoutes.transitions, (context) => ofTask(context, services, workflow.validTransitions));
  app.get(taskRoutes.history, (context) => ofTask(context, services, workflow.history));
  app.get(taskRoutes.phases, (context) => ofTask(context, services, workflow.listPhases));

  app.post(taskRoutes.transitions, async (context) => {
    const body = await decodeBody(context, transitionBody);
    if (!body.ok) return refuse(context, body.error);
    const command = { taskId: context.req.param('id'), ...body.value };
    return answer(context, await workflow.transition(command, context.var.actor));
  });

  app.post(taskRoutes.place, async (context) => {
    const body = await decodeBody(context, placeBody);
    if (!body.ok) return refuse(context, body.error);
    const command = { taskId: context.req.param('id'), ...body.value };
    return answer(context, await workflow.reorderTask(command, context.var.actor));
  });

  app.post(taskRoutes.runs, async (context) => {
    const body = await decodeBody(context, startRunBody);
    if (!body.ok) return refuse(context, body.error);
    const command = { taskId: context.req.param('id'), ...body.value };
    return answer(context, await workflow.startAgent(command, context.var.actor));
  });
};

/** What belongs to a task. A task that does not exist is refused rather than answered with an empty list. */
export async function ofTask(
  context: Context<Env, string>,
  { workflow }: Services,
  read: (taskId: string) => Promise<object>,
): Promise<Response> {
  const id = context.req.param('id') ?? '';
  const task = await workflow.getTask(id);
  return found(context, task === null ? null : await read(id), `task ${id}`);
}
