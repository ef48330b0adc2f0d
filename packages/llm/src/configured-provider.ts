import { defined } from '@attractor/base';
import type { LlmConfiguration } from './configuration.ts';
import type { Transport } from './http/transport.ts';
import { createCredential } from './providers/credential.ts';
import { createModelProvider } from './providers/model-provider.ts';
import type { Protocol } from './providers/protocol.ts';
import { serviceRow, type ServiceRow } from './providers/table.ts';
import { LlmError } from './types/error.ts';
import type { ModelProvider } from './types/provider.ts';

/** Protocol families, each imported for its first request. */
const PROTOCOLS: Readonly<Record<ServiceRow['protocol'], () => Promise<Protocol>>> = {
  anthropic: async () => (await import('./providers/anthropic.ts')).anthropic,
  openai: async () => (await import('./providers/openai.ts')).openai,
  'openai-chat': async () => (await import('./providers/openai-chat.ts')).openaiChat,
  gemini: async () => (await import('./providers/gemini.ts')).gemini,
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
  const baseUrl = settings.baseUrl ?? row?.baseUrl;
  if (protocol === undefined || baseUrl === undefined) throw unknownProvider(id);
  const key = settings.authToken ?? settings.apiKey;
  if (key === undefined && settings.refreshCredential === undefined && row?.key === 'required') throw missingKey(row);
  return createModelProvider({
    id,
    protocol: await PROTOCOLS[protocol](),
    baseUrl,
    credential: createCredential(key, settings.refreshCredential),
    isBearer: settings.authToken !== undefined,
    transport,
    ...defined({ toolChoices: row?.toolChoices, headers: settings.headers, keyVariable: row?.keyVariables[0] }),
  });
}

/** The provider to use if a request names none. */
export function defaultProviderId(configuration: LlmConfiguration): string | undefined {
  return configuration.defaultProvider ?? Object.keys(configuration.providers ?? {})[0];
}

function missingKey(row: ServiceRow): LlmError {
  const variables = row.keyVariables.join(' or ');
  return configurationError(
    `No API key for ${row.id}. Set ${variables} in the environment, or providers.${row.id}.apiKey in the configuration.`,
    row.id,
  );
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
