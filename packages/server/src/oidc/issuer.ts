import { done, failed, messageOf, type Result } from '@attractor/base';
import { covers } from '@attractor/facts';
import type { IssuedIdentity } from '@attractor/platform';
import type { Configuration } from 'openid-client';
import type { OidcSettings } from '../oidc-settings.ts';

/** One try to sign in: what the answer of the issuer has to fit. */
export type Attempt = { readonly state: string; readonly nonce: string; readonly verifier: string };

export type Issuer = {
  /** Where to send the browser. */
  readonly begin: (
    redirectUri: string,
  ) => Promise<Result<{ readonly url: string; readonly attempt: Attempt }, OidcFailure>>;
  /** `answered`: the address to which the issuer sent the browser back. */
  readonly finish: (answered: URL, attempt: Attempt) => Promise<Result<IssuedIdentity, OidcFailure>>;
};

export type OidcFailure = { readonly code: 'unavailable' | 'forbidden'; readonly message: string };

/** The code flow with PKCE, state and nonce. The library is loaded, and the issuer asked about itself, when somebody first signs in. */
export function createIssuer(settings: OidcSettings): Issuer {
  let known: Promise<Configuration> | null = null;
  const configuration = (): Promise<Configuration> => {
    known ??= discover(settings);
    known.catch(() => (known = null));
    return known;
  };
  return {
    begin: async (redirectUri) => {
      try {
        const [client, config] = await Promise.all([import('openid-client'), configuration()]);
        const attempt = {
          state: client.randomState(),
          nonce: client.randomNonce(),
          verifier: client.randomPKCECodeVerifier(),
        };
        const url = client.buildAuthorizationUrl(config, {
          redirect_uri: redirectUri,
          scope: settings.scope,
          state: attempt.state,
          nonce: attempt.nonce,
          code_challenge: await client.calculatePKCECodeChallenge(attempt.verifier),
          code_challenge_method: 'S256',
        });
        return done({ url: url.href, attempt });
      } catch (error) {
        return failed({ code: 'unavailable', message: `${settings.label} can't be reached: ${messageOf(error)}` });
      }
    },
    finish: async (answered, { state, nonce, verifier }) => {
      try {
        const [client, config] = await Promise.all([import('openid-client'), configuration()]);
        const tokens = await client.authorizationCodeGrant(config, answered, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        return identityOf(settings, tokens.claims() ?? {});
      } catch (error) {
        return failed({ code: 'forbidden', message: `${settings.label} did not sign you in: ${messageOf(error)}` });
      }
    },
  };
}

const PATIENCE_SECONDS = 10;

async function discover({ issuer, clientId, clientSecret }: OidcSettings): Promise<Configuration> {
  const client = await import('openid-client');
  const authentication = clientSecret === null ? client.None() : client.ClientSecretPost(clientSecret);
  const isLocal = issuer.startsWith('http:');
  return client.discovery(new URL(issuer), clientId, undefined, authentication, {
    timeout: PATIENCE_SECONDS,
    // The settings let only an issuer on this machine be called so.
    ...(isLocal ? { execute: [client.allowInsecureRequests] } : {}),
  });
}

type Claims = Readonly<Record<string, unknown>>;

function identityOf({ nameClaim, roles, label }: OidcSettings, claims: Claims): Result<IssuedIdentity, OidcFailure> {
  const { iss: issuer, sub: subject } = claims;
  if (typeof issuer !== 'string' || typeof subject !== 'string' || subject === '')
    return failed({ code: 'forbidden', message: `${label} does not say who you are: ask an admin.` });
  const name = claims[nameClaim];
  if (typeof name !== 'string' || name === '')
    return failed({ code: 'forbidden', message: `${label} gives no "${nameClaim}" for you: ask an admin.` });
  if (nameClaim === 'email' && claims['email_verified'] === false)
    return failed({ code: 'forbidden', message: `${label} has not verified your email address.` });
  const isNameProven = nameClaim === 'sub' || (nameClaim === 'email' && claims['email_verified'] === true);
  const who = { issuer, subject, name: name.toLowerCase(), isNameProven };
  if (roles === null) return done({ ...who, role: null });
  const groups = new Set([claims[roles.claim]].flat());
  const own = Object.entries(roles.byGroup).flatMap(([group, role]) => (groups.has(group) ? [role] : []));
  const [first, ...others] = own;
  if (first === undefined)
    return failed({ code: 'forbidden', message: `You are in no group of ${label} that may use this server.` });
  const role = others.reduce((best, next) => (covers(next, best) ? next : best), first);
  return done({ ...who, role });
}
