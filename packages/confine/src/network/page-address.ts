import { hostRelation } from './host-labels.ts';

/** What a page's address must satisfy before anything is resolved or connected. */
export type UrlRules = {
  /** Given: only hosts that one of these covers. */
  readonly allowDomains?: ReadonlyArray<string>;
  /** Overrides what is allowed. */
  readonly denyDomains?: ReadonlyArray<string>;
  /** Besides 80, 443, 8080 and 8443. */
  readonly ports?: ReadonlyArray<number>;
  /** This machine itself may be reached, on any port. For tests and for servers that the agent starts. */
  readonly allowLoopback?: boolean;
};

export type CheckedUrl = { readonly ok: true; readonly url: URL } | { readonly ok: false; readonly message: string };

const PORTS: ReadonlySet<number> = new Set([80, 443, 8080, 8443]);
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

export function checkUrl(text: string, rules: UrlRules): CheckedUrl {
  const url = URL.parse(text);
  if (url === null) return refused(`${text.slice(0, 200)} is not a complete URL: give it with https:// and host.`);
  const defaultPort = DEFAULT_PORTS[url.protocol];
  if (defaultPort === undefined) return refused(`Only http and https can be fetched, not ${url.protocol}`);
  if (url.username !== '' || url.password !== '')
    return refused('A URL with a user name or password is not fetched: leave them out.');
  const host = hostOf(url);
  if (host === '') return refused('The URL has no host.');
  if (rules.denyDomains?.some((rule) => hostMatches(host, rule)) === true)
    return refused(`${host} may not be fetched: its domain is denied.`);
  if (rules.allowDomains?.some((rule) => hostMatches(host, rule)) === false)
    return refused(`${host} may not be fetched: only ${rules.allowDomains.join(', ')} may.`);
  const port = url.port === '' ? defaultPort : Number(url.port);
  if (!PORTS.has(port) && rules.ports?.includes(port) !== true && rules.allowLoopback !== true)
    return refused(`Port ${port} is not fetched from: only ${[...PORTS, ...(rules.ports ?? [])].join(', ')} are.`);
  return { ok: true, url };
}

/** Lower case, IDN as punycode, IPv6 without brackets, no dot at the end. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

/** `example.com` covers itself and its subdomains, `*.example.com` only the subdomains. */
export function hostMatches(host: string, rule: string): boolean {
  const onlyBelow = rule.startsWith('*.');
  const wanted = nameOf(onlyBelow ? rule.slice(2) : rule);
  const given = nameOf(host);
  if (wanted === null || given === null) return false;
  const relation = hostRelation(given, wanted);
  return relation === 'below' || (relation === 'same' && !onlyBelow);
}

/** A rule that is not a host name covers nothing. */
function nameOf(text: string): string | null {
  const url = URL.parse(`http://${text.includes(':') && !text.startsWith('[') ? `[${text}]` : text}/`);
  if (url === null || url.username !== '' || url.pathname !== '/' || url.port !== '') return null;
  const host = hostOf(url);
  return host === '' ? null : host;
}

function refused(message: string): CheckedUrl {
  return { ok: false, message };
}
