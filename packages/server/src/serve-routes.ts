import { bytes, type Caller, type HttpRoute, type Route } from '@attractor/api';
import { done } from '@attractor/base';
import type { Context, Hono } from 'hono';
import { actOnce } from './act-once.ts';
import { NAME_A_PROJECT, whyNot, whyNotSay } from './admit.ts';
import { answer, refusal, refuse } from './answer.ts';
import type { Env, HttpHandler, Services } from './context.ts';
import { withCurrentState } from './current-state.ts';
import { decodeBody, decodeQuery, placeOfNul } from './decode.ts';
import { visibleTaskList, visibleWorkflow } from './visible-workflow.ts';
import { wholeIds } from './whole-ids.ts';

export type Served = {
  /** The routes of each noun, by the names of their calls. */
  readonly nouns: Readonly<Record<string, () => Readonly<Record<string, Route | HttpRoute>>>>;
  /** `events.stream`: handlers for routes that need their own. */
  readonly handlers: Readonly<Record<string, HttpHandler>>;
};

/** A handler for each route, made from its row: judge the caller, decode the query, decode the body, act, answer. */
export function serveRoutes(app: Hono<Env>, services: Services, { nouns, handlers }: Served): void {
  for (const [noun, routes] of Object.entries(nouns)) {
    for (const [name, route] of Object.entries(routes())) {
      const handle = route.act === null ? handlers[`${noun}.${name}`] : handlerOf(route);
      if (handle === undefined) throw new Error(`No handler for ${noun}.${name}.`);
      app.on(route.method, route.path, admitted(route, handle, services));
    }
  }
}

/** What is named in the path is judged for every route, also for those with a handler of their own. */
function admitted(route: Route | HttpRoute, handle: HttpHandler, services: Services) {
  return async (context: Context<Env>): Promise<Response> => {
    const { caller } = context.var;
    const why = whyNot(route.access, caller);
    if (why !== null) return refusal(context, 'forbidden', why);
    const projects = caller?.projects ?? null;
    if (projects === null) return handle(context, services);
    const own = servicesOf(services, projects);
    const place = { workflow: own.workflow, path: route.path, projects };
    const params = await wholeIds(place, context.req.param());
    return params.ok ? handle(context, own) : answer(context, params);
  };
}

/** As somebody sees them who has some projects only. */
function servicesOf(services: Services, projects: ReadonlyArray<string>): Services {
  return {
    ...services,
    workflow: visibleWorkflow(services.workflow, projects),
    taskList: async () => visibleTaskList(await services.taskList(), projects),
  };
}

function handlerOf(route: Route): HttpHandler {
  return async (context, services) => {
    const query = route.query === undefined ? done(undefined) : decodeQuery(context, route.query);
    if (!query.ok) return refuse(context, query.error);
    const body = await bodyOf(context, route);
    if (!body.ok) return refuse(context, body.error);
    const said = { params: context.req.param(), query: query.value, body: body.value };
    if (placeOfNul(said.params, '') !== null) return refusal(context, 'not_found', 'Nothing has such a name.');
    const { actor, caller } = context.var;
    const unsaid = whyNotSay(caller, body.value);
    if (unsaid !== null) return refusal(context, 'forbidden', unsaid);
    const call = await wholeCall(route, { ...services, caller }, said);
    if (!call.ok) return answer(context, call);
    const isLimited = (caller?.projects ?? null) !== null;
    if (isLimited && !call.named && route.access[1] === 'named') return refusal(context, 'forbidden', NAME_A_PROJECT);
    const { workflow } = services;
    const act = async () =>
      withCurrentState(await route.act({ ...services, ...call.value, actor, caller }), {
        workflow,
        path: route.path,
        params: call.value.params,
      });
    return actOnce(context, services, { route, act });
  };
}

type Said = Pick<Parameters<Route['act']>[0], 'params' | 'query' | 'body'>;

type CallServices = Pick<Services, 'workflow'> & { readonly caller: Caller | undefined };

async function wholeCall({ path }: Route, { workflow, caller }: CallServices, said: Said) {
  const place = { workflow, path, projects: caller?.projects ?? null };
  const params = await wholeIds(place, said.params);
  if (!params.ok) return params;
  const query = await wholeIds(place, said.query);
  if (!query.ok) return query;
  const body = await wholeIds(place, said.body);
  if (!body.ok) return body;
  const named = params.named || query.named || body.named;
  return { ...done({ params: params.value, query: query.value, body: body.value }), named };
}

async function bodyOf(context: Context<Env>, { body }: Route) {
  if (body === undefined) return done(undefined);
  return body === bytes ? done(new Uint8Array(await context.req.arrayBuffer())) : decodeBody(context, body);
}
