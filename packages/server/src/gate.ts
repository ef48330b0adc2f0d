import { accessRoutes, CSRF_HEADER } from '@attractor/api';
import type { Context, MiddlewareHandler } from 'hono';
import { getCookie } from 'hono/cookie';
import { refusal } from './answer.ts';
import { bearerOf, recognise } from './caller.ts';
import type { Env, Services } from './context.ts';
import { sameSecret } from './secret.ts';

/**
 * Lets in authenticated callers. A token or an API key is enough for a program. A cookie alone is not: browsers send it by themselves, so
 * the page must also send the session's CSRF value; requesting that value takes our own origin.
 */
export function gate(services: Services): MiddlewareHandler<Env> {
  return async (context, next) => {
    if (context.req.path === accessRoutes().login.path) return next();
    const bearer = bearerOf(context);
    const cookie = getCookie(context, services.access.cookieName);
    if (bearer === undefined && cookie === undefined)
      return refusal(context, 'unauthorised', 'Sign in first, or send the access token.');
    const session = bearer === undefined ? services.access.readCookie(cookie ?? '') : null;
    if (bearer === undefined && session !== null && !isOwnPage(context, session.csrf))
      return refusal(context, 'forbidden', 'This call does not come from the app itself. Reload the page.');
    const known = await recognise(context, services);
    if (known === null) return failedSignIn(context, services);
    context.set('caller', known.caller);
    context.set('actor', known.actor);
    return next();
  };
}

export function failedSignIn(context: Context<Env>, { failedSignIns }: Services): Response {
  const wait = failedSignIns.note(addressOf(context));
  if (wait === null) return refusal(context, 'unauthorised', 'The access token, key or session is not valid.');
  context.header('retry-after', String(wait));
  return refusal(context, 'too_many_attempts', `Too many failed attempts. Try again in ${wait} seconds.`);
}

/** Of the caller; behind a proxy, of the proxy. */
export function addressOf(context: Context<Env>): string {
  return context.env?.incoming?.socket?.remoteAddress ?? 'in-process';
}

function isOwnPage(context: Context<Env>, csrf: string): boolean {
  const origin = context.req.header('origin');
  const isRead = context.req.method === 'GET' || context.req.method === 'HEAD';
  if (origin === undefined && !isRead) return false;
  if (context.req.path === accessRoutes().session.path) return true;
  return sameSecret(context.req.header(CSRF_HEADER) ?? '', csrf);
}
