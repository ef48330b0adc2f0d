import { streamQuery } from '@attractor/api';
import { answer, refusal, refuse } from './answer.ts';
import type { HttpHandler } from './context.ts';
import { decodeQuery } from './decode.ts';
import { wholeIds } from './whole-ids.ts';

export const streamEvents: HttpHandler = async (context, { streams, workflow }) => {
  const said = decodeQuery(context, streamQuery);
  if (!said.ok) return refuse(context, said.error);
  const query = await wholeIds({ workflow, path: '/api/events/stream' }, said.value);
  if (!query.ok) return answer(context, query);
  const lastEventId = context.req.header('last-event-id') ?? '';
  if (!/^\d{0,15}$/.test(lastEventId)) return refusal(context, 'bad_request', 'Last-Event-ID is not a number.');
  const after = lastEventId === '' ? (query.value.after ?? 0) : Number(lastEventId);
  const outgoing = context.env?.outgoing;
  const body = streams.open({ ...query.value, after }, () => outgoing?.destroy());
  return context.body(body, 200, { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' });
};
