/**
 * A program runs a model's command as `/bin/bash -lc WORD`. What is judged, and shown, is the command in that word: whole, or not at all. The
 * word is read as a shell reads it; with anything in it that a shell would expand, the command stays as it is written.
 *
 * command = shell flags word
 * word    = { "'" … "'" | '"' { escaped | plain } '"' | '\' any | bare }
 */
export function wrappedLine(command: string): string {
  const [, word] = /^(?:\/[\w/.-]*\/)?(?:ba|z)?sh -l?c ([^]+)$/.exec(command) ?? [];
  return word === undefined ? command : (readWord(word) ?? command);
}

const PIECES: ReadonlyArray<readonly [RegExp, (text: string) => string]> = [
  [/^'([^']*)'/, (text) => text],
  [
    /^"((?:[^"\\$`!]|\\[^])*)"/,
    (text) => text.replaceAll(/\\([\\"$`\n])/g, (_all, kept: string) => (kept === '\n' ? '' : kept)),
  ],
  [/^\\([^\n])/, (text) => text],
  [/^([\w@%+=:,./-]+)/, (text) => text],
];

/** Null if it is more than one word, or not plain. */
function readWord(text: string): string | null {
  let [rest, word] = [text, ''];
  while (rest !== '') {
    const piece = PIECES.map(([form, read]) => ({ found: form.exec(rest), read })).find(({ found }) => found !== null);
    if (piece?.found === undefined || piece.found === null) return null;
    word += piece.read(piece.found[1] ?? '');
    rest = rest.slice(piece.found[0].length);
  }
  return word;
}
