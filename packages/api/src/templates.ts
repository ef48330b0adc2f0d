import { z } from 'zod';
import { once } from './once.ts';
import { templateShape } from './task-shapes.ts';
import type { TaskTemplate } from '@attractor/platform';
import type { Done } from './done.ts';
import { get, post, remove, type HttpOptions } from './http.ts';
import { fillPath } from './path.ts';

export const templateRoutes = {
  all: '/api/templates',
  one: '/api/templates/:id',
} as const;

/** With `id` that template is changed. */
export const templateBody = /* @__PURE__ */ once(() =>
  z.strictObject({
    id: z.string().min(1).exactOptional(),
    name: z.string().trim().min(1).max(200),
    description: z.string().max(20_000).exactOptional(),
    fields: z.strictObject(templateShape()),
  }),
);

export type TemplateBody = z.infer<ReturnType<typeof templateBody>>;

export type { TaskTemplate } from '@attractor/platform';

export function templateCalls(http: HttpOptions) {
  return {
    list: () => get<ReadonlyArray<TaskTemplate>>(http, templateRoutes.all),
    /** By id or name. */
    get: (id: string) => get<TaskTemplate>(http, fillPath(templateRoutes.one, { id })),
    save: (body: TemplateBody) => post<TaskTemplate>(http, templateRoutes.all, body),
    delete: (id: string) => remove<Done>(http, fillPath(templateRoutes.one, { id })),
  };
}
