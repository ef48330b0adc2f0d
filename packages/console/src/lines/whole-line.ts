import type { ApiClient, IdKind } from '@attractor/api';
import type { Command } from 'commander';
import { idKindsOfArgument, idKindsOfFlag } from './id-places.ts';
import { wholeId } from './whole-id.ts';

/** A command line as the verb sees it: its ids are complete. */
export type WholeLine = {
  readonly args: ReadonlyArray<string>;
  readonly values: Readonly<Record<string, unknown>>;
};

export async function wholeLine(command: Command, client: ApiClient): Promise<WholeLine> {
  const places = command.registeredArguments;
  const noun = nounOf(command);
  const args = await Promise.all(
    command.args.map((given, at) => {
      const kinds = idKindsOfArgument((places[at] ?? places.at(-1))?.name() ?? '', noun);
      return wholeId(client, { given, kinds });
    }),
  );
  const values: Record<string, unknown> = { ...command.opts() };
  for (const option of command.options) {
    const name = option.attributeName();
    const kinds = option.flags.endsWith(' <id>') ? idKindsOfFlag(name, noun) : [];
    if (kinds.length > 0) values[name] = await wholeValue(client, values[name], kinds);
  }
  return { args, values };
}

/** The first word after `attractor`. */
function nounOf(command: Command): string {
  return command.parent === null || command.parent.parent === null ? command.name() : nounOf(command.parent);
}

async function wholeValue(client: ApiClient, value: unknown, kinds: ReadonlyArray<IdKind>): Promise<unknown> {
  if (typeof value === 'string') return wholeId(client, { given: value, kinds });
  return Array.isArray(value)
    ? Promise.all(value.map((each) => wholeId(client, { given: String(each), kinds })))
    : value;
}
