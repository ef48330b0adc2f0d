import { done, once } from '@attractor/base';
import type { TaskTemplate } from '@attractor/platform';
import { z } from 'zod';
import { doneAnswer } from './answers/done.ts';
import { list } from './answers/shape.ts';
import { templateAnswer } from './answers/template.ts';
import { asDone, type Done } from './done.ts';
import { found } from './found.ts';
import { givenName } from './given-name.ts';
import { ask, type HttpOptions } from './http.ts';
import { route } from './route.ts';
import { templateShape } from './task-shapes.ts';

const at = {
  list: 'GET /api/templates',
  get: 'GET /api/templates/:id',
  save: 'POST /api/templates',
  delete: 'DELETE /api/templates/:id',
} as const;

/** With `id` that template is changed. */
const templateBody = /* @__PURE__ */ once(() =>
  z.strictObject({
    id: z.string().min(1).exactOptional(),
    name: givenName(200),
    description: z.string().max(20_000).exactOptional(),
    fields: z.strictObject(templateShape()),
  }),
);

export type TemplateBody = z.infer<ReturnType<typeof templateBody>>;

export type { TaskTemplate } from '@attractor/platform';

export function templateCalls(http: HttpOptions) {
  return {
    list: () => ask<ReadonlyArray<TaskTemplate>>(http, at.list),
    /** By id or name. */
    get: (id: string) => ask<TaskTemplate>(http, at.get, { params: { id } }),
    save: (body: TemplateBody) => ask<TaskTemplate>(http, at.save, { body }),
    delete: (id: string) => ask<Done>(http, at.delete, { params: { id } }),
  };
}

export const templateRoutes = /* @__PURE__ */ once(() => ({
  list: route(at.list, {
    about: 'list templates of tasks',
    access: ['viewer', 'shared'],
    answers: () => list(templateAnswer()),
    act: async ({ workflow }) => done(await workflow.listTemplates()),
  }),
  get: route(at.get, {
    about: 'show a template, by id or name',
    access: ['viewer', 'shared'],
    answers: templateAnswer,
    act: async ({ workflow, params }) => {
      const all = await workflow.listTemplates();
      const one = all.find(({ id }) => id === params.id) ?? all.find(({ name }) => name === params.id) ?? null;
      return found(one, `template ${params.id}`);
    },
  }),
  save: route(at.save, {
    about: 'make a template or change it',
    access: ['admin', 'every'],
    answers: templateAnswer,
    body: templateBody,
    act: ({ workflow, body, actor }) => workflow.saveTemplate(body, actor),
  }),
  delete: route(at.delete, {
    about: 'remove a template',
    access: ['admin', 'every'],
    answers: doneAnswer,
    act: async ({ workflow, params, actor }) => asDone(await workflow.deleteTemplate(params.id, actor)),
  }),
}));
