import { BARE_VALUE, IN_APOSTROPHES, IN_BACKTICKS, IN_QUOTES, NOT_SPACE, type CharacterClass } from './characters.ts';
import { charAt, runEnd, type Sight } from './sight.ts';

export type Value = { readonly start: number; readonly end: number; readonly quoted: boolean };

const INSIDE: Readonly<Record<string, CharacterClass>> = { '"': IN_QUOTES, "'": IN_APOSTROPHES, '`': IN_BACKTICKS };
const MAX_ESCAPES = 16;
const CHECKED = 4096;
const MASK = '[redacted:';

/**
 * The value that begins there: inside its quotes (which may be escaped, as in JSON within JSON), or up to what can't be part of it.
 * `line`: only white space ends a bare value. It ends before a mask, so what was masked is not judged again.
 */
export function valueAt(sight: Sight, from: number, bare: 'word' | 'line'): Value | null {
  sight.secretFrom = from;
  let at = from;
  while (charAt(sight, at) === '\\' && at < from + 4) at++;
  const inside = INSIDE[charAt(sight, at)];
  const value =
    inside === undefined ? bareValue(sight, from, bare) : quotedValue(sight, at, { inside, slashes: at - from });
  const mask = sight.text.slice(value.start, Math.min(value.end, value.start + CHECKED)).indexOf(MASK);
  const end = mask === -1 ? value.end : value.start + mask;
  return end > value.start ? { ...value, end } : null;
}

type Quote = { readonly inside: CharacterClass; readonly slashes: number };

/** Escapes within the value are passed over; an escaped quote is ended by one with as many backslashes. */
function quotedValue(sight: Sight, at: number, { inside, slashes }: Quote): Value {
  const quote = sight.text[at] ?? '';
  const start = at + 1;
  let end = runEnd(sight, start, inside);
  for (let escapes = 0; escapes < MAX_ESCAPES && sight.text[end] === '\\'; escapes++) {
    let after = end;
    while (charAt(sight, after) === '\\') after++;
    if (charAt(sight, after) === quote && after - end <= slashes) break;
    end = runEnd(sight, after + 1, inside);
  }
  return { start, end: Math.min(end, sight.text.length), quoted: true };
}

function bareValue(sight: Sight, start: number, bare: 'word' | 'line'): Value {
  let end = runEnd(sight, start, bare === 'line' ? NOT_SPACE : BARE_VALUE);
  if (bare === 'line') {
    const stop = /\\[nrt"'u]|["'`]/.exec(sight.text.slice(start, Math.min(end, start + CHECKED)));
    if (stop !== null) end = start + stop.index;
  }
  return { start, end, quoted: false };
}
