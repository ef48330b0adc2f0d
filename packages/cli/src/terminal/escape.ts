/**
 * Text from models, tools and files is hostile to a terminal: every control character but tab and newline, and every
 * character that turns the direction of text or is not drawn at all, is shown as its code point instead of being obeyed. What joins
 * letters and emoji stays: languages are written with it.
 */
export function readableText(text: string): string {
  return text.replace(HOSTILE, (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`);
}

// C0 but tab and newline, DEL, C1, the bidirectional controls, separators of lines, and what takes no room: soft hyphens, zero-width
// spaces, invisible operators, marks of byte order and tags.
const HOSTILE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;
