import { accessRoutes, loginBody } from '@attractor/api';
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { refusal, refuse } from './answer.ts';
import type { Session } from './auth.ts';
import type { Env, Routes } from './context.ts';
import { decodeBody } from './decode.ts';
import { failedSignIn } from './gate.ts';

/** Only the API needs the cookie; the path keeps it away from other servers' pages on the same host. */
const COOKIE = { httpOnly: true, sameSite: 'Strict', path: '/api' } as const;

export const accessHandlers: Routes = (app, services) => {
  const { access } = services;
  const give = (context: Context<Env>, session: Session) => {
    setCookie(context, access.cookieName, session.cookie, { ...COOKIE, maxAge: session.maxAgeSeconds });
    return context.json({ csrf: session.csrf });
  };

  app.post(accessRoutes.login, async (context) => {
    const body = await decodeBody(context, loginBody);
    if (!body.ok) return refuse(context, body.error);
    const session = access.signIn(body.value.key);
    return session === null ? failedSignIn(context, services) : give(context, session);
  });

  app.post(accessRoutes.session, (context) => {
    const session = access.readCookie(getCookie(context, access.cookieName) ?? '');
    if (session === null) return refusal(context, 'unauthorised', 'There is no session. Sign in first.');
    return context.json({ csrf: session.csrf });
  });

  app.post(accessRoutes.logout, (context) => {
    deleteCookie(context, access.cookieName, COOKIE);
    return context.json({ done: true });
  });

  app.post(accessRoutes.keys, (context) => context.json({ key: access.mintKey() }));
};
