import { type Answer, KEY_FRAGMENT, type Role, type SessionInfo } from '@attractor/api';
import { isAway } from './answers.ts';
import { api, rememberProof } from './api.ts';

/** Who is signed in, and what they may do. */
export type SignedIn =
  | { readonly ok: true; readonly name: string; readonly role: Role }
  | { readonly ok: false; readonly message: string | null };

/**
 * Signs in with the key in the address, if there is one, otherwise with the cookie of an earlier visit. The key is removed from the address
 * before anything else happens, so that it stays in no history and no bookmark. `onAway` hears that the server does not answer yet.
 */
export async function beginSession(onAway: () => void): Promise<SignedIn> {
  const key = takeKey();
  if (key !== null) {
    const session = await untilAnswered(() => api.access.login(key), onAway);
    if (session.ok) return signedIn(session.value);
  }
  const session = await untilAnswered(api.access.session, onAway);
  if (session.ok) return signedIn(session.value);
  return { ok: false, message: key === null ? null : 'This sign-in address was used before, or is too old.' };
}

const AGAIN_MS = 1000;

/** A server that is away does not say that somebody is not signed in. */
async function untilAnswered(
  call: () => Promise<Answer<SessionInfo>>,
  onAway: () => void,
): Promise<Answer<SessionInfo>> {
  for (;;) {
    const answer = await call();
    if (answer.ok || !isAway(answer.error)) return answer;
    onAway();
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

export async function signIn(key: string): Promise<SignedIn> {
  const session = await api.access.login(key);
  if (!session.ok) return { ok: false, message: session.error.message };
  return signedIn(session.value);
}

/** What the issuer is called that people may sign in with; null if there is none. */
export async function signInWays(): Promise<string | null> {
  const response = await fetch('/api/sign-in-ways').catch(() => null);
  const ways: unknown = response?.ok === true ? await response.json() : null;
  if (typeof ways !== 'object' || ways === null || !('oidc' in ways)) return null;
  return typeof ways.oidc === 'string' ? ways.oidc : null;
}

function takeKey(): string | null {
  const key = new URLSearchParams(location.hash.slice(1)).get(KEY_FRAGMENT);
  if (key !== null) history.replaceState(null, '', location.pathname + location.search);
  return key;
}

function signedIn({ csrf, user }: SessionInfo): SignedIn {
  rememberProof(csrf);
  return { ok: true, name: user.name, role: user.role };
}
