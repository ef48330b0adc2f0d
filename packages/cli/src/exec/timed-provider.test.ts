import { setTimeout as sleep } from 'node:timers/promises';
import { type ProviderFactory, type ProviderHost, FILE_TOOLS } from '@attractor/executor';
import { expect, it } from 'vitest';
import { createApiTime } from '@attractor/stream-json';
import { timedProvider } from './timed-provider.ts';

const AGENT = { name: 'a', path: 'a.md', systemPrompt: 'You work.', instructions: '', ignored: [] };
const HOST: ProviderHost = {
  agentSpec: AGENT,
  workspaceRoot: '/',
  tools: FILE_TOOLS,
  signal: new AbortController().signal,
  history: () => null,
  onProgress: () => undefined,
  runTool: async ({ id }) => {
    await sleep(150);
    return { toolCallId: id, output: '', isError: false };
  },
};

/** Thinks, has two tools run at once, and is a class: its methods need their object. */
class Own {
  readonly thinking = 80;
  readonly host: ProviderHost;
  constructor(host: ProviderHost) {
    this.host = host;
  }
  async createSession() {
    return { ok: true, value: { id: 's', provider: 'own', agentSpec: AGENT } } as const;
  }
  async resumeSession() {
    return { ok: true, value: null } as const;
  }
  async sendMessage() {
    await sleep(this.thinking);
    const call = (id: string) => this.host.runTool({ id, name: 'file.list', input: {} }, { text: '', model: 'm' });
    await Promise.all([call('1'), call('2')]);
    return { ok: true, value: { text: 'Done.', toolCalls: [], isComplete: true } } as const;
  }
  async submitToolResults() {
    return this.sendMessage();
  }
  async continueSession() {
    return this.sendMessage();
  }
}

const OWN: ProviderFactory = { id: 'own', open: (host) => new Own(host) };

it('counts the time until an answer, without the tools that the provider has run by us meanwhile', async () => {
  const time = createApiTime();
  const provider = timedProvider(OWN, time).open(HOST);
  const session = { id: 's', provider: 'own', agentSpec: AGENT };
  const began = performance.now();
  expect(await provider.sendMessage(session, 'Go.')).toMatchObject({ ok: true, value: { text: 'Done.' } });
  expect(await provider.continueSession?.(session, 'Go.')).toMatchObject({ ok: true });
  const took = performance.now() - began;
  expect(time.ms()).toBeGreaterThan(150);
  expect(took - time.ms()).toBeGreaterThan(290);
  expect(provider.close).toBeUndefined();
});
