import { type Caller, CLIENT_HEADER } from '@attractor/api';
import { defined } from '@attractor/base';
import { lesserRole } from '@attractor/facts';
import { type Actor, type ApiKey, OWNER, type User } from '@attractor/platform';
import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import type { Session } from './auth.ts';
import type { Env, Services } from './context.ts';

/** Who calls, and in whose name it is recorded. */
export type Recognised = { readonly caller: Caller; readonly actor: Actor };

/** By what the request brings. Null: it brings nothing that is valid. */
export async function recognise(context: Context<Env>, services: Services): Promise<Recognised | null> {
  const secret = bearerOf(context);
  if (secret !== undefined) return callerWithSecret(context, services, secret);
  const session = services.access.readCookie(getCookie(context, services.access.cookieName) ?? '');
  return session === null ? null : callerOfSession(session, services);
}

export function bearerOf(context: Context<Env>): string | undefined {
  return /^Bearer (.+)$/.exec(context.req.header('authorization') ?? '')?.[1];
}

/** By the token of the home folder, or an API key. */
async function callerWithSecret(
  context: Context<Env>,
  { access, workflow }: Services,
  secret: string,
): Promise<Recognised | null> {
  const via = clientName(context.req.header(CLIENT_HEADER));
  if (access.isToken(secret)) return recognised({ user: null, key: null, by: 'token' }, via);
  const holder = await workflow.keyHolder(secret);
  return holder === null ? null : recognised({ ...holder, by: 'key' }, via);
}

/** By a session. Null: its user is gone, or signed out of it. */
export async function callerOfSession({ id, user }: Session, { workflow }: Services): Promise<Recognised | null> {
  if (await workflow.isSessionEnded(id)) return null;
  if (user === null) return recognised({ user: null, key: null, by: 'session' }, WEB);
  const found = await workflow.sessionUser(user.userId);
  if (found === null || found.number !== user.number) return null;
  return recognised({ user: found.user, key: null, by: 'session' }, WEB);
}

const WEB = 'web';

type Bearer = { readonly user: User | null; readonly key: ApiKey | null; readonly by: Caller['by'] };

function recognised({ user, key, by }: Bearer, via: string): Recognised {
  const role = user?.role ?? 'admin';
  const projects = user === null || user.role === 'admin' ? null : user.projects;
  const apiKey = key?.prefix;
  return {
    caller: {
      name: user?.name ?? OWNER,
      userId: user?.id ?? null,
      role: key === null ? role : lesserRole(role, key.role),
      projects: key === null ? projects : inBoth(projects, key.projects),
      by,
    },
    actor: {
      type: 'user',
      ...(user === null ? { name: via } : { name: user.name, userId: user.id, via }),
      ...defined({ apiKey }),
    },
  };
}

function inBoth(one: Caller['projects'], other: Caller['projects']): Caller['projects'] {
  if (one === null || other === null) return one ?? other;
  return one.filter((id) => other.includes(id));
}

function clientName(given: string | undefined): string {
  return given !== undefined && /^[a-z][a-z-]{0,29}$/.test(given) ? given : 'api';
}
