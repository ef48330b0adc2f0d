import { once } from '@attractor/base';
import type { Attachment } from '@attractor/platform';
import { z } from 'zod';
import { doneAnswer } from './answers/done.ts';
import { list } from './answers/shape.ts';
import { attachmentAnswer } from './answers/task.ts';
import { asDone, type Done } from './done.ts';
import { ofTask } from './found.ts';
import { ask, open, type HttpOptions } from './http.ts';
import { bytes, httpRoute, route } from './route.ts';

/** Bytes are sent both ways as `application/octet-stream`; no browser ever shows one as a page. */
const at = {
  list: 'GET /api/tasks/:id/attachments',
  add: 'POST /api/tasks/:id/attachments',
  read: 'GET /api/attachments/:id',
  remove: 'DELETE /api/attachments/:id',
} as const;

/** The platform's limit for a file; the server accepts no more. */
export const ATTACHMENT_LIMIT_BYTES = 25 * 1024 * 1024;

const newAttachmentQuery = /* @__PURE__ */ once(() =>
  z.strictObject({
    name: z.string().min(1).max(255),
    mediaType: z
      .string()
      .regex(/^[\w.+-]+\/[\w.+-]+$/, 'expected a media type such as image/png')
      .max(100)
      .exactOptional(),
  }),
);

export type NewAttachmentQuery = z.infer<ReturnType<typeof newAttachmentQuery>>;

export type { Attachment } from '@attractor/platform';

export function attachmentCalls(http: HttpOptions) {
  return {
    list: (taskId: string) => ask<ReadonlyArray<Attachment>>(http, at.list, { params: { id: taskId } }),
    add: (taskId: string, file: NewAttachmentQuery & { readonly content: Uint8Array }) => {
      const { content, ...query } = file;
      return ask<Attachment>(http, at.add, { params: { id: taskId }, query, body: content });
    },
    /** The bytes, as they come. */
    read: (id: string) => open(http, at.read, { params: { id } }),
    remove: (id: string) => ask<Done>(http, at.remove, { params: { id } }),
  };
}

export const attachmentRoutes = /* @__PURE__ */ once(() => ({
  list: route(at.list, {
    about: 'list the files of a task',
    access: ['viewer', 'named'],
    answers: () => list(attachmentAnswer()),
    act: ofTask((workflow, taskId) => workflow.listAttachments(taskId)),
  }),
  add: route(at.add, {
    about: 'add a file to a task',
    access: ['operator', 'named'],
    answers: attachmentAnswer,
    query: newAttachmentQuery,
    body: bytes,
    act: ({ workflow, params, query, body, actor }) =>
      workflow.addAttachment({ taskId: params.id, content: body, ...query }, actor),
  }),
  read: httpRoute(at.read, {
    about: 'fetch the bytes of a file',
    access: ['viewer', 'named'],
    answers: { mediaType: 'application/octet-stream', about: 'the bytes of the file' },
  }),
  remove: route(at.remove, {
    about: 'remove a file from its task',
    access: ['operator', 'named'],
    answers: doneAnswer,
    act: async ({ workflow, params, actor }) => asDone(await workflow.removeAttachment(params.id, actor)),
  }),
}));
