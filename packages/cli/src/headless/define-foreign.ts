import type { Command } from 'commander';
import { type FlagRow, type ForeignLine, InputProblem } from '@attractor/headless';
import { CommandFailure, EXIT, readableText, putText } from '@attractor/console';
import { main as headless } from './main.ts';
import { VERSION } from '../version.ts';

export type Foreign = {
  readonly description: string;
  readonly flags: ReadonlyArray<FlagRow>;
  readonly line: (argv: ReadonlyArray<string>) => ForeignLine;
  readonly finish: (exitCode: number) => void;
  readonly examples: string;
  /** Exit codes of its runs, by ours; absent: ours. */
  readonly exits?: Readonly<Record<number, number>>;
};

/** A command that takes the words of another agent's command line. Its flags are read by the table, not by the command. */
export function defineForeign(command: Command, foreign: Foreign): void {
  const { description, flags, line, finish, examples, exits } = foreign;
  const lineOf = (words: ReadonlyArray<string>): ForeignLine => {
    try {
      return line(words);
    } catch (error) {
      throw error instanceof InputProblem ? new CommandFailure(error.message, EXIT.usage) : error;
    }
  };
  command
    .description(description)
    .argument('[words...]', 'the rest of the line')
    .allowUnknownOption()
    .passThroughOptions()
    .addHelpText('after', `\nFlags:\n${flagLines(flags)}\n${examples}`)
    .action(async (words: ReadonlyArray<string>) => {
      if (isAsked(words, ['--help', '-h'])) return command.outputHelp();
      if (isAsked(words, ['--version', '-V', '-v'])) return void putText(process.stdout, `${VERSION}\n`);
      const { argv, notes, inItsWords } = lineOf(words);
      for (const note of notes) putText(process.stderr, `attractor: ${readableText(note)}\n`);
      const code = await headless(argv, inItsWords);
      finish(exits?.[code] ?? code);
    });
}

/** Scripts ask whether a program is there, and which: `codex --version`, `codex exec --help`. */
function isAsked(words: ReadonlyArray<string>, names: ReadonlyArray<string>): boolean {
  return names.includes(words.at(-1) ?? '') && !words.includes('--');
}

function flagLines(table: ReadonlyArray<FlagRow>): string {
  const width = Math.max(...table.map(({ flag }) => flag.length));
  return table.map(({ flag, here }) => `  ${flag.padEnd(width)}  ${meaning(here)}`).join('\n');
}

const KINDS = { needless: 'not needed', told: 'no effect', refused: 'refused' } as const;

function meaning(here: FlagRow['here']): string {
  return here.kind === 'as' ? here.ours.replaceAll('`', '') : `${KINDS[here.kind]}: ${here.why.replaceAll('`', '')}`;
}
