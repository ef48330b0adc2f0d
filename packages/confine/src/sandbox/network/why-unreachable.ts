import { kindOfAddress } from '../../network/public-address.ts';
import { matchesRule, parseHost, parseHostRule } from './host-rules.ts';
import { rulesOf } from './judge-host.ts';
import type { NetworkPolicy } from './network-policy.ts';

const PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/**
 * Why no command inside reaches an address of the web, whatever anybody allows, and which setting would change that; null if one may, or if
 * it is no such address. The loopback inside is the sandbox's own, and a command may have started a server there.
 */
export function whyUnreachable({ allowedDomains, deniedDomains = [] }: NetworkPolicy, address: string): string | null {
  const url = URL.parse(address);
  const host = url === null ? null : parseHost(url.host, PORTS[url.protocol]);
  if (host === null || isOwn(host.name)) return null;
  const isDenied = deniedDomains
    .map(parseHostRule)
    .some((rule) => rule === null || matchesRule(host, { ...rule, port: host.port }));
  if (isDenied) return `${host.name} is denied to commands by "sandbox.network.deniedDomains"`;
  const allowed = rulesOf(allowedDomains);
  if (allowed.some((rule) => matchesRule(host, rule))) return null;
  const what = allowed.length === 0 ? 'has no network for commands' : `lets commands reach no ${host.name}`;
  const port = host.port === 80 || host.port === 443 ? '' : `:${host.port}`;
  return `the sandbox ${what}; "sandbox.network.allowedDomains" with ${JSON.stringify(host.name + port)} would allow it`;
}

function isOwn(name: string): boolean {
  return (
    name === 'localhost' || name.endsWith('.localhost') || kindOfAddress(name.replaceAll(/[[\]]/g, '')) === 'loopback'
  );
}
