import { answer } from './answer.ts';
import type { HttpHandler } from './context.ts';
import { wholeIds } from './whole-ids.ts';

export const downloadAttachment: HttpHandler = async (context, { workflow }) => {
  const named = await wholeIds(
    { workflow, path: '/api/attachments', projects: context.var.caller.projects },
    { id: context.req.param('id') ?? '' },
  );
  if (!named.ok) return answer(context, named);
  const read = await workflow.readAttachment(named.value.id);
  if (!read.ok) return answer(context, read);
  const { attachment, content } = read.value;
  return context.body(Uint8Array.from(content), 200, downloadHeaders(attachment.name));
};

/** Whatever the file claims to be, a browser saves it; every answer forbids guessing the type. */
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
