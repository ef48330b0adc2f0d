import { loginBody, signInKeyBody, type SignedIn } from '@attractor/api';
import type { Caller } from '@attractor/api';
import { done, failed, type Result } from '@attractor/base';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { refusal, refuse } from './answer.ts';
import type { SessionUser } from './auth.ts';
import { callerOfSession } from './caller.ts';
import type { HttpHandler, Services } from './context.ts';
import { decodeBody } from './decode.ts';
import { addressOf, failedSignIn } from './gate.ts';

/** Only the API needs the cookie; the path keeps it away from other servers' pages on the same host. */
export const SESSION_COOKIE = { httpOnly: true, sameSite: 'Strict', path: '/api' } as const;

export const login: HttpHandler = async (context, services) => {
  const { access, workflow } = services;
  const body = await decodeBody(context, loginBody);
  if (!body.ok) return refuse(context, body.error);
  const session = access.signIn(body.value.key);
  const known = session === null ? null : await callerOfSession(session, services);
  if (session === null || known === null) return failedSignIn(context, services);
  const summary = `Signed in from ${addressOf(context)}`;
  const noted = await workflow.noteAct({ actor: known.actor, act: 'user.signed_in', summary });
  if (!noted.ok) return refusal(context, noted.error.code, noted.error.message);
  setCookie(context, access.cookieName, session.cookie, { ...SESSION_COOKIE, maxAge: session.maxAgeSeconds });
  return context.json({ csrf: session.csrf, user: signedIn(known.caller) });
};

export const giveCsrf: HttpHandler = (context, { access }) => {
  const session = access.readCookie(getCookie(context, access.cookieName) ?? '');
  if (session === null) return refusal(context, 'unauthorised', 'There is no session. Sign in first.');
  return context.json({ csrf: session.csrf, user: signedIn(context.var.caller) });
};

export const logout: HttpHandler = async (context, { access, workflow }) => {
  const session = access.readCookie(getCookie(context, access.cookieName) ?? '');
  if (session !== null) {
    const expiresAt = new Date(session.expires * 1000).toISOString();
    const ended = await workflow.endSession({ id: session.id, expiresAt }, context.var.actor);
    if (!ended.ok) return refusal(context, ended.error.code, ended.error.message);
  }
  deleteCookie(context, access.cookieName, SESSION_COOKIE);
  return context.json({ done: true });
};

export const mintKey: HttpHandler = async (context, services) => {
  const body = await decodeBody(context, signInKeyBody);
  if (!body.ok) return refuse(context, body.error);
  const { caller, actor } = context.var;
  const user = await signingIn(services, caller, body.value.user ?? caller.name);
  if (!user.ok) return refusal(context, user.error.code, user.error.message);
  const summary = `A sign-in address for ${body.value.user ?? caller.name}`;
  const noted = await services.workflow.noteAct({ actor, act: 'user.sign_in_offered', summary });
  if (!noted.ok) return refusal(context, noted.error.code, noted.error.message);
  return context.json({ key: services.access.mintKey(user.value ?? undefined) });
};

type Refused = { readonly code: 'forbidden' | 'not_found'; readonly message: string };

/** For themselves, or as an admin for others; nobody but the owner signs the owner in. Null: the owner. */
async function signingIn(
  { workflow }: Services,
  caller: Caller,
  name: string,
): Promise<Result<SessionUser | null, Refused>> {
  if (caller.by === 'key')
    return failed({ code: 'forbidden', message: 'An API key signs nobody in. Use a session, or the token.' });
  const isSelf = name.toLowerCase() === caller.name;
  if (!isSelf && caller.role !== 'admin')
    return failed({ code: 'forbidden', message: 'Only an admin makes sign-in addresses for others.' });
  if (isSelf && caller.userId === null) return done(null);
  const user = await workflow.getUser(name);
  const found = user === null ? null : await workflow.sessionUser(user.id);
  if (found === null)
    return failed({ code: 'not_found', message: `There is no user ${name}. Make one: attractor users add ${name}` });
  return done({ userId: found.user.id, number: found.number });
}

function signedIn({ name, role, projects }: Caller): SignedIn {
  return { name, role, projects };
}
