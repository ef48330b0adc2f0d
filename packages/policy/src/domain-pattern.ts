import { hostRelation } from '@attractor/confine';

/*
 * Hosts in rules, compared label by label and never as text:
 *   pattern := '*' | ['*.'] host        '*.' stands for one or more labels before the host, never for none
 * Case, a dot at the end and the spelling of international names make no difference; port and user are no part of a host.
 */

/** Null when the text is no host pattern. */
export function readDomainPattern(text: string): ((host: string) => boolean) | null {
  if (text === '*') return () => true;
  const below = text.startsWith('*.');
  const wanted = plainHost(below ? text.slice(2) : text);
  if (wanted === null) return null;
  return (host) => hostRelation(host, wanted) === (below ? 'below' : 'same');
}

/** The host that a URL really leads to; null when it leads to none. */
export function hostOf(url: string): string | null {
  try {
    const { protocol, hostname } = new URL(url);
    return protocol === 'https:' || protocol === 'http:' ? withoutDot(hostname) : null;
  } catch {
    return null;
  }
}

function plainHost(text: string): string | null {
  if (text === '' || /[\s/@?#*\\]/.test(text) || /:\d*$/.test(text.replace(/^\[.*\]$/, ''))) return null;
  const host = hostOf(`http://${text}/`);
  return host === null || host === '' || host.split('.').includes('') ? null : host;
}

function withoutDot(host: string): string {
  return host.endsWith('.') ? host.slice(0, -1) : host;
}
