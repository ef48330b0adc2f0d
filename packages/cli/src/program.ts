import { Command, CommanderError } from 'commander';
import { messageOf } from '@attractor/base';
import { setCatalogSource } from '@attractor/llm';
import { ownModels } from '@attractor/settings';
import { CommandFailure, EXIT, readableText, ReaderGone, surviveNoReader, putText } from '@attractor/console';
import { homeFolder } from './home-folder.ts';
import { VERSION } from './version.ts';

/** Adds the commands and flags to the empty program; `finish` takes the exit code. */
export type Define = (program: Command, finish: (exitCode: number) => void) => void | Promise<void>;

/** Creates the program with every command and all flags, for listing what there is. */
export type WholeProgram = () => Promise<Command>;

/** Called with what ended a command line early, besides the line on stderr. */
export type Failed = (message: string, exitCode: number) => void;

/** Runs one command line; resolves to its exit code and never throws. */
export async function runProgram(
  argv: ReadonlyArray<string>,
  define: Define,
  ...[failed = () => undefined, inItsWords = (message) => message]: [Failed?, ((message: string) => string)?]
): Promise<number> {
  const outcome: { exitCode: number } = { exitCode: EXIT.done };
  setCatalogSource(() => ownModels(homeFolder(process.env)));
  for (const stream of [process.stdout, process.stderr]) surviveNoReader(stream);
  const program = quiet(new Command('attractor'))
    .description('Gives a coding agent a task and gets back work that a person can trust.')
    .version(VERSION, '-v, --version')
    .usage('<command> [options]')
    .enablePositionalOptions()
    .addHelpText('after', EXAMPLES);
  try {
    await define(program, (exitCode) => void (outcome.exitCode = exitCode));
    await program.parseAsync(eachConfigNamed(argv), { from: 'user' });
    return outcome.exitCode;
  } catch (error) {
    return report(error, failed, inItsWords);
  }
}

/** `--mcp-config a.json b.json`: the flag counts for each; any other word ends the list. */
function eachConfigNamed(argv: ReadonlyArray<string>): string[] {
  let isListed = false;
  return argv.flatMap((word, at) => {
    const isFirst = argv[at - 1] === '--mcp-config';
    isListed = isFirst || (isListed && /^\s*\{|\.json$/.test(word));
    return isListed && !isFirst ? ['--mcp-config', word] : [word];
  });
}

/** Errors are shown once, by `report`, with the help that would have prevented them. */
export function quiet(command: Command): Command {
  return command
    .exitOverride((error) => {
      throw error.exitCode === 0 ? error : new WrongUsage(error.message, nameOf(command));
    })
    .configureOutput({
      outputError: () => undefined,
      writeOut: (text) => void putText(process.stdout, text),
      writeErr: (text) => void putText(process.stderr, text),
    });
}

class WrongUsage extends Error {
  readonly command: string;

  constructor(message: string, command: string) {
    super(message.replace(/^error: /, '').replace(/\.$/, ''));
    this.command = command;
  }
}

function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}

const EXAMPLES = `
Examples:
  attractor                                a conversation with the agent in this folder (attractor -c continues it)
  attractor demo                           see a whole task run on a scripted model, no account needed
  attractor run "make the tests pass"      plan, ask, work on a branch of this repository, check
  attractor serve                          the server and its web app on this machine
  attractor -p "what does this do?"        one answer without a terminal (see attractor -p --help)
  attractor doctor                         what is installed, what is missing, how to fix it

State lives under ATTRACTOR_HOME (default ~/.attractor).
Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not found, 4 refused, 5 database, 6 not authorised,
129 hung up, 130 interrupted, 143 terminated.`;

function report(error: unknown, failed: Failed, inItsWords: (message: string) => string): number {
  if (error instanceof ReaderGone || (error instanceof CommanderError && error.exitCode === 0)) return EXIT.done;
  const { message, exitCode } = describe(error);
  const line = readableText(inItsWords(message)).replace(/\s*\n\s*/g, ' ');
  putText(process.stderr, `attractor: ${line}\n`);
  failed(line, exitCode);
  return exitCode;
}

function describe(error: unknown): { readonly message: string; readonly exitCode: number } {
  if (error instanceof WrongUsage)
    return { message: `${error.message}; see \`${error.command} --help\``, exitCode: EXIT.usage };
  if (error instanceof CommandFailure) return error;
  const message = messageOf(error);
  return { message: `${message} (this is a bug: please report it with the command you ran)`, exitCode: EXIT.failed };
}
