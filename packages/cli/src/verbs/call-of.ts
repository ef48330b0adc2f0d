import type { Command } from 'commander';
import type { Connection } from '../connect.ts';
import { CommandFailure, EXIT } from '../exit.ts';
import { createStyle } from '../terminal/style.ts';
import { readFlags } from './flag.ts';
import { findProject } from './project-of.ts';
import { stdinObject } from './stdin-object.ts';
import type { Call } from './verb.ts';
import { wholeLine } from './whole-line.ts';
import { putStyled } from '../terminal/put.ts';

/** What a verb sees of a command line, with every id completed. */
export async function callOf(command: Command, { client, where, address }: Connection): Promise<Call> {
  const { args, values } = await wholeLine(command, client);
  const flags = readFlags(values);
  const find = async (named: string | undefined) =>
    (await findProject({ client, named, env: process.env, cwd: process.cwd() }))?.id ?? null;
  const projectNamed = async (name: string | undefined) => (await find(name ?? flags.text('project'))) ?? noProject();
  const mode = flags.has('json') ? 'json' : flags.has('quiet') ? 'quiet' : 'people';
  return {
    arg: (place) => args[place] ?? '',
    rest: (place) => args.slice(place),
    flags,
    client,
    where,
    address,
    project: () => projectNamed(undefined),
    projectIfAny: () => find(flags.text('project')),
    projectNamed,
    input: stdinObject,
    output: { mode, write: (text) => void putStyled(process.stdout, text) },
    style: createStyle(process.stdout, command.opts()['color'] === false ? { NO_COLOR: '1' } : process.env),
    say: (text) => void (mode === 'people' && putStyled(process.stderr, `${text}\n`)),
  };
}

function noProject(): never {
  throw new CommandFailure(
    'this folder belongs to no project: name one with --project, or add this one with `attractor projects create`',
    EXIT.notFound,
  );
}
