import { hostRelation } from '@attractor/confine';

/*
 * Hosts in rules, compared label by label and never as text:
 *   pattern := '*' | ['*.'] host        '*.' matches one or more labels before the host, never none
 * Case, a trailing dot and the spelling of international names make no difference; port and user are not part of a host.
 */

/** Null if the text is not a host pattern. */
export function readDomainPattern(text: string): ((host: string) => boolean) | null {
  if (text === '*') return () => true;
  const below = text.startsWith('*.');
  const wanted = plainHost(below ? text.slice(2) : text);
  if (wanted === null) return null;
  return (host) => hostRelation(host, wanted) === (below ? 'below' : 'same');
}

/** The host of a URL; null if it has none. */
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
