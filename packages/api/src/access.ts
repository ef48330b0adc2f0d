import { z } from 'zod';
import { once } from './once.ts';
import { post, type HttpOptions } from './http.ts';

/**
 * Programs send the access token as `Authorization: Bearer`. A browser trades a one-time key (or the token) for a
 * cookie that scripts cannot read, and proves on every call that it is our own page by sending `CSRF_HEADER`.
 */
export const accessRoutes = {
  login: '/api/login',
  logout: '/api/logout',
  session: '/api/session',
  keys: '/api/login-keys',
} as const;

export const CSRF_HEADER = 'x-attractor-csrf';

/** Which program calls, such as `cli`: the log names it. It proves nothing. */
export const CLIENT_HEADER = 'x-attractor-client';

/** The fragment parameter of a sign-in address; fragments never reach a server, a log or a Referer. */
export const KEY_FRAGMENT = 'key';

export const loginBody = /* @__PURE__ */ once(() => z.strictObject({ key: z.string().min(1).max(200) }));

export type SessionInfo = { readonly csrf: string };

export type SignInKey = { readonly key: string };

export function accessCalls(http: HttpOptions) {
  return {
    login: (key: string) => post<SessionInfo>(http, accessRoutes.login, { key }),
    logout: () => post<{ readonly done: true }>(http, accessRoutes.logout),
    session: () => post<SessionInfo>(http, accessRoutes.session),
    mintKey: () => post<SignInKey>(http, accessRoutes.keys),
  };
}
