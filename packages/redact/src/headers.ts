import type { Anchor } from './anchors.ts';
import { BASE64_ANY, HEADER_VALUE } from './characters.ts';
import { isPlaceholder } from './judge-value.ts';
import { charAt, isWordStart, runEnd, type SearchedText, type Span } from './searched-text.ts';

export const HEADER_KINDS = ['authorization', 'bearer-token', 'cookie', 'basic-auth'] as const;

/** Secrets by their header: as on the wire, in JSON, in lists of names and values, in a command for curl. */
export function headerAnchors(): ReadonlyArray<Anchor> {
  return [
    { literal: 'bearer', letters: 'any', stands: 'before', match: matchBearer },
    { literal: 'horization', letters: 'any', stands: 'before', match: matchAuthorization },
    { literal: 'cookie', letters: 'any', stands: 'before', match: matchCookie },
    { literal: '-u ', letters: 'exact', stands: 'before', match: matchCurlUser },
    { literal: '--user ', letters: 'exact', stands: 'before', match: matchCurlUser },
  ];
}

function matchBearer(searched: SearchedText, at: number, literal: string): Span | null {
  if (!isWordStart(searched, at)) return null;
  const gap = /^[ \t]{1,4}/.exec(searched.text.slice(at + literal.length, at + literal.length + 5));
  if (gap === null) {
    charAt(searched, at + literal.length);
    return null;
  }
  const from = at + literal.length + gap[0].length;
  searched.secretFrom = from;
  const end = runEnd(searched, from, BASE64_ANY);
  const token = searched.text.slice(from, Math.min(end, from + 64)).replace(/[.]+$/, '');
  const isToken = token.length >= 24 || (token.length >= 12 && /\d/.test(token) && /[A-Za-z]/.test(token));
  if (!isToken || isPlaceholder(token) || /^\w+(?:-[a-z]+)+$/.test(token)) return null;
  return { start: from, end, kind: 'bearer-token' };
}

/** `Authorization: Basic …` and the schemes other than bearer; a value without a scheme if it is long. */
function matchAuthorization(searched: SearchedText, at: number, literal: string): Span | null {
  const from = valueStart(searched, at + literal.length);
  if (from === -1) return null;
  const scheme =
    /^(?:Basic|Digest|Negotiate|NTLM|Token|Bot|ApiKey|Api-Key|Key|AWS4-HMAC-SHA256|GoogleLogin)[ \t]{1,4}/i.exec(
      searched.text.slice(from, from + 24),
    );
  const start = from + (scheme?.[0].length ?? 0);
  const wide = scheme !== null && /^(?:Digest|AWS4|GoogleLogin)/i.test(scheme[0]);
  const end = runEnd(searched, start, wide ? HEADER_VALUE : BASE64_ANY);
  const value = searched.text.slice(start, Math.min(end, start + 256));
  const min = scheme === null ? 20 : 8;
  if (value.length < min || isPlaceholder(value) || (scheme === null && !/\d/.test(value))) return null;
  return { start, end, kind: 'authorization' };
}

/** The whole header, from its first value on. */
function matchCookie(searched: SearchedText, at: number, literal: string): Span | null {
  const from = valueStart(searched, at + literal.length);
  if (from === -1) return null;
  const end = runEnd(searched, from, HEADER_VALUE);
  const header = searched.text.slice(from, Math.min(end, from + 512));
  const first = /^[\w.!#$%&*+^|~-]{1,80}=(?=[^;\s=])/.exec(header);
  if (first === null || header.slice(first[0].length).startsWith('[redacted:')) return null;
  const hasSecret = [...header.matchAll(/=([^;\s]{8,})/g)].some(([, value]) => isCookieSecret(value ?? ''));
  return hasSecret ? { start: from + first[0].length, end, kind: 'cookie' } : null;
}

function isCookieSecret(value: string): boolean {
  return (/\d/.test(value) || value.length >= 20) && !isPlaceholder(value);
}

const SIGN = /^\\{0,3}["'`]?\]?[ \t]{0,8}(?:=>|[:=]|(?<=["'`][ \t]{0,8}),)[ \t]{0,8}\\{0,3}["'`]?/;

/** Where the value of the header named just before `from` begins; -1 if it has none. */
function valueStart(searched: SearchedText, from: number): number {
  const near = searched.text.slice(from, from + 32);
  if (near.length < 32 && /^[\\"'`\] \t=>:,]*$/.test(near)) searched.reachedEnd = true;
  const sign = SIGN.exec(near);
  if (sign === null) return -1;
  searched.secretFrom = from + sign[0].length;
  return searched.secretFrom;
}

/** `curl -u user:password`. */
function matchCurlUser(searched: SearchedText, at: number, literal: string): Span | null {
  const line = searched.text.slice(Math.max(0, at - 300), at);
  if (!/(?:^|[^A-Za-z]|\\[nrt])(?:curl|wget|https?)\b[^\n]*\s$/.test(line)) return null;
  const from = at + literal.length;
  searched.secretFrom = from;
  const end = runEnd(searched, from, HEADER_VALUE);
  const user = /^(?:\\?["'])?[^\s:"'\\]{0,80}:/.exec(searched.text.slice(from, from + 90));
  if (user === null) return null;
  const start = from + user[0].length;
  const password =
    /^[^\s"'\\]{4,}/.exec(searched.text.slice(start, Math.max(start, Math.min(end, start + 256))))?.[0] ?? '';
  const isSecret =
    password !== '' && !isPlaceholder(password) && !password.startsWith('$') && !/^\d{1,6}$/.test(password);
  return isSecret ? { start, end: start + password.length, kind: 'basic-auth' } : null;
}
