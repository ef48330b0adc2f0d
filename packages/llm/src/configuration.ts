import { defined } from '@attractor/base';
import type { Proxies } from './http/transport.ts';
import type { RefreshCredential } from './providers/credential.ts';
import { SERVICES, type ServiceRow } from './providers/table.ts';
import type { Timeouts } from './types/request.ts';

/** What one provider needs beyond its row in the table. A provider without a row names its `protocol`. */
export type ProviderSettings = {
  readonly apiKey?: string;
  /** Goes as `Authorization: Bearer` in place of the key, to services that tell the two apart. */
  readonly authToken?: string;
  readonly baseUrl?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly protocol?: ServiceRow['protocol'];
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

/** The providers whose key, or whose address if no key is needed, is in the given environment; in the table's order. */
export function configurationFromEnvironment(env: Readonly<Record<string, string | undefined>>): LlmConfiguration {
  const proxies = proxiesFrom(env);
  const providers: Record<string, ProviderSettings> = {};
  for (const row of SERVICES) {
    const apiKey = firstSet(env, row.keyVariables);
    const baseUrl = firstSet(env, row.baseUrlVariables ?? []);
    const authToken = firstSet(env, row.tokenVariables ?? []);
    const present =
      apiKey !== undefined || authToken !== undefined || (row.key === 'optional' && baseUrl !== undefined);
    if (!present) continue;
    const headers = row.protocol === 'openai' ? openaiHeaders(env) : {};
    providers[row.id] = {
      ...defined({ apiKey, authToken, baseUrl }),
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
    };
  }
  return { providers, ...defined({ proxies }) };
}

function firstSet(env: Readonly<Record<string, string | undefined>>, names: ReadonlyArray<string>): string | undefined {
  return names.map((name) => env[name]?.trim()).find((value) => value !== undefined && value !== '');
}

function openaiHeaders(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const organization = firstSet(env, ['OPENAI_ORG_ID', 'OPENAI_ORGANIZATION', 'OPENAI_ORG']);
  const project = firstSet(env, ['OPENAI_PROJECT_ID', 'OPENAI_PROJECT']);
  return {
    ...defined({ 'openai-organization': organization, 'openai-project': project }),
  };
}

function proxiesFrom(env: Readonly<Record<string, string | undefined>>): Proxies | undefined {
  const http = firstSet(env, ['http_proxy', 'HTTP_PROXY']);
  const https = firstSet(env, ['https_proxy', 'HTTPS_PROXY']);
  const no = firstSet(env, ['no_proxy', 'NO_PROXY']);
  if (http === undefined && https === undefined) return undefined;
  return {
    ...defined({ http, https, no }),
  };
}
