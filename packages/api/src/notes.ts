import { once } from '@attractor/base';
import type { TaskNote } from '@attractor/platform';
import { z } from 'zod';
import { list } from './answers/shape.ts';
import { noteAnswer } from './answers/task.ts';
import { ofTask } from './found.ts';
import { ask, type HttpOptions } from './http.ts';
import { route } from './route.ts';

const at = { list: 'GET /api/tasks/:id/notes', add: 'POST /api/tasks/:id/notes' } as const;

const newNoteBody = /* @__PURE__ */ once(() => z.strictObject({ text: z.string().trim().min(1).max(50_000) }));

export type { TaskNote } from '@attractor/platform';

export function noteCalls(http: HttpOptions) {
  return {
    list: (taskId: string) => ask<ReadonlyArray<TaskNote>>(http, at.list, { params: { id: taskId } }),
    add: (taskId: string, text: string) => ask<TaskNote>(http, at.add, { params: { id: taskId }, body: { text } }),
  };
}

export const noteRoutes = /* @__PURE__ */ once(() => ({
  list: route(at.list, {
    about: 'list the notes of a task',
    access: ['viewer', 'named'],
    answers: () => list(noteAnswer()),
    act: ofTask((workflow, taskId) => workflow.listNotes(taskId)),
  }),
  add: route(at.add, {
    about: 'add a note to a task',
    access: ['operator', 'named'],
    answers: noteAnswer,
    body: newNoteBody,
    act: ({ workflow, params, body, actor }) => workflow.addNote({ taskId: params.id, ...body }, actor),
  }),
}));
