import { hostRelation } from '../../network/host-labels.ts';

/**
 * Rules for hosts: `example.com` is that host alone, `*.example.com` every name below it, `example.com:8443` has its own port; without one,
 * 80 and 443 are meant. Names are compared label by label, in the form in which they are resolved. An invalid rule matches nothing.
 */
export type HostRule = {
  readonly name: string;
  readonly below: boolean;
  readonly port: number | null;
};

export type Host = { readonly name: string; readonly port: number };

const WEB_PORTS = new Set([80, 443]);

export function parseHostRule(text: string): HostRule | null {
  const [, star, name = '', port] = /^(\*\.)?([^\s:/?#@*[\]]+)(?::(\d{1,5}))?$/.exec(text.trim()) ?? [];
  const canonical = canonicalName(name);
  if (canonical === null) return null;
  return { name: canonical, below: star !== undefined, port: port === undefined ? null : Number(port) };
}

/** The authority of a request, `host:port`. Null if it is anything else: a name with a password before it, a path after it. */
export function parseHost(authority: string, defaultPort?: number): Host | null {
  const [, bracketed, plain, port] =
    /^(?:(\[[0-9a-fA-F:.]+\])|([^\s:/?#@[\]\\%]+))(?::(\d{1,5}))?$/.exec(authority) ?? [];
  const name = canonicalName(bracketed ?? plain ?? '');
  const number = port === undefined ? defaultPort : Number(port);
  if (name === null || number === undefined || number < 1 || number > 65_535) return null;
  return { name, port: number };
}

export function matchesRule(host: Host, rule: HostRule): boolean {
  const isName = hostRelation(host.name, rule.name) === (rule.below ? 'below' : 'same');
  return isName && (rule.port === null ? WEB_PORTS.has(host.port) : rule.port === host.port);
}

/** As it would be resolved: lower case, IDN as ASCII, no dot at the end, numbers as an address. */
function canonicalName(text: string): string | null {
  if (text === '' || !URL.canParse(`http://${text}/`)) return null;
  const { hostname, host, username, password, pathname } = new URL(`http://${text}/`);
  if (host !== hostname || username !== '' || password !== '' || pathname !== '/') return null;
  const name = hostname.replace(/\.$/, '');
  return name === '' || name.startsWith('.') || name.includes('..') ? null : name;
}
