import { isCharacter, type Key, type KeyEvent, keyNamed, typed } from './key.ts';
import { keyOfCsi, keyOfSs3 } from './sequences.ts';

/**
 * Input of a terminal → keys, pastes and replies, one after the other:
 *
 *   paste  = CSI "200~" anything CSI "201~"
 *   csi    = ESC "[" (0x30–0x3f)* (0x20–0x2f)* (0x40–0x7e)          a key; with "?", ">" or "<" in front a reply
 *   ss3    = ESC "O" letter                                          a key
 *   string = ESC ("]" | "P" | "_" | "^" | "X") anything (BEL | ESC "\")   a reply
 *   alt    = ESC key                                                 the key with Alt
 *   key    = control | character
 *
 * However the input is split, the same events come out. A sequence that is not whole waits: `flush` says that nothing more comes, and a
 * lone ESC is then the key Escape. Nothing of a sequence is ever typed text, known or not.
 */
export type KeyParser = {
  readonly feed: (text: string) => ReadonlyArray<KeyEvent>;
  readonly flush: () => ReadonlyArray<KeyEvent>;
  /** What it waits for: a paste may take long, a sequence does not. */
  readonly waiting: () => 'nothing' | 'sequence' | 'paste';
};

export function createKeyParser(): KeyParser {
  let kept = '';
  /** Pieces of a paste that has not ended; its end may be cut in two by a split, so the last characters stay in `kept`. */
  let pasted: string[] | null = null;

  const read = (text: string): KeyEvent[] => {
    kept += text;
    const events: KeyEvent[] = [];
    while (kept !== '') {
      if (pasted !== null && !readPaste(events)) break;
      if (kept === '') break;
      const step = next(kept);
      if (step === null) break;
      kept = kept.slice(step.length);
      if (step.event === 'paste') pasted = [];
      else if (step.event !== null) events.push(step.event);
    }
    return events;
  };
  /** Whether the paste has ended. */
  const readPaste = (events: KeyEvent[]): boolean => {
    const end = kept.indexOf(PASTE_END);
    if (end < 0) {
      const safe = Math.max(0, kept.length - PASTE_END.length + 1);
      pasted?.push(kept.slice(0, safe));
      kept = kept.slice(safe);
      return false;
    }
    events.push(pasteOf([...(pasted ?? []), kept.slice(0, end)]));
    kept = kept.slice(end + PASTE_END.length);
    pasted = null;
    return true;
  };
  return {
    feed: read,
    flush: () => {
      const events: KeyEvent[] = [];
      if (pasted !== null) {
        events.push(pasteOf([...pasted, kept]));
        pasted = null;
        kept = '';
      }
      if (kept === ESC || kept === ESC + ESC) events.push(...kept.split('').map(() => keyNamed('escape')));
      else if (/^\u001b[[O\]P_^X]$/.test(kept)) events.push(keyNamed(kept.slice(1).toLowerCase(), { alt: true }));
      kept = '';
      return events;
    },
    waiting: () => (pasted !== null ? 'paste' : kept === '' ? 'nothing' : 'sequence'),
  };
}

const ESC = '\u001b';
const PASTE_END = '\u001b[201~';

function pasteOf(pieces: ReadonlyArray<string>): KeyEvent {
  return { type: 'paste', text: pieces.join('').replaceAll(/\r\n?/g, '\n') };
}

/** How much of the input is one event; `null` for input that is not whole. */
type Step = { readonly length: number; readonly event: KeyEvent | 'paste' | null };

const CSI = /^\u001b\[([\u0030-\u003f]*[\u0020-\u002f]*[\u0040-\u007e])/;
const CSI_PART = /^\u001b\[[\u0030-\u003f]*[\u0020-\u002f]*$/;
const STRING_START = /^\u001b[\]P_^X]/;
const STRING = /^\u001b[\]P_^X]([^\u0007\u001b]*)(?:\u0007|\u001b\\|(?=\u001b[^\\]))/;

function next(text: string): Step | null {
  if (!text.startsWith(ESC)) return ofCharacter(text);
  if (text.length === 1) return null;
  if (text[1] === '[') return ofCsi(text);
  if (text[1] === 'O') return ofSs3(text);
  if (STRING_START.test(text)) return ofString(text);
  // Two escapes are a key each, unless the second begins a sequence: then Alt was held.
  if (text[1] === ESC) return ofTwoEscapes(text);
  const after = ofCharacter(text.slice(1));
  return after === null ? null : { length: after.length + 1, event: withAlt(after.event) };
}

function ofTwoEscapes(text: string): Step | null {
  if (text.length === 2) return null;
  if (text[2] !== '[' && text[2] !== 'O') return { length: 1, event: keyNamed('escape') };
  const inner = next(text.slice(1));
  return inner === null ? null : { length: inner.length + 1, event: withAlt(inner.event) };
}

function withAlt(event: Step['event']): Step['event'] {
  if (event === null || event === 'paste' || event.type !== 'key') return event;
  const { name, ctrl, shift } = event;
  const isUpper = isCharacter(name) && name !== name.toLowerCase();
  return keyNamed(name.toLowerCase(), { alt: true, ctrl, shift: shift || isUpper });
}

function ofCsi(text: string): Step | null {
  const [all, body = ''] = CSI.exec(text) ?? [];
  // What can't become a sequence any more is left out up to where it broke.
  if (all === undefined) return CSI_PART.test(text) ? null : { length: 2, event: null };
  if (body === '200~') return { length: all.length, event: 'paste' };
  if (/^[?<=>]/.test(body)) return { length: all.length, event: { type: 'reply', text: body } };
  return { length: all.length, event: keyOfCsi(body) };
}

function ofSs3(text: string): Step | null {
  const letter = text[2];
  return letter === undefined ? null : { length: 3, event: keyOfSs3(letter) };
}

function ofString(text: string): Step | null {
  const [all, body = ''] = STRING.exec(text) ?? [];
  return all === undefined ? null : { length: all.length, event: { type: 'reply', text: `${text[1] ?? ''}${body}` } };
}

const CONTROLS: Readonly<Record<string, Key>> = {
  '\r': keyNamed('enter'),
  '\n': keyNamed('j', { ctrl: true }),
  '\t': keyNamed('tab'),
  '\u007f': keyNamed('backspace'),
  '\b': keyNamed('h', { ctrl: true }),
  '\0': keyNamed('space', { ctrl: true }),
  '\u001c': keyNamed('\\', { ctrl: true }),
  '\u001d': keyNamed(']', { ctrl: true }),
  '\u001e': keyNamed('^', { ctrl: true }),
  '\u001f': keyNamed('_', { ctrl: true }),
};

function ofCharacter(text: string): Step | null {
  const code = text.codePointAt(0) ?? 0;
  // Half of a character waits for the other half.
  if (code >= 0xd800 && code <= 0xdbff && text.length === 1) return null;
  const character = String.fromCodePoint(code);
  const control = CONTROLS[character];
  if (control !== undefined) return { length: 1, event: control };
  if (code < 32) return { length: 1, event: keyNamed(String.fromCharCode(code + 96), { ctrl: true }) };
  if (code >= 0x80 && code < 0xa0) return { length: 1, event: null };
  return { length: character.length, event: typed(character) };
}
