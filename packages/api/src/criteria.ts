import { defined, once } from '@attractor/base';
import type { Criterion } from '@attractor/platform';
import { z } from 'zod';
import { criterionAnswer } from './answers/criterion.ts';
import { list } from './answers/shape.ts';
import { ask, type HttpOptions } from './http.ts';
import { route } from './route.ts';

const at = {
  list: 'GET /api/tasks/:id/criteria',
  mark: 'POST /api/tasks/:id/criteria',
  verify: 'POST /api/tasks/:id/criteria/verify',
} as const;

/** Null takes the decision back: then what was claimed counts. */
const markBody = /* @__PURE__ */ once(() =>
  z.strictObject({
    number: z.number().int().min(1),
    isMet: z.boolean().nullable(),
    note: z.string().max(5_000).exactOptional(),
  }),
);

export type MarkBody = z.infer<ReturnType<typeof markBody>>;

export type { Criterion } from '@attractor/platform';
export { criterionLine } from '@attractor/store/types';

type Criteria = ReadonlyArray<Criterion>;

export function criterionCalls(http: HttpOptions) {
  return {
    list: (taskId: string) => ask<Criteria>(http, at.list, { params: { id: taskId } }),
    mark: (taskId: string, body: MarkBody) => ask<Criteria>(http, at.mark, { params: { id: taskId }, body }),
    verify: (taskId: string) => ask<Criteria>(http, at.verify, { params: { id: taskId } }),
  };
}

export const criterionRoutes = /* @__PURE__ */ once(() => ({
  list: route(at.list, {
    about: 'list the acceptance criteria of a task, how each stands, and what shows it',
    access: ['viewer', 'named'],
    answers: () => list(criterionAnswer()),
    act: ({ workflow, params }) => workflow.criteria(params.id),
  }),
  mark: route(at.mark, {
    about: 'decide that an acceptance criterion is met, or that it is not',
    access: ['operator', 'named'],
    answers: () => list(criterionAnswer()),
    body: markBody,
    act: ({ workflow, params, body: { note, ...body }, actor }) =>
      workflow.markCriterion({ taskId: params.id, ...body, ...defined({ note }) }, actor),
  }),
  verify: route(at.verify, {
    about: 'hold the evidence for the acceptance criteria against the branch as it is now',
    access: ['operator', 'named'],
    answers: () => list(criterionAnswer()),
    act: ({ workflow, params, actor }) => workflow.verifyCriteria(params.id, actor),
  }),
}));
