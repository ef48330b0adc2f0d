import type { Caller, ServerParts } from '@attractor/api';
import type { Actor } from '@attractor/platform';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { Access } from './auth.ts';
import type { Encoded } from './encoded.ts';
import type { FailedSignIns } from './failed-sign-ins.ts';
import type { createRequestCounts } from './request-counts.ts';
import type { Streams } from './sse.ts';

/** `incoming` and `outgoing` are absent when the app is called in the same process. */
export type Env = { Bindings: Partial<HttpBindings>; Variables: Variables };

/** `encoded`: the answer, where it is a value's JSON. */
type Variables = { actor: Actor; caller: Caller; encoded?: Encoded };

export type Services = ServerParts & {
  readonly access: Access;
  readonly failedSignIns: FailedSignIns;
  readonly streams: Streams;
  /** Null: nobody wants to know. */
  readonly requests: ReturnType<typeof createRequestCounts> | null;
};

export type HttpHandler = (context: Context<Env>, services: Services) => Response | Promise<Response>;
