/**
 * Text from models, tools and repositories is hostile. Control characters could hide what a command does, and direction marks could reorder
 * it: both are made visible.
 */
export function showControls(text: string): string {
  return text.replaceAll(HIDDEN, (character, at: number) =>
    isSpelling(text, at) ? character : (NAMES[character] ?? codePoint(character)),
  );
}

/** A joiner between the parts of one picture, and those that Persian and the scripts of India are spelled with, hide nothing. */
function isSpelling(text: string, at: number): boolean {
  if (text[at] !== '\u200c' && text[at] !== '\u200d') return false;
  const isPicture =
    text[at] === '\u200d' &&
    PICTURE_BEFORE.test(text.slice(Math.max(0, at - 4), at)) &&
    PICTURE.test(text.slice(at + 1, at + 3));
  return isPicture || SPELLED.test(`${text[at - 1]}${text[at + 1]}`);
}

/** Sentences of our own are written for a terminal, too: here their quotes are those of print. What is typed stays as it is. */
export function typeset(text: string): string {
  return showControls(text).replaceAll(PLAIN, (all: string, quoted?: string) =>
    all.startsWith('`') ? all : quoted === undefined ? '’' : `“${quoted}”`,
  );
}

/** The same for long output, where terminal colour codes are noise: they are left out. */
export function showOutput(text: string): string {
  return showControls(text.replaceAll('\r\n', '\n').replaceAll(COLOUR, ''));
}

const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;
const PICTURE_BEFORE = /\p{Extended_Pictographic}[\p{Emoji_Modifier}\ufe0f]?$/u;
const PICTURE = /^\p{Extended_Pictographic}/u;
/** From Arabic to Sinhala. */
const SPELLED = /^[\u0620-\u0ddf]{2}$/;
const PLAIN = /`[^`\n]*`|"([^"\n]+)"|(?<=\p{L})'(?=\p{L})/gu;
const COLOUR = /\u001b\[[0-9;:]*[mK]/g;
/** In letters that every font has. */
const NAMES: Readonly<Record<string, string>> = {
  '\u001b': '⟨ESC⟩',
  '\r': '⟨CR⟩',
  '\u0000': '⟨NUL⟩',
  '\u0007': '⟨BEL⟩',
  '\b': '⟨BS⟩',
};

function codePoint(character: string): string {
  return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
