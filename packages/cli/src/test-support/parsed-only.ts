import { Command } from 'commander';
import { define as defineConversation } from '../converse/converse-with.ts';
import { define as defineHeadless } from '../headless/command.ts';
import { isConversation, wholeProgram } from '../main.ts';

/** Takes the words after `attractor` as the command line does, runs nothing, and gives the full name of what would run; throws if refused. */
export async function parsedOnly(): Promise<(words: ReadonlyArray<string>) => Promise<string>> {
  let taken = '';
  const note = (command: Command): void => void (taken = nameOf(command));
  const [program, headless, conversation] = [
    await wholeProgram(),
    new Command('attractor -p'),
    new Command('attractor'),
  ];
  defineHeadless(headless, () => undefined);
  defineConversation(conversation, () => undefined);
  for (const one of [program, headless, conversation]) silence(one, note);
  const names = new Set(program.commands.flatMap((command) => [command.name(), ...command.aliases()]));
  return async (words) => {
    taken = '';
    const isHeadless = !names.has(words[0] ?? '') && words.some((word) => word === '-p' || word === '--print');
    if (words[0] === 'help' || words.includes('--help')) return nameOf(program);
    const called = isHeadless ? headless : isConversation(words) ? conversation : program;
    await called.parseAsync([...words], { from: 'user' });
    return taken;
  };
}

function silence(command: Command, note: (command: Command) => void): void {
  command.exitOverride().configureOutput({ writeErr: () => undefined, outputError: () => undefined });
  command.action(() => note(command));
  for (const sub of command.commands) silence(sub, note);
}

function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}
