/** A set of characters. Characters beyond ASCII are all in it or all out. */
export type CharacterClass = { readonly id: number; readonly members: Uint8Array; readonly beyond: 0 | 1 };

const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
const SPACES = ' \t\r\n\v\f';

export const LETTER = only(0, UPPER + LOWER);
export const UPPER_DIGIT = only(1, UPPER + DIGITS);
export const ALPHANUMERIC = only(2, UPPER + LOWER + DIGITS);
export const WORD = only(3, `${UPPER}${LOWER}${DIGITS}_`);
export const WORD_DASH = only(4, `${UPPER}${LOWER}${DIGITS}_-`);
export const WORD_DASH_DOT = only(5, `${UPPER}${LOWER}${DIGITS}_.-`);
export const BASE64 = only(6, `${UPPER}${LOWER}${DIGITS}+/=`);
export const BASE64_ANY = only(7, `${UPPER}${LOWER}${DIGITS}+/=_.~%-`);
export const HEX = only(8, `${DIGITS}abcdefABCDEF`);
/** What may come between `://` and the path: `user:password@host:port`. */
export const AUTHORITY = only(9, `${UPPER}${LOWER}${DIGITS}._~%!$&*+;=^:@#?[]-`);
export const NOT_SPACE = allBut(10, SPACES);
export const NOT_SPACE_OR_SLASH = allBut(11, `${SPACES}/`);
/** The value of an assignment without quotes. */
export const BARE_VALUE = allBut(12, `${SPACES}"'\`\\,;&)}]<>|`);
export const IN_QUOTES = allBut(13, '"\\\n\r');
export const IN_APOSTROPHES = allBut(14, "'\\\n\r");
export const IN_BACKTICKS = allBut(15, '`\\\n\r');
export const HEADER_VALUE = allBut(16, '"\'`\\\n\r<>');
/** The lines of a key as shown in files, listings with line numbers, JSON strings and source code. */
export const KEY_TEXT = allBut(17, '{}[]?`;$', 'out');
export const PEM_LABEL = only(18, `${UPPER}${DIGITS} `);
export const CLASSES = 19;

export function isIn(set: CharacterClass, code: number): boolean {
  return code < 128 ? set.members[code] === 1 : set.beyond === 1;
}

function only(id: number, members: string): CharacterClass {
  return { id, members: marked(new Uint8Array(128), members, 1), beyond: 0 };
}

function allBut(id: number, outsiders: string, beyond: 'in' | 'out' = 'in'): CharacterClass {
  return { id, members: marked(new Uint8Array(128).fill(1), outsiders, 0), beyond: beyond === 'in' ? 1 : 0 };
}

/** Every program that starts makes all of these, so they are made in the cheapest way. */
function marked(members: Uint8Array, characters: string, mark: 0 | 1): Uint8Array {
  for (let at = 0; at < characters.length; at += 1) members[characters.charCodeAt(at)] = mark;
  return members;
}
