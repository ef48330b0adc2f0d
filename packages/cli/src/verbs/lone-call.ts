import type { Command } from 'commander';
import { stopIfUnread, putStyled, createStyle } from '@attractor/console';
import { readFlags } from './flag.ts';
import type { LoneCall } from './verb.ts';
import type { WholeLine } from '@attractor/console/lines';

/** A command line as it was typed, and how its answer is written. */
export function loneCall(
  command: Command,
  { args, values }: WholeLine = { args: command.args, values: command.opts() },
): LoneCall {
  const flags = readFlags(values);
  const mode = flags.has('json') ? 'json' : flags.has('quiet') ? 'quiet' : 'people';
  return {
    arg: (place) => args[place] ?? '',
    rest: (place) => args.slice(place),
    flags,
    output: { mode, write: putOut },
    style: createStyle(process.stdout, command.opts()['color'] === false ? { NO_COLOR: '1' } : process.env),
    say: (text) => void (mode === 'people' && putStyled(process.stderr, `${text}\n`)),
  };
}

function putOut(text: string): void {
  stopIfUnread(process.stdout);
  putStyled(process.stdout, text);
}
