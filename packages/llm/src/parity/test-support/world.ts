import { startSimulator } from '@attractor/simulator';
import type { RecordedRequest, ScriptInput, Simulator } from '@attractor/simulator';
import { createClient } from '../../client.ts';
import type { Client } from '../../client.ts';
import { WIRES } from './wire.ts';
import type { ProtocolName, Wire } from './wire.ts';

export const GOOD_KEY = 'sk-parity-key-0001';

/** One client of one provider in front of one scripted model, over loopback HTTP. */
export type World = {
  readonly provider: ProtocolName;
  readonly wire: Wire;
  readonly client: Client;
  readonly simulator: Simulator;
  /** A second client to the same model, with another key or without retries. */
  readonly clientWith: (settings: { readonly apiKey?: string; readonly maxRetries?: number }) => Client;
  /** The requests of one case, in order. */
  readonly sent: (conversation: string) => ReadonlyArray<RecordedRequest>;
  readonly close: () => Promise<void>;
};

export async function startWorld(provider: ProtocolName, script: ScriptInput): Promise<World> {
  const simulator = await startSimulator({ script: { apiKeys: [GOOD_KEY], ...script } });
  const clients: Client[] = [];
  const clientWith: World['clientWith'] = ({ apiKey = GOOD_KEY, maxRetries = 2 }) => {
    const providers = { [provider]: { apiKey, baseUrl: simulator.baseUrls[provider] } };
    const client = createClient({
      configuration: { defaultProvider: provider, providers, maxRetries },
      retry: { baseMs: 1 },
    });
    clients.push(client);
    return client;
  };
  return {
    provider,
    wire: WIRES[provider],
    client: clientWith({}),
    simulator,
    clientWith,
    sent: (conversationName) => simulator.requests({ conversationName }),
    close: async () => {
      await Promise.all(clients.map((client) => client.close()));
      await simulator.close();
    },
  };
}
