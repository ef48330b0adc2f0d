import { done, failed, once } from '@attractor/base';
import type { Result } from '@attractor/platform';
import { z } from 'zod';
import {
  forkedSessionAnswer,
  liveSessionAnswer,
  sessionAnswer,
  sessionHitAnswer,
  sessionTurnAnswer,
} from './answers/session.ts';
import { list } from './answers/shape.ts';
import { ask, type HttpOptions } from './http.ts';
import { route } from './route.ts';
import type { AgentSession, AgentSessions, LiveAnswer, LiveSession, SessionHit, SessionTurn } from './server-parts.ts';

/** Conversations with the agent in a terminal, as the machine of the server keeps them. They belong to no project. */
const at = {
  list: 'GET /api/sessions',
  search: 'GET /api/sessions/search',
  get: 'GET /api/sessions/:id',
  turns: 'GET /api/sessions/:id/turns',
  fork: 'POST /api/sessions/:id/fork',
  live: 'GET /api/sessions/:id/live',
  say: 'POST /api/sessions/:id/say',
  answer: 'POST /api/sessions/:id/answer',
  stop: 'POST /api/sessions/:id/stop',
} as const;

const MOST = 200;
const MOST_TEXT = 100_000;

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

const sayBody = /* @__PURE__ */ once(() => z.strictObject({ text: z.string().trim().min(1).max(MOST_TEXT) }));

const answerBody = /* @__PURE__ */ once(() =>
  z.strictObject({ ask: z.number().int(), isAllowed: z.boolean(), words: z.string().trim().max(MOST_TEXT) }),
);

export type SessionListQuery = { readonly limit?: number };
export type SessionSearchQuery = { readonly text: string; readonly limit?: number };
export type SessionTurnsQuery = { readonly after?: number; readonly limit?: number };
export type ForkBody = z.infer<ReturnType<typeof forkBody>>;

export type { AgentSession, LiveAnswer, LiveAsk, LiveSession, SessionHit, SessionTurn } from './server-parts.ts';

export function sessionCalls(http: HttpOptions) {
  return {
    list: (query: SessionListQuery = {}) => ask<ReadonlyArray<AgentSession>>(http, at.list, { query }),
    search: (query: SessionSearchQuery) => ask<ReadonlyArray<SessionHit>>(http, at.search, { query }),
    get: (id: string) => ask<AgentSession>(http, at.get, { params: { id } }),
    turns: (id: string, query: SessionTurnsQuery = {}) =>
      ask<ReadonlyArray<SessionTurn>>(http, at.turns, { params: { id }, query }),
    fork: (id: string, body: ForkBody = {}) => ask<{ readonly id: string }>(http, at.fork, { params: { id }, body }),
    live: (id: string) => ask<LiveSession>(http, at.live, { params: { id } }),
    say: (id: string, body: { readonly text: string }) => ask<LiveSession>(http, at.say, { params: { id }, body }),
    answer: (id: string, body: LiveAnswer) => ask<LiveSession>(http, at.answer, { params: { id }, body }),
    stop: (id: string) => ask<LiveSession>(http, at.stop, { params: { id } }),
  };
}

/** A conversation that goes on at the server. */
function liveRoutes() {
  return {
    live: route(at.live, {
      about: 'show what of a conversation goes on at the server now',
      access: ['admin', 'every'],
      answers: liveSessionAnswer,
      act: async ({ sessions, params }) => ofOne(sessions, params.id, (known) => known.live(params.id)),
    }),
    say: route(at.say, {
      about: 'go on with a conversation: say something to the agent',
      access: ['admin', 'every'],
      answers: liveSessionAnswer,
      body: sayBody,
      act: async ({ sessions, params, body }) => ofOne(sessions, params.id, (known) => known.say(params.id, body.text)),
    }),
    answer: route(at.answer, {
      about: 'answer what a conversation asks while it goes on',
      access: ['admin', 'every'],
      answers: liveSessionAnswer,
      body: answerBody,
      act: async ({ sessions, params, body }) => ofOne(sessions, params.id, (known) => known.answer(params.id, body)),
    }),
    stop: route(at.stop, {
      about: 'stop the work in a conversation',
      access: ['admin', 'every'],
      answers: liveSessionAnswer,
      act: async ({ sessions, params }) => ofOne(sessions, params.id, (known) => known.stop(params.id)),
    }),
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
  ...liveRoutes(),
}));

function kept<Value>(sessions: AgentSessions | null, read: (known: AgentSessions) => Result<Value>): Result<Value> {
  if (sessions !== null) return read(sessions);
  return failed({ code: 'blocked', message: 'This server keeps no conversations with the agent.' });
}

/** Where none are kept, the one that is asked for does not exist. */
async function ofOne<Value>(
  sessions: AgentSessions | null,
  id: string,
  read: (known: AgentSessions) => Result<Value> | Promise<Result<Value>>,
): Promise<Result<Value>> {
  if (sessions !== null) return read(sessions);
  return failed({ code: 'not_found', message: `no conversation ${id}: this server keeps none` });
}
