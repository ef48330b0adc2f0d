/**
 * What a person could not see, or would see differently from the shell: control characters, unusual blanks, joiners, text directions, lone
 * surrogates, and padding that pushes text out of sight.
 */
export function screenText(command: string): string | null {
  if (command.length > LONGEST) return `longer than ${LONGEST} characters`;
  const isPlain = SHOWN.test(command);
  const found = isPlain ? null : UNSEEN.exec(command);
  if (found !== null) return `holds the character ${codePoint(found[0])}, which is not shown as what it is`;
  if (!isPlain && !command.isWellFormed()) return 'is not well-formed text';
  if (command.length >= LEAST_PADDING && PADDING.test(command)) return 'hides text behind a long run of blanks';
  if (command.includes('\\\n') && SPLIT_WORD.test(command)) return 'continues a line in the middle of a word';
  return null;
}

const LONGEST = 10_000;

/** Most commands contain nothing else. */
const SHOWN = /^[\t\n\x20-\x7e]*$/;

/** Tab and newline are the only control characters that a command may contain. */
const UNSEEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u00a0\u00ad\u061c\u115f\u1160\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufeff\uffa0\ufff0-\uffff]|\p{Variation_Selector}|\p{Default_Ignorable_Code_Point}|\p{Cf}/u;

const PADDING = /[ \t]{60}|\n{20}/;
const LEAST_PADDING = 20;

/** `$\\⏎{x}`: the shell joins the pieces into something that neither of them is; after a blank there is nothing to join. */
const SPLIT_WORD = /[^ \t\n]\\\n/;

function codePoint(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
