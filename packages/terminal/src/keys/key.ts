/** What a person did at the keyboard, or what the terminal answered. */
export type KeyEvent =
  | Key
  /** Pasted text, with line endings as \n. */
  | { readonly type: 'paste'; readonly text: string }
  /** The terminal's answer to a question of ours; never typed text. */
  | { readonly type: 'reply'; readonly text: string };

/**
 * A key. `name` is the character that it types (in lower case, if it is held with Ctrl or Alt), or a word such as `enter`, `escape`, `up`.
 * `text` is what it would insert; absent: nothing.
 */
export type Key = {
  readonly type: 'key';
  readonly name: string;
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
  readonly text?: string;
};

export type Held = { readonly ctrl?: boolean; readonly alt?: boolean; readonly shift?: boolean };

export function keyNamed(name: string, { ctrl = false, alt = false, shift = false }: Held = {}): Key {
  return { type: 'key', name, ctrl, alt, shift };
}

export function typed(text: string): Key {
  return { type: 'key', name: text, ctrl: false, alt: false, shift: false, text };
}

/** Whether a key is named by what it types: one character, however many units it takes. */
export function isCharacter(name: string): boolean {
  return /^.$/su.test(name);
}

/** `ctrl+alt+x`, for tables of what keys do. */
export function chordOf({ name, ctrl, alt, shift }: Key): string {
  const isLetter = isCharacter(name);
  const held = [ctrl ? 'ctrl+' : '', alt ? 'alt+' : '', shift && !isLetter ? 'shift+' : ''];
  return `${held.join('')}${name === ' ' ? 'space' : name}`;
}
