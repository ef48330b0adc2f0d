import { done, failed, once } from '@attractor/base';
import type { Result } from '@attractor/platform';
import { z } from 'zod';
import { forkedSessionAnswer, sessionAnswer, sessionHitAnswer, sessionTurnAnswer } from './answers/session.ts';
import { list } from './answers/shape.ts';
import { ask, type HttpOptions } from './http.ts';
import { route } from './route.ts';
import type { AgentSession, AgentSessions, SessionHit, SessionTurn } from './server-parts.ts';

/** Conversations with the agent in a terminal, as the machine of the server keeps them. They belong to no project. */
const at = {
  list: 'GET /api/sessions',
  search: 'GET /api/sessions/search',
  get: 'GET /api/sessions/:id',
  turns: 'GET /api/sessions/:id/turns',
  fork: 'POST /api/sessions/:id/fork',
} as const;

const MOST = 200;

const limit = () => z.coerce.number().int().min(1).max(MOST).exactOptional();

const listQuery = /* @__PURE__ */ once(() => z.strictObject({ limit: limit() }));

const searchQuery = /* @__PURE__ */ once(() =>
  z.strictObject({ text: z.string().trim().min(1).max(500), limit: limit() }),
);

/** `after`: the last turn of the previous page. */
const turnsQuery = /* @__PURE__ */ once(() =>
  z.strictObject({ after: z.coerce.number().int().min(0).exactOptional(), limit: limit() }),
);

/** `turn`: the last one to keep; 0 keeps none. Absent: all. */
const forkBody = /* @__PURE__ */ once(() => z.strictObject({ turn: z.number().int().min(0).exactOptional() }));

export type SessionListQuery = { readonly limit?: number };
export type SessionSearchQuery = { readonly text: string; readonly limit?: number };
export type SessionTurnsQuery = { readonly after?: number; readonly limit?: number };
export type ForkBody = z.infer<ReturnType<typeof forkBody>>;

export type { AgentSession, SessionHit, SessionTurn } from './server-parts.ts';

export function sessionCalls(http: HttpOptions) {
  return {
    list: (query: SessionListQuery = {}) => ask<ReadonlyArray<AgentSession>>(http, at.list, { query }),
    search: (query: SessionSearchQuery) => ask<ReadonlyArray<SessionHit>>(http, at.search, { query }),
    get: (id: string) => ask<AgentSession>(http, at.get, { params: { id } }),
    turns: (id: string, query: SessionTurnsQuery = {}) =>
      ask<ReadonlyArray<SessionTurn>>(http, at.turns, { params: { id }, query }),
    fork: (id: string, body: ForkBody = {}) => ask<{ readonly id: string }>(http, at.fork, { params: { id }, body }),
  };
}

/** `search` comes before `get`: it is no id. */
export const sessionRoutes = /* @__PURE__ */ once(() => ({
  list: route(at.list, {
    about: 'list conversations with the agent, the newest first',
    access: ['admin', 'every'],
    answers: () => list(sessionAnswer()),
    query: listQuery,
    act: async ({ sessions, query }) => kept(sessions, (known) => done(known.list(query.limit ?? MOST))),
  }),
  search: route(at.search, {
    about: 'find the turns of conversations with the agent that hold a text',
    access: ['admin', 'every'],
    answers: () => list(sessionHitAnswer()),
    query: searchQuery,
    act: async ({ sessions, query }) => kept(sessions, (known) => done(known.search(query.text, query.limit ?? MOST))),
  }),
  get: route(at.get, {
    about: 'show a conversation with the agent',
    access: ['admin', 'every'],
    answers: sessionAnswer,
    act: async ({ sessions, params }) => ofOne(sessions, params.id, (known) => known.find(params.id)),
  }),
  turns: route(at.turns, {
    about: 'list what was said and done in a conversation with the agent',
    access: ['admin', 'every'],
    answers: () => list(sessionTurnAnswer()),
    query: turnsQuery,
    act: async ({ sessions, params, query: { after = 0, limit: most = MOST } }) =>
      ofOne(sessions, params.id, (known) => known.turns(params.id, { after, limit: most })),
  }),
  fork: route(at.fork, {
    about: 'begin a conversation that shares the past of another',
    access: ['admin', 'every'],
    answers: forkedSessionAnswer,
    body: forkBody,
    act: async ({ sessions, params, body }) => ofOne(sessions, params.id, (known) => known.fork(params.id, body.turn)),
  }),
}));

function kept<Value>(sessions: AgentSessions | null, read: (known: AgentSessions) => Result<Value>): Result<Value> {
  if (sessions !== null) return read(sessions);
  return failed({ code: 'blocked', message: 'This server keeps no conversations with the agent.' });
}

/** Where none are kept, the one that is asked for does not exist. */
function ofOne<Value>(
  sessions: AgentSessions | null,
  id: string,
  read: (known: AgentSessions) => Result<Value>,
): Result<Value> {
  if (sessions !== null) return read(sessions);
  return failed({ code: 'not_found', message: `no conversation ${id}: this server keeps none` });
}
