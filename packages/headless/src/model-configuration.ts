import { defined } from '@attractor/base';
import {
  configurationFromEnvironment,
  type LlmConfiguration,
  type ModelSettings,
  type ModelWish,
  type ProviderSettings,
  providerFor,
  written,
} from '@attractor/llm';
import type { AskedModel } from '@attractor/settings';
import type { Variables } from '@attractor/system';
import { claudeKeyHelper, keyHelper } from './printed-key.ts';

/** What `config.json` says of models. A provider's `apiKeyHelper` is a command that prints its key. */
type Settings = {
  readonly provider?: string;
  readonly model?: string;
  readonly providers?: Readonly<Record<string, ProviderSettings & { readonly apiKeyHelper?: string }>>;
};

/** Where keys and addresses come from: `config.json`, then the environment, then flags; later ones win. */
export function modelConfiguration(sources: {
  readonly env: Variables;
  readonly settings: Settings & Partial<AskedModel>;
  readonly flags: ModelWish['flags'] & { readonly maxRetries?: number; readonly usualProvider?: string };
}): LlmConfiguration {
  const { settings, flags } = sources;
  const env = { ...sources.env, ...settings.variables };
  const named = flags.provider ?? settings.provider;
  const fromEnvironment = configurationFromEnvironment(env, named);
  const given = fromEnvironment.providers ?? {};
  // Merged twice: the environment's values win, and its first provider stays the first.
  const ofFile = withHelpers(settings.providers ?? {}, env);
  const providers = mergeProviders(mergeProviders(given, ofFile), given);
  const defaultProvider = providerFor(
    { flags, settings, usual: flags.usualProvider },
    { ...fromEnvironment, providers },
  );
  const chosen = defaultProvider ?? Object.keys(providers)[0];
  const asked = chosen === undefined ? {} : { ...modelOfOthers(chosen, settings), ...providers[chosen] };
  const addressed = { ...asked, ...defined({ baseUrl: flags.baseUrl }) };
  return {
    ...fromEnvironment,
    providers: { ...providers, ...(chosen === undefined || isEmpty(addressed) ? {} : { [chosen]: addressed }) },
    ...(defaultProvider !== undefined && { defaultProvider }),
    ...(flags.maxRetries !== undefined && { maxRetries: flags.maxRetries }),
  };
}

/** For agents of every kind: the model that another agent's file names for this provider, where `config.json` names none. */
function modelOfOthers(provider: string, settings: ModelSettings): { readonly model?: string } {
  const found = written(provider, settings);
  return found?.maker === undefined ? {} : { model: found.model };
}

/** Claude Code's own helper gives Anthropic's key where nothing else does. */
function withHelpers(written: NonNullable<Settings['providers']>, env: Variables): Providers {
  const hasKey = [env['ANTHROPIC_API_KEY'], env['ANTHROPIC_AUTH_TOKEN']].some((value) => (value ?? '').trim() !== '');
  const claude = hasKey || written['anthropic']?.apiKey !== undefined ? undefined : claudeKeyHelper(env);
  const own = Object.entries(written).map(([id, { apiKeyHelper, ...rest }]): [string, Providers[string]] => [
    id,
    apiKeyHelper === undefined ? rest : { ...rest, refreshCredential: keyHelper(apiKeyHelper, env) },
  ]);
  const helped = claude === undefined ? {} : { anthropic: { refreshCredential: keyHelper(claude, env) } };
  return mergeProviders(helped, Object.fromEntries(own));
}

const isEmpty = (value: object): boolean => Object.keys(value).length === 0;

type Providers = NonNullable<LlmConfiguration['providers']>;

function mergeProviders(below: Providers, above: Providers): Providers {
  const merged: Record<string, Providers[string]> = { ...below };
  for (const [id, settings] of Object.entries(above)) merged[id] = { ...merged[id], ...settings };
  return merged;
}
