import { attachmentRoutes, newAttachmentQuery } from '@attractor/api';
import { answer, answerDone, refuse } from './answer.ts';
import type { Routes } from './context.ts';
import { decodeQuery } from './decode.ts';
import { ofTask } from './tasks.ts';

export const attachmentHandlers: Routes = (app, services) => {
  const { workflow } = services;

  app.get(attachmentRoutes.all, (context) => ofTask(context, services, workflow.listAttachments));

  app.post(attachmentRoutes.all, async (context) => {
    const query = decodeQuery(context, newAttachmentQuery);
    if (!query.ok) return refuse(context, query.error);
    const content = new Uint8Array(await context.req.arrayBuffer());
    const command = { taskId: context.req.param('id'), content, ...query.value };
    return answer(context, await workflow.addAttachment(command, context.var.actor));
  });

  app.get(attachmentRoutes.one, async (context) => {
    const read = await workflow.readAttachment(context.req.param('id'));
    if (!read.ok) return answer(context, read);
    const { attachment, content } = read.value;
    return context.body(Uint8Array.from(content), 200, downloadHeaders(attachment.name));
  });

  app.delete(attachmentRoutes.one, async (context) =>
    answerDone(context, await workflow.removeAttachment(context.req.param('id'), context.var.actor)),
  );
};

/** Whatever the file claims to be, a browser saves it; that it does not guess at the type is said with every answer. */
function downloadHeaders(name: string): Record<string, string> {
  const encoded = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  );
  return {
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename*=UTF-8''${encoded}`,
  };
}
