import { once } from '@attractor/base';
import { RUN_MODES } from '@attractor/facts';
import type { AttemptGroup } from '@attractor/platform';
import { z } from 'zod';
import { attemptsAnswer } from './answers/run.ts';
import { list } from './answers/shape.ts';
import { found, ofTask } from './found.ts';
import { ask, type HttpOptions } from './http.ts';
import { route } from './route.ts';

const at = {
  list: 'GET /api/tasks/:id/attempts',
  start: 'POST /api/tasks/:id/attempts',
  get: 'GET /api/attempts/:id',
  cancel: 'POST /api/attempts/:id/cancel',
  choose: 'POST /api/attempts/:id/choose',
} as const;

/** One attempt for each entry of `attempts`, or `n` identical ones. */
const attemptsBody = /* @__PURE__ */ once(() =>
  z.strictObject({
    mode: z.enum(RUN_MODES).exactOptional(),
    attempts: z
      .array(z.strictObject({ agentType: z.string().min(1).exactOptional(), model: z.string().min(1).exactOptional() }))
      .min(2)
      .max(10)
      .readonly()
      .exactOptional(),
    n: z.number().int().min(2).max(10).exactOptional(),
  }),
);

const chooseBody = /* @__PURE__ */ once(() => z.strictObject({ runId: z.string().min(1) }));

export type AttemptsBody = z.infer<ReturnType<typeof attemptsBody>>;

export type { AttemptGroup } from '@attractor/platform';

export function attemptCalls(http: HttpOptions) {
  return {
    list: (taskId: string) => ask<ReadonlyArray<AttemptGroup>>(http, at.list, { params: { id: taskId } }),
    start: (taskId: string, body: AttemptsBody) => ask<AttemptGroup>(http, at.start, { params: { id: taskId }, body }),
    get: (id: string) => ask<AttemptGroup>(http, at.get, { params: { id } }),
    cancel: (id: string) => ask<AttemptGroup>(http, at.cancel, { params: { id } }),
    choose: (id: string, runId: string) => ask<AttemptGroup>(http, at.choose, { params: { id }, body: { runId } }),
  };
}

export const attemptRoutes = /* @__PURE__ */ once(() => ({
  list: route(at.list, {
    about: 'list the groups of attempts at a task',
    access: ['viewer', 'named'],
    answers: () => list(attemptsAnswer()),
    act: ofTask((workflow, taskId) => workflow.listAttempts(taskId)),
  }),
  start: route(at.start, {
    about: 'let several agents try the same task',
    access: ['operator', 'named'],
    answers: attemptsAnswer,
    body: attemptsBody,
    act: ({ workflow, params, body, actor }) => workflow.startAttempts({ taskId: params.id, ...body }, actor),
  }),
  get: route(at.get, {
    about: 'show a group of attempts',
    access: ['viewer', 'named'],
    answers: attemptsAnswer,
    act: async ({ workflow, params: { id } }) => found(await workflow.getAttempts(id), `group of attempts ${id}`),
  }),
  cancel: route(at.cancel, {
    about: 'stop the attempts of a group',
    access: ['operator', 'named'],
    answers: attemptsAnswer,
    act: ({ workflow, params, actor }) => workflow.cancelAttempts(params.id, actor),
  }),
  choose: route(at.choose, {
    about: 'choose another attempt than the checks did',
    access: ['operator', 'named'],
    answers: attemptsAnswer,
    body: chooseBody,
    act: ({ workflow, params, body, actor }) =>
      workflow.chooseAttempt({ groupId: params.id, runId: body.runId }, actor),
  }),
}));
