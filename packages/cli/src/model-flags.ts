import { type Command, InvalidArgumentError } from 'commander';
import { defined } from '@attractor/base';
import { written } from '@attractor/llm';
import type { Settings } from './settings.ts';

/** The flags of every command that uses a model. */
export type ModelFlags = {
  readonly provider?: string;
  readonly model?: string;
  readonly baseUrl?: string;
  readonly maxRetries?: number;
};

export function addModelFlags(command: Command): Command {
  return command
    .option('--provider <id>', 'anthropic, openai, openai-chat, gemini, or a compatible service by name')
    .option('--model <id>', "the model's own name")
    .option('--base-url <url>', 'the address of the service, if not the usual one')
    .option('--max-retries <n>', 'how often a failed request is retried before its first output', wholeNumber);
}

/** Flags win over `config.json`, whose model counts where the provider has it. Other agents' files name none for agents of every kind. */
export function chosenModel(
  flags: ModelFlags,
  settings: Settings,
): { readonly provider?: string; readonly model?: string } {
  const provider = flags.provider ?? settings.provider;
  const own = defined({ provider: settings.provider, model: settings.model });
  const model = flags.model ?? (provider === undefined ? own.model : written(provider, own)?.model);
  return defined({ provider, model });
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0)
    throw new InvalidArgumentError(`expected a whole number of 0 or more, not '${text}'`);
  return value;
}
