import type { ApiClient } from '@attractor/api';
import type { Command } from 'commander';
import { isIdArgument, isIdFlag } from './id-places.ts';
import { wholeId } from './whole-id.ts';

/** A command line as the verb sees it: its ids are complete. */
export type WholeLine = {
  readonly args: ReadonlyArray<string>;
  readonly values: Readonly<Record<string, unknown>>;
};

export async function wholeLine(command: Command, client: ApiClient): Promise<WholeLine> {
  const places = command.registeredArguments;
  const args = await Promise.all(
    command.args.map(async (given, at) =>
      isIdArgument((places[at] ?? places.at(-1))?.name() ?? '') ? wholeId(client, given) : given,
    ),
  );
  const values: Record<string, unknown> = { ...command.opts() };
  for (const option of command.options) {
    const name = option.attributeName();
    if (isIdFlag(option.flags)) values[name] = await wholeValue(client, values[name]);
  }
  return { args, values };
}

async function wholeValue(client: ApiClient, value: unknown): Promise<unknown> {
  if (typeof value === 'string') return wholeId(client, value);
  return Array.isArray(value) ? Promise.all(value.map((each) => wholeId(client, String(each)))) : value;
}
