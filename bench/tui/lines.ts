/** What an answer is made of. */
export type LineKind = 'plain' | 'markdown' | 'row';

export const LINE_KINDS: ReadonlyArray<LineKind> = ['plain', 'markdown', 'row'];

const LINES: Readonly<Record<LineKind, (at: number) => string>> = {
  plain: (at) => `Line ${String(at).padStart(6, '0')} of an answer in plain words.\n\n`,
  markdown: (at) => `- item ${String(at).padStart(6, '0')} with **bold**, \`code\` and words\n`,
  row: (at) => `Row ${at} of the answer.\n\n`,
};

/** Said after the last line. */
export const THE_END = 'THE END.';

export function answerOf(lines: number, kind: LineKind): ReadonlyArray<string> {
  return [...Array.from({ length: lines }, (_, at) => LINES[kind](at)), `\n\n${THE_END}`];
}
