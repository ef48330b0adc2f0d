import { z } from 'zod';
import { once } from './once.ts';
import type { Attachment } from '@attractor/platform';
import type { Done } from './done.ts';
import { exchange, get, open, remove, type HttpOptions } from './http.ts';
import { fillPath } from './path.ts';

/** Bytes go up and come down as `application/octet-stream`; no browser ever shows one as a page. */
export const attachmentRoutes = {
  all: '/api/tasks/:id/attachments',
  one: '/api/attachments/:id',
} as const;

/** The platform allows so much for a file; the server lets no more in. */
export const ATTACHMENT_LIMIT_BYTES = 25 * 1024 * 1024;

export const newAttachmentQuery = /* @__PURE__ */ once(() =>
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
    list: (taskId: string) => get<ReadonlyArray<Attachment>>(http, fillPath(attachmentRoutes.all, { id: taskId })),
    add: (taskId: string, file: NewAttachmentQuery & { readonly content: Uint8Array }) => {
      const { content, ...query } = file;
      const path = fillPath(attachmentRoutes.all, { id: taskId }, query);
      return exchange<Attachment>(http, { method: 'POST', path, body: content });
    },
    /** The bytes, as they come. */
    read: (id: string) => open(http, { method: 'GET', path: fillPath(attachmentRoutes.one, { id }) }),
    remove: (id: string) => remove<Done>(http, fillPath(attachmentRoutes.one, { id })),
  };
}
