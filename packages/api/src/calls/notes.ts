import type { TaskNote } from '@attractor/platform';
import { get, post, type HttpOptions } from '../http.ts';
import { noteRoutes } from '../notes.ts';
import { fillPath } from '../path.ts';

export function noteCalls(http: HttpOptions) {
  return {
    list: (taskId: string) => get<ReadonlyArray<TaskNote>>(http, fillPath(noteRoutes.all, { id: taskId })),
    add: (taskId: string, text: string) => post<TaskNote>(http, fillPath(noteRoutes.all, { id: taskId }), { text }),
  };
}
