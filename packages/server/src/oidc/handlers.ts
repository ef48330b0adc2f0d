import { openRoutes } from '@attractor/api';
import type { User } from '@attractor/platform';
import type { Context, Hono } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { refusal } from '../answer.ts';
import { SESSION_COOKIE } from '../access.ts';
import type { Env, Services } from '../context.ts';
import { addressOf, failedSignIn } from '../gate.ts';
import { sameSecret, sign } from '../secret.ts';
import type { OidcSettings } from '../oidc-settings.ts';
import { type Attempt, createIssuer, type Issuer } from './issuer.ts';

/** Long enough for a password and a second factor. */
const ATTEMPT_SECONDS = 10 * 60;

type OidcServices = {
  readonly services: Services;
  readonly token: string;
  readonly settings: OidcSettings;
  readonly issuer: Issuer;
};

type Offered = Pick<OidcServices, 'services' | 'token'> & { readonly settings: OidcSettings | null };

/** Three routes before the gate: what is offered, the way to the issuer, and the way back. */
export function serveSignInWays(app: Hono<Env>, { settings, ...rest }: Offered): void {
  const { signInWays, oidcSignIn, oidcCallback } = openRoutes();
  app.on(signInWays.method, signInWays.path, (context) => context.json({ oidc: settings?.label ?? null }));
  const oidc = settings === null ? null : { ...rest, settings, issuer: createIssuer(settings) };
  const none = (context: Context<Env>) => refusal(context, 'not_found', 'This server has no issuer to sign in with.');
  app.on(oidcSignIn.method, oidcSignIn.path, (context) => (oidc === null ? none(context) : begin(context, oidc)));
  app.on(oidcCallback.method, oidcCallback.path, (context) => (oidc === null ? none(context) : finish(context, oidc)));
}

async function begin(context: Context<Env>, { services, token, issuer }: OidcServices): Promise<Response> {
  const base = await publicBase(context, services);
  const begun = await issuer.begin(`${base}${openRoutes().oidcCallback.path}`);
  if (!begun.ok) return refusal(context, begun.error.code, begun.error.message);
  const { state, nonce, verifier } = begun.value.attempt;
  const said = [state, nonce, verifier, String(Math.floor(Date.now() / 1000) + ATTEMPT_SECONDS)].join('.');
  // The issuer's page sends the browser back: a strict cookie would not come along.
  setCookie(context, cookieName(services), `${said}.${sign(token, `oidc:${said}`)}`, {
    httpOnly: true,
    sameSite: 'Lax',
    path: COOKIE_PATH,
    secure: base.startsWith('https:'),
    maxAge: ATTEMPT_SECONDS,
  });
  return context.redirect(begun.value.url, 302);
}

async function finish(context: Context<Env>, oidc: OidcServices): Promise<Response> {
  const { services, token, issuer } = oidc;
  const attempt = readAttempt(token, getCookie(context, cookieName(services)) ?? '');
  deleteCookie(context, cookieName(services), { path: COOKIE_PATH });
  if (attempt === null) return failedSignIn(context, services);
  const base = await publicBase(context, services);
  const { pathname, search } = new URL(context.req.url);
  const identity = await issuer.finish(new URL(`${base}${pathname}${search}`), attempt);
  if (!identity.ok) {
    services.failedSignIns.note(addressOf(context));
    return refusal(context, identity.error.code, identity.error.message);
  }
  const user = await services.workflow.issuerSignIn(identity.value);
  if (!user.ok) return refusal(context, user.error.code, user.error.message);
  return openSession(context, services, user.value);
}

async function openSession(context: Context<Env>, services: Services, { id, name }: User): Promise<Response> {
  const { access, workflow } = services;
  const found = await workflow.sessionUser(id);
  const session = found === null ? null : access.signIn(access.mintKey({ userId: id, number: found.number }));
  if (session === null) return failedSignIn(context, services);
  const actor = { type: 'user', name, userId: id, via: 'oidc' } as const;
  const noted = await workflow.noteAct({
    actor,
    act: 'user.signed_in',
    summary: `Signed in from ${addressOf(context)}`,
  });
  if (!noted.ok) return refusal(context, noted.error.code, noted.error.message);
  setCookie(context, access.cookieName, session.cookie, { ...SESSION_COOKIE, maxAge: session.maxAgeSeconds });
  return context.redirect('/', 302);
}

const COOKIE_PATH = '/api/oidc';

function cookieName({ access }: Services): string {
  return `${access.cookieName}_oidc`;
}

function readAttempt(token: string, cookie: string): Attempt | null {
  const at = cookie.lastIndexOf('.');
  const said = cookie.slice(0, Math.max(at, 0));
  const [state = '', nonce = '', verifier = '', until = ''] = said.split('.');
  const isOurs = at > 0 && sameSecret(sign(token, `oidc:${said}`), cookie.slice(at + 1));
  return isOurs && Number(until) > Date.now() / 1000 ? { state, nonce, verifier } : null;
}

/** How people reach this server: as an admin said, or as the browser called it. */
async function publicBase(context: Context<Env>, { workflow }: Services): Promise<string> {
  const settings = await workflow.notifySettings();
  const said = settings.ok ? settings.value.publicUrl : null;
  if (said !== null) return said.replace(/\/+$/, '');
  return `http://${context.req.header('host') ?? new URL(context.req.url).host}`;
}
