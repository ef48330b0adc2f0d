import type { Command, ParsedScript, PipelineNode, Word } from 'unbash';

/**
 * What a text that is only known when it runs can be.
 * text  anything, of a command of the same script or a line that it reads
 * tame  words of letters, digits and plain signs: nothing that the shell or a program takes for more than text
 * hash  names of commits, or nothing
 * pipe  the name of a pipe from which a command of the same script is read
 */
export type Shape = 'text' | 'tame' | 'hash' | 'pipe';

/** What `$(…)` gives, by its last command. */
export function outputOf(script: ParsedScript): Shape {
  const last = lastCommand(script);
  const name = last?.name;
  if (last === null || name === undefined || name.parts !== undefined) return 'text';
  const words = last.args.map((word) => (word.type === 'Word' && isWritten(word) ? word.value : null));
  const known = words.filter((word) => word !== null);
  if (known.length < words.length) return 'text';
  if (name.value === 'git') return isHash(known) ? 'hash' : 'text';
  const isTame = Object.hasOwn(TAME, name.value) ? TAME[name.value] : undefined;
  return isTame?.(known) === true ? 'tame' : 'text';
}

/** Nothing in it is expanded, in quotes or without. */
function isWritten({ parts = [] }: Word): boolean {
  return parts.every(
    (part) =>
      part.type === 'Literal' ||
      part.type === 'SingleQuoted' ||
      (part.type === 'DoubleQuoted' && part.parts.every(({ type }) => type === 'Literal')),
  );
}

function lastCommand({ commands, errors }: ParsedScript): Command | null {
  const [only, ...others] = commands;
  if (only === undefined || others.length > 0 || (errors ?? []).length > 0) return null;
  const node: PipelineNode | { readonly type: 'AndOr' } = only.command;
  const last = node.type === 'Pipeline' ? node.commands.at(-1) : node;
  return last?.type === 'Command' ? last : null;
}

/** Hashes, or the word itself where there is no such commit. */
function isHash([subcommand, ...words]: ReadonlyArray<string>): boolean {
  const operands = words.filter((word) => !word.startsWith('-'));
  if (!operands.every((word) => /^[\w./~^@{}-]+$/.test(word))) return false;
  if (subcommand === 'merge-base')
    return words.every((word) => !word.startsWith('-') || /^--?(?:a|all|fork-point)$/.test(word));
  return (
    subcommand === 'rev-parse' &&
    operands.length === 1 &&
    words.every((word) => !word.startsWith('-') || /^(?:-q|--quiet|--verify|--short(?:=\d+)?)$/.test(word))
  );
}

const plain = (words: ReadonlyArray<string>): boolean => words.every((word) => /^[\w+%:/.,-]*$/.test(word));

const TAME: Readonly<Record<string, (words: ReadonlyArray<string>) => boolean>> = {
  arch: plain,
  basename: plain,
  date: (words) => words.every((word) => /^[\w+%:/., -]*$/.test(word)),
  dirname: plain,
  id: plain,
  nproc: plain,
  seq: plain,
  uname: plain,
  wc: plain,
  whoami: plain,
};
