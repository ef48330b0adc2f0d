import type { Command } from 'commander';
import { COMMANDS } from './commands.ts';
import { quiet, runProgram } from './program.ts';

/** Runs one command line; resolves to its exit code and never throws. */
export function main(argv: ReadonlyArray<string>): Promise<number> {
  return runProgram(argv, async (program, finish) => {
    if (isHeadless(argv)) (await import('./headless/command.ts')).define(program, finish);
    else await defineCommands(program, argv, finish);
  });
}

async function defineCommands(
  program: Command,
  argv: ReadonlyArray<string>,
  finish: (exitCode: number) => void,
): Promise<void> {
  program.argument('[command]').action((name?: string) => {
    if (name !== undefined) program.error(`unknown command '${name}'${suggestion(name)}`);
    program.outputHelp();
  });
  const called = argv.find((argument) => !argument.startsWith('-'));
  for (const entry of COMMANDS) {
    const own = program.command(entry.name, { hidden: entry.hidden === true });
    const command = quiet(own.summary(entry.summary).description(entry.summary));
    if (entry.name === called || called === 'help') (await entry.load()).define(command, finish);
  }
}

/** `-p` anywhere but after a command's name: everything else then belongs to the headless run. */
function isHeadless(argv: ReadonlyArray<string>): boolean {
  const isCommand = COMMANDS.some((entry) => entry.name === argv[0]);
  return (
    !isCommand &&
    argv.some((argument) => argument === '-p' || argument === '--print' || argument.startsWith('--print='))
  );
}

function suggestion(name: string): string {
  const near = COMMANDS.map((entry) => entry.name).find(
    (known) => known.startsWith(name.slice(0, 2)) || known.includes(name),
  );
  return near === undefined ? '' : ` (did you mean ${near}?)`;
}
