import type { Attachment } from '@attractor/platform';
import { attachmentRoutes, type NewAttachmentQuery } from '../attachments.ts';
import type { Done } from '../done.ts';
import { exchange, get, open, remove, type HttpOptions } from '../http.ts';
import { fillPath } from '../path.ts';

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
