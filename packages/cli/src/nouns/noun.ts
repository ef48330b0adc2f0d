import type { Command } from 'commander';
import { CommandFailure, EXIT } from '../exit.ts';
import { nearestName } from '../nearest-name.ts';
import { quiet } from '../program.ts';
import { createStyle } from '../terminal/style.ts';
import { addFlag, type Flag, readFlags } from './flag.ts';
import type { Call, Verb } from './verb.ts';

export type Noun = {
  readonly description: string;
  readonly verbs: ReadonlyArray<Verb>;
  /** What the noun alone does. Absent: it shows its help. */
  readonly bare?: Verb;
};

type Finish = (exitCode: number) => void;

/** A noun and its verbs, from data. What a verb needs to work is loaded when it is called. */
export function defineNoun(command: Command, finish: Finish, { description, verbs, bare }: Noun): void {
  command.description(description).usage('<verb> [options]');
  for (const verb of verbs) defineVerb(quiet(command.command(verb.name)), finish, verb);
  if (bare !== undefined) {
    const { alias: _ofTheVerb, ...own } = bare;
    const run: Verb['run'] = (call) => (call.arg(0) === '' ? own.run(call) : unknownVerb(command, verbs));
    defineVerb(command.argument('[verb]'), finish, { ...own, arguments: [], run });
    command.description(description);
    return;
  }
  command
    .argument('[verb]')
    .addHelpText('after', `\nExamples:\n${exampleLines(verbs.flatMap(({ examples }) => examples.slice(0, 1)))}`);
  command.action((name?: string) => {
    if (name !== undefined) unknownVerb(command, verbs);
    command.outputHelp();
    finish(EXIT.done);
  });
}

function unknownVerb(command: Command, verbs: ReadonlyArray<Verb>): never {
  const typed = command.args[0] ?? '';
  const near = nearestName(
    typed,
    verbs.flatMap(({ name, alias }) => (alias === undefined ? [name] : [name, alias])),
  );
  const known = command.commands.map((verb) => verb.name()).join(', ');
  const hint = near === null ? `. It has: ${known}` : ` (did you mean ${near}?)`;
  return command.error(`unknown command '${command.name()} ${typed}'${hint}`);
}

const COMMON: ReadonlyArray<Flag> = [
  { flag: '--project <id>', about: 'id, name or path of the project (default: that of this folder)' },
  { flag: '--server <url>', about: 'the server to speak to (default: the running one, else none is needed)' },
  { flag: '--json', about: 'one JSON object a line, for scripts' },
  { flag: '--quiet', about: 'ids only' },
  { flag: '--verbose', about: 'say on stderr what is spoken to' },
  { flag: '--no-color', about: 'plain text' },
];

/** One verb on a command of its own. */
export function defineVerb(command: Command, finish: Finish, verb: Verb): void {
  command.summary(verb.summary).description(`${verb.summary[0]?.toUpperCase() ?? ''}${verb.summary.slice(1)}.`);
  if (verb.alias !== undefined) command.alias(verb.alias);
  for (const { name, about } of verb.arguments ?? []) command.argument(name, about);
  for (const flag of [...(verb.flags ?? []), ...COMMON]) addFlag(command, flag);
  const notes = verb.notes === undefined ? '' : `\n${verb.notes}\n`;
  command.addHelpText('after', `${notes}\nExamples:\n${exampleLines(verb.examples)}`);
  command.action(async () => finish(await perform(command, verb)));
}

function exampleLines(examples: ReadonlyArray<string>): string {
  return examples.map((example) => `  attractor ${example}`).join('\n');
}

async function perform(command: Command, verb: Verb): Promise<number> {
  const flags = readFlags(command.opts());
  const [{ connect }, { findProject }, { stdinObject }] = await Promise.all([
    import('../connect.ts'),
    import('./project-of.ts'),
    import('./stdin-object.ts'),
  ]);
  const server = flags.text('server');
  const connection = await connect({ env: process.env, ...(server === undefined ? {} : { server }) });
  const { client, where, address } = connection;
  if (flags.has('verbose'))
    process.stderr.write(where === 'server' ? `server: ${address}\n` : `in this process, on ${address}\n`);
  const find = async (named: string | undefined) =>
    (await findProject({ client, named, env: process.env, cwd: process.cwd() }))?.id ?? null;
  const projectNamed = async (name: string | undefined) => (await find(name ?? flags.text('project'))) ?? noProject();
  const mode = flags.has('json') ? 'json' : flags.has('quiet') ? 'quiet' : 'people';
  const call: Call = {
    arg: (place) => argumentsOf(command)[place] ?? '',
    rest: (place) => argumentsOf(command).slice(place),
    flags,
    client,
    where,
    project: () => projectNamed(undefined),
    projectIfAny: () => find(flags.text('project')),
    projectNamed,
    input: stdinObject,
    output: { mode, write: (text) => void process.stdout.write(text) },
    style: createStyle(process.stdout, command.opts()['color'] === false ? { NO_COLOR: '1' } : process.env),
    say: (text) => void (mode === 'people' && process.stderr.write(`${text}\n`)),
  };
  try {
    return await verb.run(call);
  } finally {
    await connection.close();
  }
}

function argumentsOf(command: Command): ReadonlyArray<string> {
  return command.args;
}

function noProject(): never {
  throw new CommandFailure(
    'this folder belongs to no project: name one with --project, or add this one with `attractor projects create`',
    EXIT.notFound,
  );
}
