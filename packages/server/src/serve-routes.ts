import { bytes, type HttpRoute, type Route } from '@attractor/api';
import { done } from '@attractor/base';
import type { Context, Hono } from 'hono';
import { answer, refuse } from './answer.ts';
import type { Env, HttpHandler, Services } from './context.ts';
import { decodeBody, decodeQuery } from './decode.ts';

export type Served = {
  /** The routes of each noun, by the names of their calls. */
  readonly nouns: Readonly<Record<string, () => Readonly<Record<string, Route | HttpRoute>>>>;
  /** `events.stream`: handlers for routes that need their own. */
  readonly handlers: Readonly<Record<string, HttpHandler>>;
};

/** A handler for each route, made from its row: decode the query, decode the body, act, answer. */
export function serveRoutes(app: Hono<Env>, services: Services, { nouns, handlers }: Served): void {
  for (const [noun, routes] of Object.entries(nouns)) {
    for (const [name, route] of Object.entries(routes())) {
      const handle = route.act === null ? handlers[`${noun}.${name}`] : handlerOf(route);
      if (handle === undefined) throw new Error(`No handler for ${noun}.${name}.`);
      app.on(route.method, route.path, (context) => handle(context, services));
    }
  }
}

function handlerOf(route: Route): HttpHandler {
  return async (context, services) => {
    const query = route.query === undefined ? done(undefined) : decodeQuery(context, route.query);
    if (!query.ok) return refuse(context, query.error);
    const body = await bodyOf(context, route);
    if (!body.ok) return refuse(context, body.error);
    const call = { params: context.req.param(), query: query.value, body: body.value, actor: context.var.actor };
    return answer(context, await route.act({ ...services, ...call }), route.statuses);
  };
}

async function bodyOf(context: Context<Env>, { body }: Route) {
  if (body === undefined) return done(undefined);
  return body === bytes ? done(new Uint8Array(await context.req.arrayBuffer())) : decodeBody(context, body);
}
