import { defined } from '@attractor/base';
import type { CloudSettings } from './clouds/cloud-settings.ts';
import type { Proxies } from './http/transport.ts';
import type { RefreshCredential } from './providers/credential.ts';
import { type CloudRow, SERVICES, type ServiceRow } from './providers/table.ts';
import type { Timeouts } from './types/request.ts';

/** What one provider needs beyond its row in the table. A provider without a row names its `protocol`. */
export type ProviderSettings = CloudSettings & {
  readonly apiKey?: string;
  /** The variable that the key was looked for in, for a service without a row. */
  readonly keyVariable?: string;
  /** Goes as `Authorization: Bearer` in place of the key, to services that tell the two apart. */
  readonly authToken?: string;
  readonly baseUrl?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Added to the address of every request. */
  readonly query?: Readonly<Record<string, string>>;
  readonly protocol?: ServiceRow['protocol'];
  /** The model if nobody names one, and those meant by short names such as `sonnet`. */
  readonly model?: string;
  readonly aliases?: Readonly<Record<string, string>>;
  /** Called for the first key if there is none, and once after one was refused; undefined if a person must be asked. */
  readonly refreshCredential?: RefreshCredential;
};

/** Plain values; this package reads nothing from the environment itself. */
export type LlmConfiguration = {
  readonly defaultProvider?: string;
  readonly providers?: Readonly<Record<string, ProviderSettings>>;
  readonly proxies?: Proxies;
  /** PEM of further certificate authorities. */
  readonly ca?: string;
  readonly timeouts?: Timeouts;
  readonly maxRetries?: number;
};

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The providers whose key, or whose address if no key is needed, is in the given environment; in the table's order. `named`: the one that
 * somebody asks for, with what is there for it. A cloud's credentials may serve other programs: it counts if it is meant.
 */
export function configurationFromEnvironment(env: Environment, named?: string): LlmConfiguration {
  const proxies = proxiesFrom(env);
  const providers: Record<string, ProviderSettings> = {};
  for (const row of SERVICES) {
    const apiKey = firstSet(env, row.keyVariables);
    const baseUrl = firstSet(env, row.baseUrlVariables ?? []);
    const authToken = firstSet(env, row.tokenVariables ?? []) ?? gatewayToken(row, env);
    const keyless =
      row.cloud === undefined
        ? row.key === 'optional' && baseUrl !== undefined
        : row.id === named || isMeant(row.cloud, env);
    if (apiKey === undefined && authToken === undefined && !keyless) continue;
    const headers = row.protocol === 'openai' ? openaiHeaders(env) : {};
    providers[row.id] = {
      ...cloudFrom(row, env),
      ...defined({ apiKey, authToken, baseUrl }),
      ...claudeModels(row, env),
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
    };
  }
  const chosen = SERVICES.find(({ cloud }) => cloud?.switches.some((name) => isOn(env[name])) === true)?.id;
  return { providers, ...defined({ proxies, defaultProvider: chosen }) };
}

function isMeant(cloud: CloudRow, env: Environment): boolean {
  return cloud.switches.some((name) => isOn(env[name])) || firstSet(env, cloud.impliedBy) !== undefined;
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && !/^(?:0|false|no|off)?$/i.test(value.trim());
}

/** A gateway may want a token of its own, or none. */
function gatewayToken({ cloud }: ServiceRow, env: Environment): string | undefined {
  if (cloud?.unsigned.some((name) => isOn(env[name])) !== true) return undefined;
  return firstSet(env, ['ANTHROPIC_AUTH_TOKEN']) ?? 'none';
}

function cloudFrom({ id, cloud }: ServiceRow, env: Environment): CloudSettings {
  if (cloud === undefined) return {};
  const given = Object.entries(cloud.variables).flatMap(([key, names]): ReadonlyArray<[string, string]> => {
    const value = firstSet(env, names);
    return value === undefined ? [] : [[key, value]];
  });
  return { ...usualFiles(id, env), ...Object.fromEntries(given) };
}

/** Where the programs of a cloud keep what a person logged in with. */
function usualFiles(id: string, env: Environment): CloudSettings {
  const home = env['HOME'] ?? '';
  if (home === '') return {};
  if (id === 'bedrock') return { credentialsFile: `${home}/.aws/credentials`, configFile: `${home}/.aws/config` };
  if (id === 'azure') return {};
  const folder = firstSet(env, ['CLOUDSDK_CONFIG']) ?? `${home}/.config/gcloud`;
  return { credentialsFile: `${folder}/application_default_credentials.json` };
}

const CLAUDES: ReadonlySet<string> = new Set(['anthropic', 'bedrock', 'vertex-anthropic']);

/** Claude Code's own variables for models. */
function claudeModels({ protocol }: ServiceRow, env: Environment): Pick<ProviderSettings, 'model' | 'aliases'> {
  if (!CLAUDES.has(protocol)) return {};
  const aliases = defined({
    opus: firstSet(env, ['ANTHROPIC_DEFAULT_OPUS_MODEL']),
    sonnet: firstSet(env, ['ANTHROPIC_DEFAULT_SONNET_MODEL']),
    haiku: firstSet(env, ['ANTHROPIC_DEFAULT_HAIKU_MODEL', 'ANTHROPIC_SMALL_FAST_MODEL']),
  });
  const model = firstSet(env, ['ANTHROPIC_MODEL']);
  return { ...defined({ model }), ...(Object.keys(aliases).length === 0 ? {} : { aliases }) };
}

function firstSet(env: Environment, names: ReadonlyArray<string>): string | undefined {
  return names.map((name) => env[name]?.trim()).find((value) => value !== undefined && value !== '');
}

function openaiHeaders(env: Environment): Record<string, string> {
  const organization = firstSet(env, ['OPENAI_ORG_ID', 'OPENAI_ORGANIZATION', 'OPENAI_ORG']);
  const project = firstSet(env, ['OPENAI_PROJECT_ID', 'OPENAI_PROJECT']);
  return {
    ...defined({ 'openai-organization': organization, 'openai-project': project }),
  };
}

function proxiesFrom(env: Environment): Proxies | undefined {
  const http = firstSet(env, ['http_proxy', 'HTTP_PROXY']);
  const https = firstSet(env, ['https_proxy', 'HTTPS_PROXY']);
  const no = firstSet(env, ['no_proxy', 'NO_PROXY']);
  if (http === undefined && https === undefined) return undefined;
  return {
    ...defined({ http, https, no }),
  };
}
