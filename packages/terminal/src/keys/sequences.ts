import { type Held, type Key, keyNamed, typed } from './key.ts';

/** `CSI … letter` and `SS3 letter`. */
const LETTERS: Readonly<Record<string, string>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  E: 'center',
  F: 'end',
  H: 'home',
  M: 'enter',
  P: 'f1',
  Q: 'f2',
  R: 'f3',
  S: 'f4',
};

/** `CSI number ~`. */
const NUMBERS: Readonly<Record<number, string>> = {
  1: 'home',
  2: 'insert',
  3: 'delete',
  4: 'end',
  5: 'pageup',
  6: 'pagedown',
  7: 'home',
  8: 'end',
  11: 'f1',
  12: 'f2',
  13: 'f3',
  14: 'f4',
  15: 'f5',
  17: 'f6',
  18: 'f7',
  19: 'f8',
  20: 'f9',
  21: 'f10',
  23: 'f11',
  24: 'f12',
};

/** Code points that are keys rather than characters, in CSI-u and modifyOtherKeys. */
const CODES: Readonly<Record<number, string>> = {
  8: 'backspace',
  9: 'tab',
  13: 'enter',
  27: 'escape',
  127: 'backspace',
  57_414: 'enter',
  57_417: 'left',
  57_418: 'right',
  57_419: 'up',
  57_420: 'down',
  57_421: 'pageup',
  57_422: 'pagedown',
  57_423: 'home',
  57_424: 'end',
  57_425: 'insert',
  57_426: 'delete',
};

/** The key of a whole `CSI` sequence, given without its introducer: `1;5A`, `27;2;13~`, `13;2u`. Null: it is none. */
export function keyOfCsi(body: string): Key | null {
  const final = body.at(-1) ?? '';
  const fields = body.slice(0, -1).split(';');
  const [first = '', second = ''] = fields;
  if (final === 'Z') return keyNamed('tab', { shift: true });
  if (final === 'u') return keyOfCode(codeIn(first), heldIn(second), isRelease(second));
  if (final === '~' && first === '27') return keyOfCode(codeIn(fields[2] ?? ''), heldIn(second), false);
  if (isRelease(second)) return null;
  if (final === '~') return named(NUMBERS[codeIn(first)], heldIn(second));
  return named(LETTERS[final], heldIn(second));
}

export function keyOfSs3(letter: string): Key | null {
  return named(LETTERS[letter], {});
}

function named(name: string | undefined, held: Held): Key | null {
  return name === undefined ? null : keyNamed(name, held);
}

/** Kitty adds alternatives after a colon: `97:65`. */
function codeIn(field: string): number {
  return Number.parseInt(field.split(':')[0] ?? '', 10);
}

function heldIn(field: string): Held {
  const bits = (Number.parseInt(field, 10) || 1) - 1;
  return { shift: (bits & 1) !== 0, alt: (bits & 2) !== 0 || (bits & 32) !== 0, ctrl: (bits & 4) !== 0 };
}

function isRelease(field: string): boolean {
  return field.split(':')[1] === '3';
}

/** Keys of the keypad, of media players and of modifiers alone lie in a private area: what is not listed types nothing. */
function keyOfCode(code: number, held: Held, isUp: boolean): Key | null {
  if (isUp || !Number.isInteger(code) || code < 0 || code > 0x10_ffff) return null;
  const name = CODES[code];
  if (name !== undefined) return keyNamed(name, held);
  if (code < 32 || (code >= 57_344 && code <= 63_743) || (code >= 0xd800 && code <= 0xdfff)) return null;
  const character = String.fromCodePoint(code);
  if (held.ctrl === true || held.alt === true) return keyNamed(character.toLowerCase(), held);
  return typed(held.shift === true ? character.toUpperCase() : character);
}
