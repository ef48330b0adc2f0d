import { defined, once } from '@attractor/base';
import { type Role, ROLES } from '@attractor/facts';
import { z } from 'zod';
import { doneAnswer } from './answers/done.ts';
import type { Done } from './done.ts';
import { ask, type HttpOptions } from './http.ts';
import { httpRoute } from './route.ts';

/**
 * Programs send the access token as `Authorization: Bearer`. A browser exchanges a one-time key (or the token) for a cookie that scripts
 * cannot read, and proves on every call that it is our own page by sending `CSRF_HEADER`.
 */
const at = {
  login: 'POST /api/login',
  logout: 'POST /api/logout',
  session: 'POST /api/session',
  mintKey: 'POST /api/login-keys',
} as const;

export const CSRF_HEADER = 'x-attractor-csrf';

/** Which program calls, such as `cli`: the log records it. It proves nothing. */
export const CLIENT_HEADER = 'x-attractor-client';

/** The fragment parameter of a sign-in address; fragments never reach a server, a log or a Referer. */
export const KEY_FRAGMENT = 'key';

export const loginBody = /* @__PURE__ */ once(() => z.strictObject({ key: z.string().min(1).max(200) }));

const sessionAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      csrf: z.string(),
      user: z.strictObject({
        name: z.string(),
        role: z.enum(ROLES),
        projects: z.array(z.string()).readonly().nullable(),
      }),
    })
    .meta({ id: 'Session' }),
);

const signInKeyAnswer = /* @__PURE__ */ once(() => z.strictObject({ key: z.string() }).meta({ id: 'SignInKey' }));

/** A key of the client's own for a POST: repeated with the same key, it is carried out once and answered the same. */
export const ONCE_HEADER = 'idempotency-key';

/** Says that the answer is that of an earlier call. */
export const AGAIN_HEADER = 'idempotency-replayed';

/** For whom the key signs a browser in. Absent: the caller. */
export const signInKeyBody = /* @__PURE__ */ once(() =>
  z.strictObject({ user: z.string().min(1).max(64).exactOptional() }),
);

/** `user`: whose session it is. */
export type SessionInfo = { readonly csrf: string; readonly user: SignedIn };

export type SignedIn = {
  readonly name: string;
  readonly role: Role;
  /** Ids. Null: all. */
  readonly projects: ReadonlyArray<string> | null;
};

export type SignInKey = { readonly key: string };

export function accessCalls(http: HttpOptions) {
  return {
    login: (key: string) => ask<SessionInfo>(http, at.login, { body: { key } }),
    logout: () => ask<Done>(http, at.logout),
    session: () => ask<SessionInfo>(http, at.session),
    mintKey: (user?: string) => ask<SignInKey>(http, at.mintKey, { body: defined({ user }) }),
  };
}

export const accessRoutes = /* @__PURE__ */ once(() => ({
  login: httpRoute(at.login, {
    about: 'trade a one-time key, or the token, for a cookie',
    access: 'open',
    answers: sessionAnswer,
    body: loginBody,
  }),
  logout: httpRoute(at.logout, { about: 'give the cookie back', access: ['viewer', 'shared'], answers: doneAnswer }),
  session: httpRoute(at.session, {
    about: 'ask for the CSRF value that belongs to the cookie',
    access: ['viewer', 'shared'],
    answers: sessionAnswer,
  }),
  mintKey: httpRoute(at.mintKey, {
    about: 'make a key for one sign-in of a browser',
    access: ['viewer', 'shared'],
    body: signInKeyBody,
    answers: signInKeyAnswer,
  }),
}));
