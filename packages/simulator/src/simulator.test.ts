import { Agent, request } from 'node:http';
import Anthropic from '@anthropic-ai/sdk';
import { assert, asyncProperty, boolean, constantFrom, integer } from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { ScriptInput } from './script/types.ts';
import { type Simulator, type SimulatorOptions, startSimulator } from './simulator.ts';
import { ask, PROTOCOLS } from './test-support/raw-http.ts';

let running: Simulator[] = [];
afterEach(async () => {
  await Promise.all(running.map((simulator) => simulator.close()));
  running = [];
});

async function start(script: ScriptInput, options: Partial<SimulatorOptions> = {}): Promise<Simulator> {
  const simulator = await startSimulator({ script, ...options });
  running.push(simulator);
  return simulator;
}

const clientOf = (simulator: Simulator): Anthropic =>
  new Anthropic({ apiKey: 'k', baseURL: simulator.baseUrls.anthropic, maxRetries: 0 });
const say = (role: 'user' | 'assistant', content: string): Anthropic.MessageParam => ({ role, content });

async function talk(client: Anthropic, messages: Anthropic.MessageParam[], system = ''): Promise<string> {
  const message = await client.messages.create({ model: 'm', max_tokens: 100, messages, ...(system && { system }) });
  return message.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

/** Twenty in a soak (SOAK=1). */
const TURNS = process.env['SOAK'] === '1' ? 20 : 3;

describe('the position in a script', () => {
  const script: ScriptInput = {
    turns: [{ text: 'one' }, { text: 'two', repeat: 2 }, { text: 'three' }],
    otherwise: { text: 'beyond' },
  };

  it('is the number of assistant turns in the request, so that a restart changes nothing', async () => {
    const first = await start(script);
    expect(await talk(clientOf(first), [say('user', 'a')])).toBe('one');
    await first.close();
    const second = await start(script);
    const history = [say('user', 'a'), say('assistant', 'one'), say('user', 'b')];
    expect(await talk(clientOf(second), history)).toBe('two');
    expect(await talk(clientOf(second), history)).toBe('two');
    history.push(say('assistant', 'two'), say('user', 'c'));
    expect(await talk(clientOf(second), history)).toBe('two');
    history.push(say('assistant', 'two'), say('user', 'd'));
    expect(await talk(clientOf(second), history)).toBe('three');
    history.push(say('assistant', 'three'), say('user', 'e'));
    expect(await talk(clientOf(second), history)).toBe('beyond');
  });

  it('beyond the last turn is a clear error and a recorded failure', async () => {
    const simulator = await start({ turns: [{ text: 'only' }] });
    const history = [say('user', 'a'), say('assistant', 'only'), say('user', 'b')];
    await expect(talk(clientOf(simulator), history)).rejects.toThrow(
      /script_expectation_failed: the script has ended: turn 2/,
    );
    expect(simulator.failures()).toMatchObject([
      { message: expect.stringContaining('has ended') as string, request: { position: 1 } },
    ]);
  });

  it('is found for a client that died in the middle of a turn', async () => {
    const simulator = await start({ turns: [{ text: 'one', fault: { kind: 'cut', atByte: 20 } }, { text: 'two' }] });
    await expect(talk(clientOf(simulator), [say('user', 'a')])).rejects.toThrow(/terminated|connection|premature/i);
    expect(await talk(clientOf(simulator), [say('user', 'a')])).toBe('one');
  });
});

describe('conversations', () => {
  it('are told apart by what the request says', async () => {
    const simulator = await start({
      conversations: [
        { name: 'planner', match: { system: { regex: 'plan(ner)?' } }, turns: [{ text: 'a plan' }] },
        { name: 'titles', match: { firstUser: 'title', model: { equals: 'm' } }, turns: [{ text: 'a title' }] },
        { name: 'named', key: 'run-7', turns: [{ text: 'seven' }] },
        { name: 'rest', turns: [{ text: 'rest' }] },
      ],
    });
    const client = clientOf(simulator);
    expect(await talk(client, [say('user', 'x')], 'You are a planner')).toBe('a plan');
    expect(await talk(client, [say('user', 'give a title')])).toBe('a title');
    expect(await talk(client, [say('user', 'x')])).toBe('rest');
    const named = await client.messages.create(
      { model: 'm', max_tokens: 5, messages: [say('user', 'x')] },
      { headers: { 'x-attractor-conversation': 'run-7' } },
    );
    expect(named.content).toMatchObject([{ text: 'seven' }]);
    expect(simulator.requests({ conversationName: 'planner' })).toHaveLength(1);
  });

  it('have their own attempts', async () => {
    const simulator = await start({ turns: [{ text: 'ok', fault: { kind: 'status', status: 500 } }] });
    const statuses = await Promise.all(
      ['a', 'b', 'a', 'b', 'c'].map(async (text) => (await ask(simulator.url, 'anthropic', { text })).status),
    );
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 200, 500, 500, 500]);
  });

  it('that nobody wrote are refused', async () => {
    const simulator = await start({ conversations: [{ match: { firstUser: 'hello' }, turns: [{ text: 'x' }] }] });
    await expect(talk(clientOf(simulator), [say('user', 'bye')])).rejects.toThrow(
      /no conversation of the script matches/,
    );
  });
});

