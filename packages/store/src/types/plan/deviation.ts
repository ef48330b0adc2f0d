import { maybe, oneOf, shaped, type Shaped, text } from '../shape.ts';

const KINDS = ['file_not_planned', 'file_not_touched', 'command_not_planned'] as const;

const DEVIATION = { kind: oneOf(KINDS), what: text, detail: maybe(text) };

/** Where the work is not what the plan says: `what` is a path or a command. */
export type Deviation = Shaped<typeof DEVIATION>;

export const deviation = shaped(DEVIATION);

const WORDS: Readonly<Record<Deviation['kind'], string>> = {
  file_not_planned: 'changed, and not in the plan',
  file_not_touched: 'in the plan, and not changed',
  command_not_planned: 'was run, and is not in the plan',
};

/** On one line: names of files and commands are hostile. */
export function deviationLine({ kind, what, detail }: Deviation): string {
  const shown = what.replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').slice(0, 300);
  if (detail === undefined) return `${shown}: ${WORDS[kind]}`;
  // A command with a detail came to nothing: perhaps it was never run.
  return `${shown}: ${kind === 'command_not_planned' ? 'not in the plan' : WORDS[kind]} (${detail})`;
}
