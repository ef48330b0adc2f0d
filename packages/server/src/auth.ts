import { fingerprint, newSecret, sameSecret, sign } from './secret.ts';

/**
 * Who may call. Programs know the access token. A browser gets a cookie for a one-time key or the token; the cookie is signed with the
 * token, so it survives a restart and expires with the token. No secret is stored or compared in the clear where timing could reveal it,
 * and none is ever part of an address that a server sees.
 */
export type Access = {
  readonly cookieName: string;
  /** A key for one sign-in; the newest `KEYS_KEPT` are valid. */
  readonly mintKey: (of?: SessionUser) => string;
  /** A new session for a one-time key (used up by this) or the access token; null if it is neither. */
  readonly signIn: (key: string) => Session | null;
  readonly isToken: (token: string) => boolean;
  readonly readCookie: (value: string) => Session | null;
  /** Proves that the server at an address knows the token, without revealing it. */
  readonly prove: (challenge: Challenge) => string;
};

/** `at`: the host and the port that were called, so that nobody at another address can pass the answer on as its own. */
export type Challenge = { readonly text: string; readonly at: string };

/** The user of a session; `number` is the one that valid sessions of theirs had when it began. */
export type SessionUser = { readonly userId: string; readonly number: number };

/** Without a user it is the owner's. */
export type Session = {
  /** Says nothing of the cookie. */
  readonly id: string;
  /** In seconds since 1970. */
  readonly expires: number;
  readonly cookie: string;
  readonly csrf: string;
  readonly maxAgeSeconds: number;
  readonly user: SessionUser | null;
};

type AccessOptions = { readonly token: string; readonly now: () => number };

const KEYS_KEPT = 64;
const SESSION_SECONDS = 30 * 24 * 60 * 60;

export function createAccess({ token, now }: AccessOptions): Access {
  const keys: Array<{ readonly key: string; readonly user: SessionUser | null }> = [];
  const makeSession = (nonce: string, expires: number, user: SessionUser | null): Session => {
    const whose = user === null ? '' : `.${user.userId}.${user.number}`;
    return {
      id: fingerprint(nonce),
      expires,
      cookie: `${expires}.${nonce}${whose}.${sign(token, `session:${expires}.${nonce}${whose}`)}`,
      csrf: sign(token, `csrf:${nonce}`),
      maxAgeSeconds: SESSION_SECONDS,
      user,
    };
  };
  return {
    // Cookies do not know ports: two servers on one machine need two names.
    cookieName: `attractor_${fingerprint(token)}`,
    mintKey: (user) => {
      const key = newSecret();
      keys.push({ key, user: user ?? null });
      if (keys.length > KEYS_KEPT) keys.shift();
      return key;
    },
    signIn: (key) => {
      const index = keys.findIndex((other) => sameSecret(other.key, key));
      if (index === -1 && !sameSecret(token, key)) return null;
      const [used] = index === -1 ? [] : keys.splice(index, 1);
      return makeSession(newSecret(), Math.floor(now() / 1000) + SESSION_SECONDS, used?.user ?? null);
    },
    isToken: (candidate) => sameSecret(token, candidate),
    readCookie: (value) => {
      const [expires = '', nonce = '', ...rest] = value.split('.');
      const [userId = '', number = ''] = rest;
      const user = rest.length === 1 ? null : { userId, number: Number(number) };
      const session = makeSession(nonce, Number(expires), user);
      const valid = sameSecret(session.cookie, value) && Number(expires) > now() / 1000;
      return valid ? session : null;
    },
    prove: (challenge) => proofOf(token, challenge),
  };
}

/** A server's answer to a challenge, so that a program sends its token only to a server that already knows it. */
export function proofOf(token: string, { text, at }: Challenge): string {
  return sign(token, `proof:${at}:${text}`);
}