describe('expectations', () => {
  it('that are not met are told to the client and remembered', async () => {
    const simulator = await start({
      turns: [{ expect: [{ lastUser: 'please' }, { tools: ['fly'] }], text: 'ok', repeat: 'forever' }],
    });
    await expect(talk(clientOf(simulator), [say('user', 'now')])).rejects.toThrow(
      /expected the last user text to contain .*please.*, but it is .*now/,
    );
    await expect(talk(clientOf(simulator), [say('user', 'please')])).rejects.toThrow(
      /expected the tools fly to be declared, but got: none/,
    );
    expect(simulator.failures()).toHaveLength(2);
  });

  it('capture what a later word needs', async () => {
    const simulator = await start({
      capture: { folder: { from: 'system', regex: 'Working directory: (\\S+)' } },
      turns: [{ text: 'I am in {{folder}}, not in {{nowhere}}.' }],
    });
    expect(await talk(clientOf(simulator), [say('user', 'x')], 'Working directory: /home/me')).toBe(
      'I am in /home/me, not in {{nowhere}}.',
    );
  });
});

describe('the simulator', () => {
  it('tells what every kind of client takes as its base URL', async () => {
    const { url, baseUrls } = await start({ turns: [] });
    expect(baseUrls).toEqual({ anthropic: url, openai: `${url}/v1`, 'openai-chat': `${url}/v1`, gemini: url });
  });

  it('refuses a port in use and a script that is none', async () => {
    const { port } = await start({ turns: [] });
    await expect(startSimulator({ script: { turns: [] }, port })).rejects.toThrow(`port ${port} is in use`);
    await expect(startSimulator({ script: {} })).rejects.toThrow(/not a valid script/);
  });

  it('accepts what is not valid when it is told not to be strict', async () => {
    const simulator = await start({ turns: [{ text: 'ok' }] }, { strict: false });
    const client = clientOf(simulator);
    expect(await talk(client, [say('user', '')])).toBe('ok');
  });

  it('refuses prompts that are too long for the window it was given', async () => {
    const simulator = await start({ contextTokens: 50, turns: [{ text: 'ok' }] });
    await expect(talk(clientOf(simulator), [say('user', 'x'.repeat(400))])).rejects.toThrow(
      /prompt is too long: \d+ tokens > 50 maximum/,
    );
  });

  it('records all requests, only the last, or none, and forgets on reset', async () => {
    for (const [record, kept] of [
      ['all', 2],
      ['last', 1],
      ['none', 0],
    ] as const) {
      const simulator = await start({ turns: [{ text: 'ok' }] }, { record });
      await ask(simulator.url, 'gemini');
      await ask(simulator.url, 'openai');
      expect(simulator.requests()).toHaveLength(kept);
      simulator.reset();
      expect(simulator.requests()).toHaveLength(0);
    }
  });

  it('keeps no key', async () => {
    const simulator = await start({ turns: [{ text: 'ok', repeat: 'forever' }] });
    await fetch(`${simulator.url}/v1beta/models/m:generateContent?key=AIzaSyVerySecret99`, {
      method: 'POST',
      body: '{}',
    });
    await fetch(`${simulator.url}/v1/responses`, {
      method: 'POST',
      body: '{}',
      headers: { authorization: 'Bearer sk-very-secret' },
    });
    expect(JSON.stringify(simulator.requests())).not.toMatch(/VerySecret|very-secret/);
  });

  it('answers unknown paths and unreadable bodies', async () => {
    const simulator = await start({ turns: [] });
    expect((await fetch(`${simulator.url}/v2/nothing`)).status).toBe(404);
    const broken = await fetch(`${simulator.url}/v1/responses`, {
      method: 'POST',
      body: '{',
      headers: { authorization: 'Bearer k' },
    });
    expect(broken.status).toBe(400);
    expect(await broken.text()).toContain('could not parse the JSON body');
  });

  it('gives the same message whatever the chunks', async () => {
    const turn = {
      thinking: 'hm — 🤔',
      text: 'Ünïcödé 🐕 and "quotes"\nand lines',
      toolCalls: [{ name: 'read_file', args: { path: 'ä/🐕.txt' } }],
    };
    await assert(
      asyncProperty(
        integer(),
        integer({ min: 1, max: 40 }),
        constantFrom('lf', 'crlf', 'cr'),
        boolean(),
        async (random, max, lineEnd, extra) => {
          const fault = {
            kind: 'framing' as const,
            lineEnd,
            comments: extra,
            multiLine: extra,
          };
          const simulator = await startSimulator({
            script: { turns: [{ ...turn, chunkSize: { random, max }, deltaChars: max, fault }] },
          });
          try {
            const messages = [say('user', 'go')];
            const message = await clientOf(simulator)
              .messages.stream({
                model: 'm',
                max_tokens: 4000,
                thinking: { type: 'enabled', budget_tokens: 2000 },
                messages,
              })
              .finalMessage();
            expect(message.content).toMatchObject([
              { type: 'thinking', thinking: turn.thinking },
              { type: 'text', text: turn.text },
              { type: 'tool_use', input: { path: 'ä/🐕.txt' } },
            ]);
          } finally {
            await simulator.close();
          }
        },
      ),
      { numRuns: process.env['SOAK'] === '1' ? 1_000 : 8 },
    );
  });

  it('gives the same bytes whatever the chunks, over every protocol', async () => {
    for (const protocol of PROTOCOLS) {
      const usage = { input: 5, output: 5 };
      const whole = await ask((await start({ turns: [{ text: 'ünïcödé 🐕', usage }] })).url, protocol);
      const random = await ask(
        (await start({ turns: [{ text: 'ünïcödé 🐕', usage, chunkSize: { random: 7 } }] })).url,
        protocol,
      );
      expect(random.body).toBe(whole.body);
      expect(random.chunks.length).toBeGreaterThan(whole.chunks.length);
    }
  });

  it(`holds 300 parallel conversations of ${TURNS} turns`, async () => {
    const turns = Array.from({ length: TURNS }, (_none, index) => ({ text: `answer ${index}` }));
    const simulator = await start({ turns }, { record: 'none' });
    const agent = new Agent({ keepAlive: true, maxSockets: 64 });
    const converse = async (name: number): Promise<string[]> => {
      const messages = [say('user', `conversation ${name}`)];
      const answers: string[] = [];
      for (let turn = 0; turn < TURNS; turn += 1) {
        const text = await quickAsk(simulator.port, agent, messages);
        answers.push(text);
        messages.push(say('assistant', text), say('user', 'next'));
      }
      return answers;
    };
    const all = await Promise.all(Array.from({ length: 300 }, (_none, name) => converse(name)));
    agent.destroy();
    const expected = turns.map((turn) => turn.text);
    expect(all.every((answers) => answers.join() === expected.join())).toBe(true);
    expect(simulator.failures()).toEqual([]);
  });
});

function quickAsk(port: number, agent: Agent, messages: Anthropic.MessageParam[]): Promise<string> {
  const headers = { 'x-api-key': 'k', 'anthropic-version': '2023-06-01' };
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { port, host: '127.0.0.1', path: '/v1/messages', method: 'POST', agent, headers },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('end', () => {
          const { content } = JSON.parse(Buffer.concat(chunks).toString()) as { content?: { text: string }[] };
          resolve(content?.[0]?.text ?? 'nothing');
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(JSON.stringify({ model: 'm', max_tokens: 10, messages }));
  });
}
