import { isPublicAddress } from '../../network/public-address.ts';
import type { NetworkPolicy, Resolve } from './network-policy.ts';
import { matchesRule, parseHost, parseHostRule, type Host, type HostRule } from './host-rules.ts';

/** Where a connection may go: to this address and no other, whatever the name resolves to a moment later. */
export type Route = { readonly allowed: true; readonly host: Host; readonly address: string } | RefusedRoute;

export type RefusedRoute = {
  readonly allowed: false;
  readonly why: 'malformed' | 'unlisted' | 'denied' | 'unresolved' | 'private';
  readonly reason: string;
  /** As it was asked for. */
  readonly authority: string;
  /** Absent: it names none. */
  readonly host?: Host;
};

export type HostJudge = (authority: string, defaultPort?: number) => Promise<Route>;

/** A rule that can't be parsed allows nothing; among the denied ones it denies everything. */
export function createHostJudge(policy: NetworkPolicy, resolve: Resolve): HostJudge {
  const allowed = rulesOf(policy.allowedDomains);
  const denied = (policy.deniedDomains ?? []).map(parseHostRule);
  return async (authority, defaultPort) => {
    const host = parseHost(authority, defaultPort);
    const refused = (why: RefusedRoute['why'], reason: string): RefusedRoute => ({
      allowed: false,
      why,
      reason,
      authority,
      ...(host === null ? {} : { host }),
    });
    if (host === null) return refused('malformed', `${JSON.stringify(authority)} names no host and port`);
    const isDenied = denied.some((rule) => rule === null || matchesRule(host, { ...rule, port: host.port }));
    if (isDenied || !allowed.some((rule) => matchesRule(host, rule)))
      return refused(isDenied ? 'denied' : 'unlisted', `${host.name}:${host.port} is not among the allowed domains`);
    const addresses = await resolve(host.name).catch(() => []);
    const [address] = addresses;
    if (address === undefined) return refused('unresolved', `${host.name} can't be resolved`);
    if (!addresses.every(isPublicAddress)) return refused('private', `${host.name} leads to a private address`);
    return { allowed: true, host, address };
  };
}

export function rulesOf(domains: ReadonlyArray<string> | undefined): ReadonlyArray<HostRule> {
  return (domains ?? []).map(parseHostRule).filter((rule) => rule !== null);
}
