import { Command } from 'commander';
import { GROUPS } from './command-groups.ts';
import { type CommandEntry, COMMANDS } from './commands.ts';
import { quiet, runProgram } from './program.ts';
import { suggestWithin, unknownCommand } from './unknown-command.ts';

/** Runs one command line; resolves to its exit code and never throws. */
export async function main(argv: ReadonlyArray<string>): Promise<number> {
  if (isConversation(argv)) {
    if (hasTerminal()) return (await import('./converse/main.ts')).main(argv);
    if (argv.some((word) => /\s/.test(word))) return main(['-p', ...argv]);
  }
  if (isHeadless(argv)) return (await import('./headless/main.ts')).main(argv);
  if (argv[0] === 'help') return help(argv.slice(1).filter((word) => !word.startsWith('-')));
  const endsWithResult = argv[0] === 'resume' || argv[0] === 'exec';
  const failed = endsWithResult ? (await import('./headless/failure-line.ts')).tellFailure(argv) : undefined;
  return runProgram(
    argv,
    (program, finish) => defineCommands(program, { entries: needed(argv[0]), called: calledName(argv), finish }),
    failed,
  );
}

/** The program with every command and all flags, for listing what there is. */
export async function wholeProgram(): Promise<Command> {
  const program = quiet(new Command('attractor').enablePositionalOptions());
  await defineCommands(program, { called: 'help', finish: () => undefined });
  return program;
}

/** A command that is called by its name needs no other beside it, and the version none at all. */
function needed(first: string | undefined): ReadonlyArray<CommandEntry> {
  if (first === '-v' || first === '--version') return [];
  const called = COMMANDS.find((entry) => namesOf(entry).includes(first ?? ''));
  return called === undefined ? COMMANDS : [called];
}

type Defining = {
  readonly entries?: ReadonlyArray<CommandEntry>;
  readonly called: string | undefined;
  readonly finish: (exitCode: number) => void;
};

async function defineCommands(program: Command, { entries = COMMANDS, called, finish }: Defining): Promise<void> {
  program.argument('[command]').action(() => program.outputHelp());
  for (const entry of entries.toSorted((one, other) => placeOf(one) - placeOf(other))) {
    const own = program.command(entry.name, { hidden: entry.hidden === true });
    if (entry.alias !== undefined) own.alias(entry.alias);
    const command = quiet(own.summary(entry.summary).description(entry.summary).helpGroup(`${GROUPS[entry.group]}:`));
    if (namesOf(entry).includes(called ?? '') || called === 'help')
      (await entry.load()).define(command, finish, wholeProgram);
  }
  suggestWithin(program);
}

/** `attractor help tasks create`. */
async function help(path: ReadonlyArray<string>): Promise<number> {
  if (path.length === 0) return main(['--help']);
  return runProgram([], async (program) => {
    await defineCommands(program, { called: 'help', finish: () => undefined });
    let at = program;
    for (const word of path)
      at = at.commands.find((one) => [one.name(), ...one.aliases()].includes(word)) ?? unknownCommand(at, word);
    program.action(() => at.outputHelp());
  });
}

function placeOf({ group }: CommandEntry): number {
  return Object.keys(GROUPS).indexOf(group);
}

function calledName(argv: ReadonlyArray<string>): string | undefined {
  return argv.find((argument) => !argument.startsWith('-'));
}

function namesOf(entry: CommandEntry): ReadonlyArray<string> {
  return entry.alias === undefined ? [entry.name] : [entry.name, entry.alias];
}

/** `-p`, or a format of lines, anywhere but after a command's name: everything else then belongs to the headless run. */
function isHeadless(argv: ReadonlyArray<string>): boolean {
  const isCommand = COMMANDS.some((entry) => namesOf(entry).includes(argv[0] ?? ''));
  return !isCommand && argv.some((argument) => WITHOUT_TERMINAL.test(argument));
}

const WITHOUT_TERMINAL = /^(?:-p|--(?:print|init-only|output-format|input-format)(?:=.*)?)$/s;

/** Nothing, a question, or flags without `-p`: whoever types that wants to talk. Where nobody can, a question is answered in plain lines. */
export function isConversation(argv: ReadonlyArray<string>): boolean {
  const [first] = argv;
  if (first === undefined || /\s/.test(first)) return true;
  return first.startsWith('-') && !ASK_ABOUT.has(first) && !isHeadless(argv);
}

const ASK_ABOUT: ReadonlySet<string> = new Set(['-h', '--help', '-v', '--version']);

function hasTerminal(): boolean {
  const { isatty } = process.getBuiltinModule('node:tty');
  return isatty(0) && isatty(1);
}
