import { defined } from '@attractor/base';
import type { CloudKey } from './clouds/cloud-settings.ts';
import type { LlmConfiguration, ProviderSettings } from './configuration.ts';
import type { Transport } from './http/transport.ts';
import { createCredential, type RefreshCredential } from './providers/credential.ts';
import { createModelProvider } from './providers/model-provider.ts';
import type { Protocol } from './providers/protocol.ts';
import { serviceRow, SERVICES, type ServiceRow } from './providers/table.ts';
import { LlmError } from './types/error.ts';
import type { ModelProvider } from './types/provider.ts';

/** Protocol families, each imported for its first request. */
const PROTOCOLS: Readonly<Record<ServiceRow['protocol'], (settings: ProviderSettings) => Promise<Protocol>>> = {
  anthropic: async () => (await import('./providers/anthropic.ts')).anthropic,
  openai: async () => (await import('./providers/openai.ts')).openai,
  'openai-chat': async () => (await import('./providers/openai-chat.ts')).openaiChat,
  gemini: async () => (await import('./providers/gemini.ts')).gemini,
  bedrock: async () => (await import('./providers/bedrock.ts')).bedrock,
  vertex: async () => (await import('./providers/vertex.ts')).vertex,
  'vertex-anthropic': async () => (await import('./providers/vertex.ts')).vertexAnthropic,
  azure: async ({ apiVersion }) => {
    const { azure, azureChat, isDated } = await import('./providers/azure.ts');
    return isDated(apiVersion) ? azureChat : azure;
  },
};

/**
 * A provider from its row in the table and its settings; rejects with a `configuration` error that names what is missing and where to set
 * it.
 */
export async function createConfiguredProvider(
  id: string,
  configuration: LlmConfiguration,
  transport: Transport,
): Promise<ModelProvider> {
  const row = serviceRow(id);
  const settings = configuration.providers?.[id] ?? {};
  const protocol = settings.protocol ?? row?.protocol;
  const baseUrl = settings.baseUrl ?? row?.baseUrl ?? (row?.cloud === undefined ? undefined : '');
  if (protocol === undefined || baseUrl === undefined) throw unknownProvider(id);
  const missing = missingKey(id, settings) ?? (row === undefined ? null : missingSetting(row, settings));
  if (missing !== null) throw configurationError(missing, id);
  return createModelProvider({
    id,
    protocol: await PROTOCOLS[protocol](settings),
    baseUrl,
    credential: createCredential(settings.authToken ?? settings.apiKey, renewalOf(id, settings, transport)),
    isBearer: settings.authToken !== undefined,
    transport: settings.query === undefined ? transport : withQuery(transport, settings.query),
    cloud: settings,
    ...defined({
      toolChoices: row?.toolChoices,
      headers: settings.headers,
      keyVariable: settings.keyVariable ?? row?.keyVariables[0],
    }),
  });
}

/** A service whose file names the variable of its key. */
function missingKey(
  id: string,
  { keyVariable, apiKey, authToken, refreshCredential }: ProviderSettings,
): string | null {
  const isKnown = [apiKey, authToken, refreshCredential].some((one) => one !== undefined && one !== '');
  return keyVariable === undefined || isKnown ? null : `No API key for ${id}. Set ${keyVariable} in the environment.`;
}

/** The same requests, with these parameters in their addresses. */
function withQuery(transport: Transport, query: Readonly<Record<string, string>>): Transport {
  return {
    ...transport,
    fetch: (options) => {
      const send = transport.fetch(options);
      return (input, init) => {
        const url = new URL(input instanceof Request ? input.url : input);
        for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
        return send(url.href, init);
      };
    },
  };
}

/** Google's clouds give a token to who is logged in; it is renewed when it is refused. */
function renewalOf(id: string, settings: ProviderSettings, transport: Transport): RefreshCredential | undefined {
  const { refreshCredential: given } = settings;
  const isGoogle = id === 'vertex' || id === 'vertex-anthropic';
  if (given !== undefined || !isGoogle || settings.authToken !== undefined || settings.apiKey !== undefined)
    return given;
  return async () => (await import('./clouds/google-token.ts')).googleToken(id, settings, transport.fetch());
}

/**
 * What is missing before this service can be asked, as a line for a person; null if nothing is. The credentials of a cloud that are in
 * files or come from a login are looked for with the first request.
 */
export function missingSetting(row: ServiceRow, settings: ProviderSettings): string | null {
  const { id, cloud } = row;
  const lacking = cloud?.needs.find((key) => settings[key] === undefined && !isInAddress(key, settings));
  if (lacking !== undefined) {
    const names = [
      ...(cloud?.variables[lacking] ?? []),
      ...(lacking === 'resource' ? (row.baseUrlVariables ?? []) : []),
    ];
    return `No ${lacking} for ${id}. Set ${names.join(' or ')} in the environment, or providers.${id}.${lacking} in the configuration.${id === 'vertex' && lacking === 'project' ? EXPRESS : ''}`;
  }
  const isKnown = [settings.authToken, settings.apiKey, settings.refreshCredential].some((one) => one !== undefined);
  const looksElsewhere = cloud !== undefined && id !== 'azure';
  if (isKnown || looksElsewhere || row.key !== 'required') return null;
  const variables = row.keyVariables.join(' or ');
  return `No API key for ${id}. Set ${variables} in the environment, or providers.${id}.apiKey in the configuration.`;
}

/** What is missing first among providers that are meant. */
export function firstMissing({ providers = {} }: LlmConfiguration): string | undefined {
  const lines = SERVICES.map((row) => (row.id in providers ? missingSetting(row, providers[row.id] ?? {}) : null));
  return lines.find((line) => line !== null) ?? undefined;
}

/** An address says where the service is. */
function isInAddress(key: CloudKey, { baseUrl }: ProviderSettings): boolean {
  return baseUrl !== undefined && (key === 'region' || key === 'resource');
}

/** The provider to use if a request names none. */
export function defaultProviderId(configuration: LlmConfiguration): string | undefined {
  return configuration.defaultProvider ?? Object.keys(configuration.providers ?? {})[0];
}

function unknownProvider(id: string): LlmError {
  return configurationError(
    `Unknown provider "${id}". Use a known one, or set providers.${id}.protocol and providers.${id}.baseUrl in the configuration.`,
    id,
  );
}

export function configurationError(message: string, provider?: string): LlmError {
  return new LlmError({
    code: 'configuration',
    message,
    retryable: false,
    ...defined({ provider }),
  });
}

const EXPRESS = " A key of Vertex's express mode alone is not supported: use the provider gemini with that key.";
