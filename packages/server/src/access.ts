import { loginBody } from '@attractor/api';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { refusal, refuse } from './answer.ts';
import type { HttpHandler } from './context.ts';
import { decodeBody } from './decode.ts';
import { failedSignIn } from './gate.ts';

/** Only the API needs the cookie; the path keeps it away from other servers' pages on the same host. */
const COOKIE = { httpOnly: true, sameSite: 'Strict', path: '/api' } as const;

export const login: HttpHandler = async (context, services) => {
  const { access } = services;
  const body = await decodeBody(context, loginBody);
  if (!body.ok) return refuse(context, body.error);
  const session = access.signIn(body.value.key);
  if (session === null) return failedSignIn(context, services);
  setCookie(context, access.cookieName, session.cookie, { ...COOKIE, maxAge: session.maxAgeSeconds });
  return context.json({ csrf: session.csrf });
};

export const giveCsrf: HttpHandler = (context, { access }) => {
  const session = access.readCookie(getCookie(context, access.cookieName) ?? '');
  if (session === null) return refusal(context, 'unauthorised', 'There is no session. Sign in first.');
  return context.json({ csrf: session.csrf });
};

export const logout: HttpHandler = (context, { access }) => {
  deleteCookie(context, access.cookieName, COOKIE);
  return context.json({ done: true });
};

export const mintKey: HttpHandler = (context, { access }) => context.json({ key: access.mintKey() });
