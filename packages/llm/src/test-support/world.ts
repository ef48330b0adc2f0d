import { startSimulator, type ScriptInput, type Simulator } from '@attractor/simulator';
import { createClient, type Client } from '../client.ts';
import type { ProviderSettings } from '../configuration.ts';
import type { RetryPolicy } from '../retry.ts';
import type { Request } from '../types/request.ts';
import type { StreamEvent } from '../types/stream.ts';
import { userMessage } from '../types/message.ts';

export const PROVIDERS = ['anthropic', 'openai', 'openai-chat', 'gemini'] as const;
export type ProviderName = (typeof PROVIDERS)[number];

const MODELS: Readonly<Record<ProviderName, string>> = {
  anthropic: 'claude-sonnet-4-5',
  openai: 'gpt-5',
  'openai-chat': 'any-model',
  gemini: 'gemini-2.5-pro',
};

export const READ_FILE = {
  name: 'read_file',
  description: 'Reads a file.',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
};

/** A client and its scripted model over loopback. Waits are recorded, not waited, unless `retry` says otherwise. */
export type World = {
  readonly client: Client;
  readonly simulator: Simulator;
  readonly waits: number[];
  readonly ask: (more?: Partial<Request>) => Promise<StreamEvent[]>;
  readonly close: () => Promise<void>;
};

export type WorldOptions = {
  readonly provider?: ProviderName;
  readonly retry?: RetryPolicy;
  readonly settings?: ProviderSettings;
  /** No key unless the settings give one. */
  readonly keyless?: boolean;
};

export async function startWorld(script: ScriptInput, options: WorldOptions = {}): Promise<World> {
  const { provider = 'anthropic' } = options;
  const simulator = await startSimulator({ script });
  const waits: number[] = [];
  const sleep = async (ms: number): Promise<void> => void waits.push(ms);
  const client = createClient({
    configuration: {
      providers: {
        [provider]: {
          ...(options.keyless === true ? {} : { apiKey: 'test-key-0001' }),
          baseUrl: simulator.baseUrls[provider],
          ...options.settings,
        },
      },
    },
    retry: { sleep, random: () => 0.5, ...options.retry },
  });
  const ask = async (more: Partial<Request> = {}): Promise<StreamEvent[]> => {
    const events: StreamEvent[] = [];
    const request = { model: MODELS[provider], messages: [userMessage('go')], tools: [READ_FILE], ...more };
    for await (const event of client.stream(request)) events.push(event);
    return events;
  };
  return {
    client,
    simulator,
    waits,
    ask,
    close: async () => {
      await client.close();
      await simulator.close();
    },
  };
}

export function finishOf(events: ReadonlyArray<StreamEvent>): Extract<StreamEvent, { kind: 'FINISH' }> {
  const last = events.at(-1);
  if (last?.kind === 'FINISH') return last;
  throw new Error(`no FINISH: ${last?.kind === 'ERROR' ? `${last.error.code}: ${last.error.message}` : last?.kind}`);
}

export function errorOf(events: ReadonlyArray<StreamEvent>): Extract<StreamEvent, { kind: 'ERROR' }> {
  const last = events.at(-1);
  if (last?.kind === 'ERROR') return last;
  throw new Error(`no ERROR but ${last?.kind}`);
}

export function shownText(events: ReadonlyArray<StreamEvent>): string {
  return events.map((event) => (event.kind === 'TEXT_DELTA' ? event.text : '')).join('');
}
