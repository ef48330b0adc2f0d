import { Readable } from 'node:stream';
import { bundleQuery } from '@attractor/api';
import { answer, refuse } from './answer.ts';
import type { HttpHandler } from './context.ts';
import { decodeQuery } from './decode.ts';
import { wholeIds } from './whole-ids.ts';

/** The file is made while it is sent; if that fails half-way the connection breaks, and what arrived has no end. */
export const downloadBundle: HttpHandler = async (context, { workflow }) => {
  const query = decodeQuery(context, bundleQuery);
  if (!query.ok) return refuse(context, query.error);
  const { projects } = context.var.caller;
  const named = await wholeIds({ workflow, path: '/api/runs', projects }, { id: context.req.param('id') ?? '' });
  if (!named.ok) return answer(context, named);
  const { id } = named.value;
  const written = await workflow.exportRun(id, { withBase: query.value.base === 'yes' });
  if (!written.ok) return answer(context, written);
  const [key] = await workflow.nameIds([id]);
  const body = Readable.toWeb(Readable.from(written.value)) as ReadableStream<Uint8Array>;
  return context.body(body, 200, {
    'content-type': 'application/gzip',
    'content-disposition': `attachment; filename="${key?.key ?? id}.jsonl.gz"`,
  });
};
