import { configurationFromEnvironment, type LlmConfiguration } from '@attractor/llm';
import type { ModelFlags } from './model-flags.ts';
import type { Environment, Settings } from './settings.ts';

/** Where keys and addresses come from: `config.json`, then the environment, then flags; later ones win. */
export function modelConfiguration(sources: {
  readonly env: Environment;
  readonly settings: Settings;
  readonly flags: ModelFlags;
}): LlmConfiguration {
  const { settings, flags } = sources;
  const fromEnvironment = configurationFromEnvironment(sources.env);
  const defaultProvider = flags.provider ?? settings.provider;
  const given = fromEnvironment.providers ?? {};
  // Merged twice: the environment's values win, and its first provider stays the first.
  const providers = mergeProviders(mergeProviders(given, settings.providers ?? {}), given);
  const chosen = defaultProvider ?? Object.keys(providers)[0];
  const addressed =
    flags.baseUrl === undefined || chosen === undefined
      ? providers
      : mergeProviders(providers, { [chosen]: { baseUrl: flags.baseUrl } });
  return {
    ...fromEnvironment,
    providers: addressed,
    ...(defaultProvider !== undefined && { defaultProvider }),
    ...(flags.maxRetries !== undefined && { maxRetries: flags.maxRetries }),
  };
}

type Providers = NonNullable<LlmConfiguration['providers']>;

function mergeProviders(below: Providers, above: Providers): Providers {
  const merged: Record<string, Providers[string]> = { ...below };
  for (const [id, settings] of Object.entries(above)) merged[id] = { ...merged[id], ...settings };
  return merged;
}
