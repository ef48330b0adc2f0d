import type { Command } from 'commander';
import { defined } from '@attractor/base';
import { EXIT, putText } from '@attractor/console';
import { showWork } from '../show-work.ts';
import { quiet } from '../program.ts';
import { addFlag, type Flag, readFlags } from './flag.ts';
import type { LoneVerb, Verb } from './verb.ts';

export type Noun = {
  readonly description: string;
  readonly verbs: ReadonlyArray<Verb | LoneVerb>;
  /** What the noun alone does. Absent: it shows its help. */
  readonly bare?: Verb;
};

type Finish = (exitCode: number) => void;

/** The export of a noun's file: the noun on the command of its name. */
export function noun(declared: Noun): (command: Command, finish: Finish) => void {
  return (command, finish) => defineNoun(command, finish, declared);
}

/** The same for a command that is one verb. */
export function oneVerb(verb: Verb): (command: Command, finish: Finish) => void {
  return (command, finish) => defineVerb(command, finish, verb);
}

/** A noun and its verbs, from data. What a verb needs is loaded when it is called. */
export function defineNoun(command: Command, finish: Finish, { description, verbs, bare }: Noun): void {
  command.description(description).usage('<verb> [options]');
  for (const verb of verbs) defineVerb(quiet(command.command(verb.name)), finish, verb);
  if (bare !== undefined) {
    const { alias: _ofTheVerb, ...own } = bare;
    defineVerb(command.argument('[verb]'), finish, { ...own, arguments: [] });
    command.description(description);
    return;
  }
  command
    .argument('[verb]')
    .addHelpText('after', `\nExamples:\n${exampleLines(verbs.flatMap(({ examples }) => examples.slice(0, 1)))}`);
  command.action(() => {
    command.outputHelp();
    finish(EXIT.done);
  });
}

const ALONE: ReadonlyArray<Flag> = [
  { flag: '--json', about: 'one JSON object a line, for scripts' },
  { flag: '--quiet', about: 'ids only' },
  { flag: '--no-color', about: 'plain text' },
];

const COMMON: ReadonlyArray<Flag> = [
  { flag: '--project <id>', about: "key, id, name or path of the project (default: this folder's project)" },
  { flag: '--server <url>', about: 'the server to use (default: the running one; none is needed)' },
  { flag: '--json', about: 'one JSON object a line, for scripts' },
  { flag: '--quiet', about: 'ids only' },
  { flag: '--verbose', about: 'say on stderr which server is used' },
  { flag: '--no-color', about: 'plain text' },
];

/** One verb as a command. */
export function defineVerb(command: Command, finish: Finish, verb: Verb | LoneVerb): void {
  command.summary(verb.summary).description(`${verb.summary[0]?.toUpperCase() ?? ''}${verb.summary.slice(1)}.`);
  if (verb.alias !== undefined) command.alias(verb.alias);
  for (const { name, about } of verb.arguments ?? []) command.argument(name, about);
  for (const flag of [...(verb.flags ?? []), ...('run' in verb ? COMMON : ALONE)]) addFlag(command, flag);
  const notes = [...(verb.notes === undefined ? [] : [verb.notes]), ...aboutIds(verb)];
  command.addHelpText(
    'after',
    `${notes.map((note) => `\n${note}\n`).join('')}\nExamples:\n${exampleLines(verb.examples)}`,
  );
  command.action(async () => finish(await perform(command, verb)));
}

function aboutIds({ arguments: given = [] }: Pick<Verb, 'arguments'>): ReadonlyArray<string> {
  const takesIds = given.some(({ name }) => /^[[<](?:id|ids|task|other)\b/.test(name));
  return takesIds ? ['Each may be named by its key, such as ATT-12, or by any four or more characters of its id.'] : [];
}

function exampleLines(examples: ReadonlyArray<string>): string {
  return examples.map((example) => `  attractor ${example}`).join('\n');
}

async function perform(command: Command, verb: Verb | LoneVerb): Promise<number> {
  if ('runAlone' in verb) return verb.runAlone((await import('./lone-call.ts')).loneCall(command));
  const [{ connect }, { callOf, nameFailure }] = await Promise.all([import('../connect.ts'), import('./call-of.ts')]);
  const flags = readFlags(command.opts());
  const server = flags.text('server');
  const isShown = !flags.has('json') && !flags.has('quiet');
  const connection = await showWork({ doing: 'opening the records', isShown }, () =>
    connect({ env: process.env, ...defined({ server }) }),
  );
  const { where, address } = connection;
  if (flags.has('verbose'))
    putText(process.stderr, where === 'server' ? `server: ${address}\n` : `in this process, on ${address}\n`);
  try {
    const call = await callOf(command, connection);
    return await verb.run(call).catch(async (error: unknown) => {
      throw await nameFailure(error, call);
    });
  } finally {
    await connection.close();
  }
}
