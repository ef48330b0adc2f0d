import type { TaskTemplate } from '@attractor/platform';
import type { Done } from '../done.ts';
import { get, post, remove, type HttpOptions } from '../http.ts';
import { fillPath } from '../path.ts';
import { templateRoutes, type TemplateBody } from '../templates.ts';

export function templateCalls(http: HttpOptions) {
  return {
    list: () => get<ReadonlyArray<TaskTemplate>>(http, templateRoutes.all),
    /** By id or name. */
    get: (id: string) => get<TaskTemplate>(http, fillPath(templateRoutes.one, { id })),
    save: (body: TemplateBody) => post<TaskTemplate>(http, templateRoutes.all, body),
    delete: (id: string) => remove<Done>(http, fillPath(templateRoutes.one, { id })),
  };
}
