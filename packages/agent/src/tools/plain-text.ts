const ESCAPE = String.fromCharCode(27);
const BELL = String.fromCharCode(7);

/** Terminal sequences: OSC and other strings, CSI codes, other escapes. */
const SEQUENCES = new RegExp(
  [
    `${ESCAPE}\\][^${BELL}${ESCAPE}]*(?:${BELL}|${ESCAPE}\\\\)?`,
    `${ESCAPE}[PX^_][^${ESCAPE}]*(?:${ESCAPE}\\\\)?`,
    `${ESCAPE}\\[[0-?]*[ -/]*[@-~]`,
    `${ESCAPE}[@-Z\\\\-_]?`,
  ].join('|'),
  'g',
);
const CONTROLS = /(?![\t\n])\p{Cc}/gu;

/** Text that can't control a terminal: colours and cursor moves are dropped, `\r\n` is a newline, a lone `\r` begins a new line. */
export function plainText(text: string): string {
  return text.replaceAll(SEQUENCES, '').replaceAll(/\r+\n/g, '\n').replaceAll('\r', '\n').replaceAll(CONTROLS, '');
}
