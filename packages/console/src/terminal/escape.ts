/**
 * Text from models, tools and files is hostile to a terminal: every control character except tab and newline, and every character that
 * changes the text direction or is invisible, is shown as its code point instead. Joiners of letters and emoji stay, because languages need
 * them.
 */
export function readableText(text: string): string {
  return text.replace(HOSTILE, (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`);
}

// C0 except tab and newline, DEL, C1, bidirectional controls, line separators, and characters without width: soft hyphens, zero-width
// spaces, invisible operators, byte order marks and tags.
export const HOSTILE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;
