/** Long pastes, by number: the editor shows a word for each, and what is said has all of it. */
export type Pastes = ReadonlyArray<{ readonly shown: string; readonly text: string }>;

const MOST_LINES = 10;
const MOST_CHARACTERS = 2_000;

/** A short paste is shown as it is. */
export function foldPaste(pastes: Pastes, text: string): { readonly pastes: Pastes; readonly shown: string } {
  const lines = text.replace(/\n$/, '').split('\n').length;
  if (lines <= MOST_LINES && text.length <= MOST_CHARACTERS) return { pastes, shown: text };
  const size = lines > 1 ? `${lines.toLocaleString('en')} lines` : `${text.length.toLocaleString('en')} characters`;
  const shown = `[paste ${pastes.length + 1}: ${size}]`;
  return { pastes: [...pastes, { shown, text }], shown };
}

/** The text with every paste in its place; a word that a person changed is text like any other. */
export function unfold(pastes: Pastes, text: string): string {
  return pastes.reduce((whole, { shown, text: pasted }) => whole.replaceAll(shown, () => pasted), text);
}
