import { accessRoutes, CLIENT_HEADER, CSRF_HEADER } from '@attractor/api';
import type { Context, MiddlewareHandler } from 'hono';
import { getCookie } from 'hono/cookie';
import { refusal } from './answer.ts';
import type { Env, Services } from './context.ts';
import { sameSecret } from './secret.ts';

/**
 * Lets in authenticated callers. A token is enough for a program. A cookie alone is not: browsers send it by themselves, so the page must
 * also send the session's CSRF value; requesting that value takes our own origin.
 */
export function gate(services: Services): MiddlewareHandler<Env> {
  return async (context, next) => {
    if (context.req.path === accessRoutes().login.path) return next();
    const bearer = /^Bearer (.+)$/.exec(context.req.header('authorization') ?? '')?.[1];
    if (bearer !== undefined) {
      if (!services.access.isToken(bearer)) return failedSignIn(context, services);
      context.set('actor', { type: 'user', name: clientName(context.req.header(CLIENT_HEADER)) });
      return next();
    }
    const cookie = getCookie(context, services.access.cookieName);
    if (cookie === undefined) return refusal(context, 'unauthorised', 'Sign in first, or send the access token.');
    const session = services.access.readCookie(cookie);
    if (session === null) return failedSignIn(context, services);
    if (!isOwnPage(context, session.csrf)) {
      return refusal(context, 'forbidden', 'This call does not come from the app itself. Reload the page.');
    }
    context.set('actor', { type: 'user', name: 'web' });
    return next();
  };
}

export function failedSignIn(context: Context<Env>, { failedSignIns }: Services): Response {
  const wait = failedSignIns.note(context.env?.incoming?.socket?.remoteAddress ?? 'in-process');
  if (wait === null) return refusal(context, 'unauthorised', 'The access token, key or session is not valid.');
  context.header('retry-after', String(wait));
  return refusal(context, 'too_many_attempts', `Too many failed attempts. Try again in ${wait} seconds.`);
}

function clientName(given: string | undefined): string {
  return given !== undefined && /^[a-z][a-z-]{0,29}$/.test(given) ? given : 'api';
}

function isOwnPage(context: Context<Env>, csrf: string): boolean {
  const origin = context.req.header('origin');
  const isRead = context.req.method === 'GET' || context.req.method === 'HEAD';
  if (origin === undefined && !isRead) return false;
  if (context.req.path === accessRoutes().session.path) return true;
  return sameSecret(context.req.header(CSRF_HEADER) ?? '', csrf);
}
