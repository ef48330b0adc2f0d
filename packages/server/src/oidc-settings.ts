import { failed, done, type Result } from '@attractor/base';
import { type Role, ROLES } from '@attractor/facts';

/** An issuer that tells who somebody is. */
export type OidcSettings = {
  readonly issuer: string;
  readonly clientId: string;
  /** Null: a public client; the proof of the code's owner is all there is. */
  readonly clientSecret: string | null;
  /** What the sign-in page calls it. */
  readonly label: string;
  readonly scope: string;
  /** The claim that names the user. */
  readonly nameClaim: string;
  /** The claim with groups or roles, and our role for each. Null: users are made here, with their roles. */
  readonly roles: { readonly claim: string; readonly byGroup: Readonly<Record<string, Role>> } | null;
};

type Problem = { readonly code: 'oidc_settings'; readonly message: string; readonly retryable: false };

/** Null: nobody signs in that way. */
export function readOidcSettings(
  env: Readonly<Record<string, string | undefined>>,
): Result<OidcSettings | null, Problem> {
  const of = (name: string): string | null => env[name]?.trim() || null;
  const [issuer, clientId] = [of('ATTRACTOR_OIDC_ISSUER'), of('ATTRACTOR_OIDC_CLIENT_ID')];
  if (issuer === null && clientId === null) return done(null);
  if (issuer === null || clientId === null)
    return problem('ATTRACTOR_OIDC_ISSUER and ATTRACTOR_OIDC_CLIENT_ID belong together: set both, or neither.');
  if (!isSafe(issuer)) return problem(`ATTRACTOR_OIDC_ISSUER has to be an https address, not ${issuer}.`);
  const byGroup = readRoles(of('ATTRACTOR_OIDC_ROLES'));
  if (!byGroup.ok) return byGroup;
  return done({
    issuer,
    clientId,
    clientSecret: of('ATTRACTOR_OIDC_CLIENT_SECRET'),
    label: of('ATTRACTOR_OIDC_LABEL') ?? new URL(issuer).hostname,
    scope: of('ATTRACTOR_OIDC_SCOPE') ?? 'openid profile email',
    nameClaim: of('ATTRACTOR_OIDC_NAME_CLAIM') ?? 'preferred_username',
    roles:
      byGroup.value === null ? null : { claim: of('ATTRACTOR_OIDC_ROLES_CLAIM') ?? 'groups', byGroup: byGroup.value },
  });
}

/** Only this machine may be called without encryption. */
function isSafe(issuer: string): boolean {
  if (!URL.canParse(issuer)) return false;
  const { protocol, hostname } = new URL(issuer);
  return protocol === 'https:' || (protocol === 'http:' && /^(?:127(?:\.\d+){3}|\[::1\]|localhost)$/.test(hostname));
}

/** `platform=admin,developers=operator`. */
function readRoles(text: string | null): Result<Readonly<Record<string, Role>> | null, Problem> {
  if (text === null) return done(null);
  const roles: Record<string, Role> = {};
  for (const pair of text.split(',')) {
    const at = pair.lastIndexOf('=');
    const [group, word] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    const role = ROLES.find((known) => known === word);
    if (at < 1 || role === undefined)
      return problem(`ATTRACTOR_OIDC_ROLES: expected GROUP=ROLE with ${ROLES.join(', ')}, not "${pair.trim()}".`);
    roles[group] = role;
  }
  return done(roles);
}

function problem(message: string) {
  return failed({ code: 'oidc_settings' as const, message, retryable: false as const });
}
