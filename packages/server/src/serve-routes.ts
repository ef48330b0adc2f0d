import { bytes, type HttpRoute, type Route } from '@attractor/api';
import { done } from '@attractor/base';
import type { Context, Hono } from 'hono';
import { actOnce } from './act-once.ts';
import { answer, refuse } from './answer.ts';
import type { Env, HttpHandler, Services } from './context.ts';
import { decodeBody, decodeQuery } from './decode.ts';
import { wholeIds } from './whole-ids.ts';

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
    const said = { params: context.req.param(), query: query.value, body: body.value };
    const call = await wholeCall(route, services, said);
    if (!call.ok) return answer(context, call);
    const act = () => route.act({ ...services, ...call.value, actor: context.var.actor });
    return actOnce(context, services, { route, act });
  };
}

type Said = Pick<Parameters<Route['act']>[0], 'params' | 'query' | 'body'>;

async function wholeCall({ path }: Route, { workflow }: Services, said: Said) {
  const place = { workflow, path };
  const params = await wholeIds(place, said.params);
  if (!params.ok) return params;
  const query = await wholeIds(place, said.query);
  if (!query.ok) return query;
  const body = await wholeIds(place, said.body);
  return body.ok ? done({ params: params.value, query: query.value, body: body.value }) : body;
}

async function bodyOf(context: Context<Env>, { body }: Route) {
  if (body === undefined) return done(undefined);
  return body === bytes ? done(new Uint8Array(await context.req.arrayBuffer())) : decodeBody(context, body);
}
