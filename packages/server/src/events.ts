import { streamQuery } from '@attractor/api';
import type { Context } from 'hono';
import { answer, refusal, refuse } from './answer.ts';
import { recognise } from './caller.ts';
import type { Env, HttpHandler, Services } from './context.ts';
import { decodeQuery } from './decode.ts';
import { wholeIds } from './whole-ids.ts';

export const streamEvents: HttpHandler = async (context, services) => {
  const said = decodeQuery(context, streamQuery);
  if (!said.ok) return refuse(context, said.error);
  const { streams, workflow } = services;
  const { caller } = context.var;
  const query = await wholeIds({ workflow, path: '/api/events/stream', projects: caller.projects }, said.value);
  if (!query.ok) return answer(context, query);
  const lastEventId = context.req.header('last-event-id') ?? '';
  if (!/^\d{0,15}$/.test(lastEventId)) return refusal(context, 'bad_request', 'Last-Event-ID is not a number.');
  const after = lastEventId === '' ? (query.value.after ?? 0) : Number(lastEventId);
  const outgoing = context.env?.outgoing;
  const body = streams.open(
    { ...query.value, after },
    {
      workflow,
      projects: caller.projects,
      isStillAllowed: () => isStillAllowed(context, services),
      destroy: () => outgoing?.destroy(),
    },
  );
  return context.body(body, 200, { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' });
};

/** The session, the key or the user may have ended since, or may see less than when the stream began. */
async function isStillAllowed(context: Context<Env>, services: Services): Promise<boolean> {
  const before = context.var.caller;
  const now = await recognise(context, services);
  return now !== null && JSON.stringify(now.caller.projects) === JSON.stringify(before.projects);
}
