import type { Command } from 'commander';
import type { Connection } from '../connection.ts';
import { CommandFailure, EXIT } from '@attractor/console';
import { createKeyNames, stdinObject, wholeLine } from '@attractor/console/lines';
import { loneCall } from './lone-call.ts';
import { findProject } from './project-of.ts';
import type { Call } from './verb.ts';

/** What a verb sees of a command line, with every id completed. */
export async function callOf(command: Command, { client, where, address }: Connection): Promise<Call> {
  const alone = loneCall(command, await wholeLine(command, client));
  const { flags } = alone;
  const { named, learn } = createKeyNames(client);
  const find = async (named: string | undefined) =>
    (await findProject({ client, named, env: process.env, cwd: process.cwd() }))?.id ?? null;
  const projectNamed = async (name: string | undefined) => (await find(name ?? flags.text('project'))) ?? noProject();
  return {
    ...alone,
    output: { ...alone.output, learnKeys: learn },
    style: { ...alone.style, named },
    given: (place) => command.args[place] ?? '',
    client,
    where,
    address,
    project: () => projectNamed(undefined),
    projectIfAny: () => find(flags.text('project')),
    projectNamed,
    input: stdinObject,
  };
}

/** Why a command could not go on, with keys in place of ids. */
export async function nameFailure(error: unknown, { style, output }: Pick<Call, 'style' | 'output'>): Promise<unknown> {
  if (!(error instanceof CommandFailure)) return error;
  const first = style.named(error.message);
  const message = (await output.learnKeys?.()) === true ? style.named(error.message) : first;
  return message === error.message ? error : new CommandFailure(message, error.exitCode);
}

function noProject(): never {
  throw new CommandFailure(
    'this folder belongs to no project: name one with --project, or add this one with `attractor projects create`',
    EXIT.notFound,
  );
}
