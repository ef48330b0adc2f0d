import { claudeKeyHelper, keyHelper } from '@attractor/headless';
import { configurationFromEnvironment, type LlmConfiguration } from '@attractor/llm';
import type { ModelFlags } from './model-flags.ts';
import type { Environment, Settings } from './settings.ts';

/** Where keys and addresses come from: `config.json`, then the environment, then flags; later ones win. */
export function modelConfiguration(sources: {
  readonly env: Environment;
  readonly settings: Settings;
  readonly flags: ModelFlags;
}): LlmConfiguration {
  const { settings, flags, env } = sources;
  const named = flags.provider ?? settings.provider;
  const fromEnvironment = configurationFromEnvironment(env, named);
  const defaultProvider = flags.provider ?? fromEnvironment.defaultProvider ?? settings.provider;
  const given = fromEnvironment.providers ?? {};
  // Merged twice: the environment's values win, and its first provider stays the first.
  const written = withHelpers(settings.providers ?? {}, env);
  const providers = mergeProviders(mergeProviders(given, written), given);
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

/** Claude Code's own helper gives Anthropic's key where nothing else does. */
function withHelpers(written: NonNullable<Settings['providers']>, env: Environment): Providers {
  const hasKey = [env['ANTHROPIC_API_KEY'], env['ANTHROPIC_AUTH_TOKEN']].some((value) => (value ?? '').trim() !== '');
  const claude = hasKey || written['anthropic']?.apiKey !== undefined ? undefined : claudeKeyHelper(env);
  const own = Object.entries(written).map(([id, { apiKeyHelper, ...rest }]): [string, Providers[string]] => [
    id,
    apiKeyHelper === undefined ? rest : { ...rest, refreshCredential: keyHelper(apiKeyHelper, env) },
  ]);
  const helped = claude === undefined ? {} : { anthropic: { refreshCredential: keyHelper(claude, env) } };
  return mergeProviders(helped, Object.fromEntries(own));
}

type Providers = NonNullable<LlmConfiguration['providers']>;

function mergeProviders(below: Providers, above: Providers): Providers {
  const merged: Record<string, Providers[string]> = { ...below };
  for (const [id, settings] of Object.entries(above)) merged[id] = { ...merged[id], ...settings };
  return merged;
}
