import { defined } from '@attractor/base';
import { startSimulator, type Simulator } from '@attractor/simulator';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient, type Client } from '../client.ts';
import { brokenHistories, marksIn } from '../test-support/broken-histories.ts';
import { runs } from '../test-support/runs.ts';
import { userMessage, type Message } from '../types/message.ts';
import type { Request } from '../types/request.ts';

const MODELS = {
  anthropic: 'claude-sonnet-4-5',
  openai: 'gpt-5',
  'openai-chat': 'any-model',
  gemini: 'gemini-2.5-pro',
} as const;
type Provider = keyof typeof MODELS;

const TOOLS = ['read_file', 'file.read'].map((name) => ({
  name,
  description: name,
  parameters: { type: 'object', properties: {} },
}));

describe('any history, sent over HTTP to the strict simulator', () => {
  let simulator: Simulator;
  let client: Client;
  beforeAll(async () => {
    const answer = { thinking: { text: 'I think', always: true }, text: 'fine' };
    simulator = await startSimulator({ script: { turns: [], otherwise: answer }, record: 'last' });
    const providers = Object.fromEntries(
      Object.keys(MODELS).map((id) => [id, { apiKey: 'test-key-0001', baseUrl: simulator.baseUrls[id as Provider] }]),
    );
    client = createClient({ configuration: { providers, maxRetries: 0 } });
  });
  afterAll(async () => {
    await client.close();
    await simulator.close();
  });

  function ask(provider: Provider, messages: ReadonlyArray<Message>, more: Partial<Request> = {}) {
    return client.complete({ provider, model: MODELS[provider], messages, tools: TOOLS, ...more });
  }

  it.each(Object.keys(MODELS) as Provider[])('is accepted by %s and loses no text and no output', async (provider) => {
    const first = await ask(provider, [userMessage('think')], { reasoningEffort: 'low' });
    const own = first.message.content.filter(({ kind }) => kind === 'THINKING');
    await fc.assert(
      fc.asyncProperty(
        brokenHistories(own),
        fc.constantFrom(undefined, 'low' as const),
        async (messages, reasoningEffort) => {
          await ask(provider, messages, defined({ reasoningEffort }));
          const [request] = simulator.requests();
          expect(request?.status).toBe(200);
          const sent = JSON.stringify(request?.body);
          for (const mark of marksIn(messages)) expect(sent).toContain(mark);
          expect(sent.isWellFormed()).toBe(true);
          expect(sent).not.toMatch(/\\ud[89a-f]/i);
        },
      ),
      { numRuns: runs(60) },
    );
  });
});
