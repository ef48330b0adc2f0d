import { createClient } from '@attractor/llm';
import type { Simulator } from '@attractor/simulator';
import { describe, expect, it } from 'vitest';
import type { ProviderFactory } from '../provider.ts';
import { startContractModel, startFailingModel } from '../test-support/contract-model.ts';
import { providerContract, type ProviderWorld } from '../testing/index.ts';
import { createLlmProvider } from './llm.ts';

const PROTOCOLS = ['anthropic', 'openai', 'openai-chat', 'gemini'] as const;

/** An address that refuses at once: its server was closed. */
const NOBODY = 'http://127.0.0.1:9';

function provider(id: (typeof PROTOCOLS)[number], baseUrl: string): ProviderFactory {
  const configuration = { providers: { [id]: { apiKey: 'none', baseUrl } }, maxRetries: 0 };
  return createLlmProvider({ id, model: 'any-model', client: createClient({ configuration }) });
}

async function makeWorld(id: (typeof PROTOCOLS)[number]): Promise<ProviderWorld> {
  const servers = await Promise.all([
    startContractModel('file_read'),
    startFailingModel({ kind: 'unauthorized', times: 'forever' }),
    startFailingModel({ kind: 'rate_limit', times: 'forever' }),
    startFailingModel({ kind: 'not_found', times: 'forever' }),
    startFailingModel({ kind: 'stall', headers: 'held', times: 'forever' }),
  ]);
  const [model, refusing, limiting, unknown, silent] = servers.map((server: Simulator) =>
    provider(id, server.baseUrls[id]),
  );
  if (!model || !refusing || !limiting || !unknown || !silent) throw new Error('a server is missing');
  return {
    provider: model,
    failing: {
      AuthenticationError: refusing,
      RateLimitError: limiting,
      NetworkError: provider(id, NOBODY),
      InvalidResponseError: unknown,
    },
    silent,
    dispose: async () => {
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}

describe.each(PROTOCOLS)('the llm provider over %s', (id) => {
  it.each(providerContract(() => makeWorld(id)))('$name', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
});
