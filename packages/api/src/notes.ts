import { z } from 'zod';
import { once } from './once.ts';
import type { TaskNote } from '@attractor/platform';
import { get, post, type HttpOptions } from './http.ts';
import { fillPath } from './path.ts';

export const noteRoutes = {
  all: '/api/tasks/:id/notes',
} as const;

export const newNoteBody = /* @__PURE__ */ once(() => z.strictObject({ text: z.string().trim().min(1).max(50_000) }));

export type { TaskNote } from '@attractor/platform';

export function noteCalls(http: HttpOptions) {
  return {
    list: (taskId: string) => get<ReadonlyArray<TaskNote>>(http, fillPath(noteRoutes.all, { id: taskId })),
    add: (taskId: string, text: string) => post<TaskNote>(http, fillPath(noteRoutes.all, { id: taskId }), { text }),
  };
}
