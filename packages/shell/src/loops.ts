import type { While } from 'unbash';
import type { State } from './walk-state.ts';
import { ownText, unknown, type ExpandedWord } from './words.ts';

/** A value that is only known when it runs: of words that are known, or of a text of the script's own. */
export function looped(name: string, values: ReadonlyArray<ExpandedWord>): ExpandedWord {
  const isOwn = values.length > 0 && values.every(({ known, glob, shape }) => (known && !glob) || isShaped(shape));
  const isTame = values.every(({ known, shape }) => !known && shape !== 'text');
  return isOwn ? { ...ownText(name), shape: isTame ? 'tame' : 'text' } : unknown(`$${name}`);
}

function isShaped(shape: ExpandedWord['shape']): boolean {
  return shape !== undefined && shape !== 'pipe';
}

export function distinct(values: ReadonlyArray<ExpandedWord>): ReadonlyArray<ExpandedWord> {
  return [...new Map(values.map((value) => [`${value.glob} ${value.text}`, value])).values()];
}

/** Text of which the shell makes only words, and no names of files. */
export function isWords({ shape, many }: ExpandedWord): boolean {
  return shape !== 'text' || many !== true;
}

/** `while read -r line; do …; done`, which ends with its input. */
export function readsLines({ kind, clause }: While, { fed }: State): boolean {
  const [only, ...others] = clause.commands;
  const command = only?.command;
  return kind === 'while' && fed && others.length === 0 && command?.type === 'Command' && command.name?.text === 'read';
}
