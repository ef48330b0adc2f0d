/**
 * Text from models, tools and repositories is hostile. Control characters could hide what a command does, and direction marks could reorder
 * it: both are made visible.
 */
export function showControls(text: string): string {
  return text.replaceAll(HIDDEN, (character) => NAMES[character] ?? codePoint(character));
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
