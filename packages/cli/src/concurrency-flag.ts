import type { Command } from 'commander';
import { CommandFailure, EXIT } from '@attractor/console';

/** The flag of every command that works on what is queued. */
export type ConcurrencyFlag = { readonly concurrency?: string };

export function addConcurrencyFlag(command: Command): Command {
  return command.option(
    '--concurrency <n>',
    'runs at once; those that wait for you do not count (default: the setting queue.concurrency, or what suits the machine)',
  );
}

/** Absent: as the setting says. */
export function chosenConcurrency({ concurrency }: ConcurrencyFlag): { readonly concurrency?: number } {
  if (concurrency === undefined) return {};
  return { concurrency: wholeNumber(concurrency, { flag: '--concurrency', least: 1 }) };
}

export function wholeNumber(text: string, { flag, least }: { readonly flag: string; readonly least: number }): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isInteger(value) && value >= least) return value;
  throw new CommandFailure(`${flag} must be a whole number from ${least}, not '${text}'.`, EXIT.usage);
}
