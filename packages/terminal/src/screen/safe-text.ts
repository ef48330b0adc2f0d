/**
 * Text as a terminal may have it: whatever it would obey, whatever turns the direction of text and whatever is invisible is shown as its
 * code point. A tab stays.
 */
export function safeText(text: string): string {
  return SAFE.test(text) ? text : text.replace(HOSTILE, (one) => `\\u{${one.codePointAt(0)?.toString(16) ?? ''}}`);
}

const SAFE = /^[\t\x20-\x7e]*$/;

// C0 except tab, DEL, C1, lone surrogates, bidirectional controls, line separators, and characters without width.
const HOSTILE =
  /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{d800}-\u{dfff}\u{e0000}-\u{e007f}]/gu;
