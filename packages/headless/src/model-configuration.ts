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
  const env = keyOfCodex(foundryIn({ ...sources.env, ...settings.variables }), flags.usualProvider);
  const named = flags.provider ?? settings.provider;
  const fromEnvironment = configurationFromEnvironment(env, named);
  const given = fromEnvironment.providers ?? {};
  // Merged twice: the environment's values win, and its first provider stays the first.
  const ofFile = mergeProviders(servicesIn(settings, env), withHelpers(settings.providers ?? {}, env));
  const providers = mergeProviders(mergeProviders(given, ofFile), given);
  const defaultProvider = providerFor(
    { flags, settings, usual: flags.usualProvider === 'openai' ? usualOfCodex(settings) : flags.usualProvider },
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

/** What jobs set for `codex exec` alone. */
function keyOfCodex(env: Variables, usual: string | undefined): Variables {
  const apiKey = env['CODEX_API_KEY'];
  return usual !== 'openai' || !apiKey || env['OPENAI_API_KEY'] ? env : { ...env, OPENAI_API_KEY: apiKey };
}

/** What a line for codex asks if it names nothing: the service that its file names. */
function usualOfCodex({ codexProvider = 'openai' }: Partial<AskedModel>): string {
  return codexProvider;
}

/** The services of codex's file, with their keys from the variables that it names. One that a key is missing for says so when it is asked. */
function servicesIn({ services = {} }: Partial<AskedModel>, env: Variables): Providers {
  return Object.fromEntries(
    Object.entries(services).map(([id, { apiKeyVariable, headerVariables, ...service }]) => {
      const apiKey = apiKeyVariable === undefined ? undefined : env[apiKeyVariable];
      const more = Object.entries(headerVariables ?? {}).flatMap(([name, variable]) => {
        const value = env[variable];
        return value === undefined || value === '' ? [] : [[name, value] as const];
      });
      const headers = { ...service.headers, ...Object.fromEntries(more) };
      return [
        id,
        { ...service, ...defined({ apiKey, keyVariable: apiKeyVariable }), ...(isEmpty(headers) ? {} : { headers }) },
      ];
    }),
  );
}

/** Claude Code's way to Microsoft Foundry is Anthropic's wire at another address. */
function foundryIn(env: Variables): Variables {
  const apiKey = env['ANTHROPIC_FOUNDRY_API_KEY'];
  const resource = env['ANTHROPIC_FOUNDRY_RESOURCE'];
  const address = resource === undefined ? undefined : `https://${resource}.services.ai.azure.com/anthropic`;
  const baseUrl = env['ANTHROPIC_FOUNDRY_BASE_URL'] ?? address;
  if (!isOn(env['CLAUDE_CODE_USE_FOUNDRY']) || apiKey === undefined || baseUrl === undefined) return env;
  return { ...env, ANTHROPIC_API_KEY: apiKey, ANTHROPIC_BASE_URL: baseUrl, ANTHROPIC_AUTH_TOKEN: undefined };
}

function isOn(value: string | undefined): boolean {
  return !/^(?:0|false|no|off)?$/i.test((value ?? '').trim());
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
