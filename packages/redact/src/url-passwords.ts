import type { Anchor } from './anchors.ts';
import { AUTHORITY, NOT_SPACE_OR_SLASH } from './characters.ts';
import { isPlaceholder } from './judge-value.ts';
import { runEnd, type SearchedText, type Span } from './searched-text.ts';

export const URL_KIND = 'url-password';

/** `scheme://user:password@host`. The user's name stays, unless the "password" only says that the name is a token. */
export function urlAnchors(): ReadonlyArray<Anchor> {
  return [{ literal: '://', letters: 'exact', stands: 'before', match: matchUrlPassword }];
}

/** Schemes whose passwords are often written without escaping. */
const DATABASE = /(?:mongodb(?:\+srv)?|mysqlx?|postgres(?:ql)?|rediss?|amqps?|mssql|sqlserver|clickhouse|mariadb)$/i;
const MASK = /\[redacted:[a-z0-9-]{1,40}\]/g;
const HIDDEN = '\0';
const MAX_AUTHORITY = 600;

function matchUrlPassword(searched: SearchedText, at: number): Span | null {
  const scheme = searched.text.slice(Math.max(0, at - 14), at);
  const from = at + 3;
  searched.secretFrom = from;
  const set = DATABASE.test(scheme) ? NOT_SPACE_OR_SLASH : AUTHORITY;
  const end = Math.min(runEnd(searched, from, set), from + MAX_AUTHORITY);
  const authority = searched.text.slice(from, end).replaceAll(MASK, (mask) => HIDDEN.repeat(mask.length));
  const colon = authority.indexOf(':');
  const sign = set === AUTHORITY ? authority.lastIndexOf('@') : authority.indexOf('@', colon);
  if (colon === -1 || sign <= colon) return null;
  const password = authority.slice(colon + 1, sign);
  if (password === 'x-oauth-basic')
    return colon > 0 && !authority.startsWith(HIDDEN) ? { start: from, end: from + colon, kind: URL_KIND } : null;
  if (password.length < 3 || password.includes(HIDDEN) || isPlaceholder(password) || /^\d{1,5}[?#]/.test(password))
    return null;
  return { start: from + colon + 1, end: from + sign, kind: URL_KIND };
}
