import { once } from '@attractor/base';
import type { Actor, Refusal, Result } from '@attractor/platform';
import { z } from 'zod';
import type { AccessRule, Caller } from './access-rule.ts';
import { type Endpoint, type Method, type PlacesOf, readEndpoint } from './endpoint.ts';
import type { Answer } from './failure.ts';
import type { ServerParts } from './server-parts.ts';

/** What the server does with one call: everything that a handler, or a page about the API, is made from. */
export type Route<Value = unknown> = Described<unknown, unknown, Value> & {
  readonly method: Method;
  readonly path: string;
  readonly act: Act<AnyCall, Value>;
};

/** A route that needs more of HTTP than a body and an answer: the server has its own handler for it. */
export type HttpRoute = Omit<Route, 'act' | 'answers'> & {
  readonly act: null;
  readonly answers: Answers<unknown> | Sends;
};

/** The routes of a noun: one for each of its calls, whose answer is what the call promises. */
export type RoutesOf<Calls extends (...given: never[]) => object> = {
  readonly [Name in keyof ReturnType<Calls>]: Route<ValueOf<ReturnType<Calls>[Name]>> | HttpRoute;
};

type ValueOf<Call> = Call extends (...given: never[]) => Promise<Answer<infer Value>> ? Value : never;

type Described<Query, Body, Value> = {
  /** What the call is for, in one line. */
  readonly about: string;
  /** Who may call it. */
  readonly access: AccessRule;
  /** What comes back. Its type is the one that the call promises: neither more nor less. */
  readonly answers: Answers<Value>;
  /** Other entries are not read. */
  readonly query?: () => z.ZodType<Query>;
  readonly body?: () => z.ZodType<Body>;
  /** The answer contains a secret: it is not kept for a caller who repeats the call. */
  readonly isSecret?: true;
  /** If a refusal has a status other than the usual one for its code. */
  readonly statuses?: Readonly<Partial<Record<Refusal['code'], 400>>>;
};

type Answers<Value> = () => z.ZodType<Value>;

/** Something else than JSON comes back; with 302, the address of something else. */
export type Sends = { readonly mediaType: string; readonly about: string; readonly status?: 302 };

type Act<Call, Value> = (call: Call) => Promise<Result<Value>>;

type AnyCall = RouteCall<string, unknown, unknown>;

type RouteCall<Place extends string, Query, Body> = ServerParts & {
  /** The caller: the action is done in their name. */
  readonly actor: Actor;
  readonly caller: Caller;
  readonly params: Readonly<Record<Place, string>>;
  readonly query: Query;
  readonly body: Body;
};

export function route<At extends Endpoint, Value, Query = undefined, Body = undefined>(
  endpoint: At,
  declared: Described<Query, Body, Value> & { readonly act: Act<RouteCall<PlacesOf<At>, Query, Body>, NoInfer<Value>> },
): Route<Value> {
  // The server decodes with these same schemas before it acts.
  return {
    ...readEndpoint(endpoint),
    ...declared,
    act: (call) => declared.act(call as typeof call & { readonly query: Query; readonly body: Body }),
  };
}

export function httpRoute(endpoint: Endpoint, described: Omit<HttpRoute, 'act' | 'method' | 'path'>): HttpRoute {
  return { ...readEndpoint(endpoint), ...described, act: null };
}

/** A body of raw bytes instead of JSON. */
export const bytes = /* @__PURE__ */ once(() => z.instanceof(Uint8Array));
