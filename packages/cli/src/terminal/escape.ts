/**
 * Text from models, tools and files is hostile to a terminal: every control character but tab and newline, and every
 * character that turns the direction of text, is shown as its code point instead of being obeyed.
 */
export function readableText(text: string): string {
  return text.replace(HOSTILE, (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`);
}

// C0 but tab and newline, DEL, C1, and the bidirectional controls.
const HOSTILE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
