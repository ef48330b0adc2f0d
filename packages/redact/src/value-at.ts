import { BARE_VALUE, IN_APOSTROPHES, IN_BACKTICKS, IN_QUOTES, NOT_SPACE, type CharacterClass } from './characters.ts';
import { charAt, runEnd, type SearchedText } from './searched-text.ts';

export type Value = { readonly start: number; readonly end: number; readonly quoted: boolean };

const INSIDE: Readonly<Record<string, CharacterClass>> = { '"': IN_QUOTES, "'": IN_APOSTROPHES, '`': IN_BACKTICKS };
const MAX_ESCAPES = 16;
const CHECKED = 4096;
const MASK = '[redacted:';

/**
 * The value that begins there: inside its quotes (which may be escaped, as in JSON inside JSON), or up to what can't be part of it.
 * `line`: only white space ends a bare value. It ends before a mask, so masked text is not judged again.
 */
export function valueAt(searched: SearchedText, from: number, bare: 'word' | 'line'): Value | null {
  searched.secretFrom = from;
  let at = from;
  while (charAt(searched, at) === '\\' && at < from + 4) at++;
  const inside = INSIDE[charAt(searched, at)];
  const value =
    inside === undefined ? bareValue(searched, from, bare) : quotedValue(searched, at, { inside, slashes: at - from });
  const mask = searched.text.slice(value.start, Math.min(value.end, value.start + CHECKED)).indexOf(MASK);
  const end = mask === -1 ? value.end : value.start + mask;
  return end > value.start ? { ...value, end } : null;
}

type Quote = { readonly inside: CharacterClass; readonly slashes: number };

/** Escapes inside the value are skipped; an escaped quote is ended by one with as many backslashes. */
function quotedValue(searched: SearchedText, at: number, { inside, slashes }: Quote): Value {
  const quote = searched.text[at] ?? '';
  const start = at + 1;
  let end = runEnd(searched, start, inside);
  for (let escapes = 0; escapes < MAX_ESCAPES && searched.text[end] === '\\'; escapes++) {
    let after = end;
    while (charAt(searched, after) === '\\') after++;
    if (charAt(searched, after) === quote && after - end <= slashes) break;
    end = runEnd(searched, after + 1, inside);
  }
  return { start, end: Math.min(end, searched.text.length), quoted: true };
}

function bareValue(searched: SearchedText, start: number, bare: 'word' | 'line'): Value {
  let end = runEnd(searched, start, bare === 'line' ? NOT_SPACE : BARE_VALUE);
  if (bare === 'line') {
    const stop = /\\[nrt"'u]|["'`]/.exec(searched.text.slice(start, Math.min(end, start + CHECKED)));
    if (stop !== null) end = start + stop.index;
  }
  return { start, end, quoted: false };
}
