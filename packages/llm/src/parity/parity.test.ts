import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined } from '@attractor/base';
import type { ScriptInput } from '@attractor/simulator';
import { generate } from '../generate/generate.ts';
import { generateObject } from '../generate/generate-object.ts';
import { streamGenerate } from '../generate/stream-generate.ts';
import type { Tool } from '../generate/tool.ts';
import type { GenerateEvent } from '../generate/steps.ts';
import { userMessage } from '../types/message.ts';
import type { ProtocolName } from './test-support/wire.ts';
import { startWorld } from './test-support/world.ts';
import type { World } from './test-support/world.ts';

/** Fifteen things that every provider does alike, asked over HTTP of a model that keeps each protocol's rules. */
type ParityCase = {
  readonly name: string;
  readonly turns: Turns;
  readonly check: (world: World, ask: Ask) => Promise<void>;
};

type Turns = NonNullable<ScriptInput['turns']>;
/** What every request of a case has in common; the prompt names the case, and so picks its conversation. */
type Ask = { readonly client: World['client']; readonly model: string; readonly prompt: string };

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const SYSTEM = 'You are a careful assistant.';

const weather: Tool = {
  name: 'get_weather',
  description: 'The weather of a city.',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
  execute: ({ city }) => `sunny in ${String(city)}`,
};

const weatherIn = (city: string, id?: string) => ({
  name: 'get_weather',
  args: { city },
  ...defined({ id }),
});

const citySchema = {
  type: 'object',
  properties: { city: { type: 'string' }, people: { type: 'integer' } },
  required: ['city', 'people'],
  additionalProperties: false,
};

const CASES: ReadonlyArray<ParityCase> = [
  {
    name: 'a plain text answer',
    turns: [{ text: 'Hello, world.' }],
    check: async ({ wire, sent }, ask) => {
      const result = await generate({ ...ask, system: SYSTEM });
      expect(result).toMatchObject({ text: 'Hello, world.', finishReason: { reason: 'stop' }, toolCalls: [] });
      const [request] = sent(ask.prompt);
      expect(request?.path).toMatch(wire.path);
      expect(request?.headers[wire.authHeader]).toMatch(/0001$/);
      expect([wire.system(request?.body), wire.userTexts(request?.body)]).toEqual([SYSTEM, [ask.prompt]]);
    },
  },
  {
    name: 'a streamed answer',
    turns: [{ text: 'One two three four five.', deltaChars: 3 }],
    check: async ({ wire, sent }, ask) => {
      const stream = streamGenerate(ask);
      const events: GenerateEvent[] = [];
      for await (const event of stream) events.push(event);
      const deltas = events.flatMap((event) => (event.kind === 'TEXT_DELTA' ? [event.text] : []));
      expect(deltas.length).toBeGreaterThan(3);
      expect(deltas.join('')).toBe('One two three four five.');
      expect(outline(events)).toBe('STREAM_START TEXT_START TEXT_DELTA TEXT_END STEP_FINISH FINISH');
      expect((await stream.response()).text).toBe('One two three four five.');
      const [request] = sent(ask.prompt);
      expect(wire.streams(request?.body, request?.path ?? '')).toBe(true);
    },
  },
  {
    name: 'an image as bytes',
    turns: [{ text: 'A dot.' }],
    check: async ({ wire, sent }, { prompt, ...ask }) => {
      const image = { kind: 'IMAGE', source: { data: PIXEL, mediaType: 'image/png' } } as const;
      const result = await generate({ ...ask, messages: [userMessage([{ kind: 'TEXT', text: prompt }, image])] });
      expect(result.text).toBe('A dot.');
      expect(wire.images(sent(prompt)[0]?.body)).toEqual([{ mediaType: 'image/png', data: PIXEL }]);
    },
  },
  {
    name: 'an image by address',
    turns: [{ text: 'A cat.' }],
    check: async ({ wire, sent }, { prompt, ...ask }) => {
      const url = 'https://images.example.com/cat.png';
      const image = { kind: 'IMAGE', source: { url, mediaType: 'image/png' } } as const;
      const result = await generate({ ...ask, messages: [userMessage([{ kind: 'TEXT', text: prompt }, image])] });
      expect(result.text).toBe('A cat.');
      expect(wire.images(sent(prompt)[0]?.body)).toEqual([{ url }]);
    },
  },
  {
    name: 'one tool call',
    turns: [
      { text: 'Let me look.', toolCalls: [weatherIn('Oslo')] },
      { expect: { toolResults: 1 }, text: 'Sunny.' },
    ],
    check: async ({ wire, sent }, ask) => {
      const result = await generate({ ...ask, tools: [weather] });
      expect(result.text).toBe('Sunny.');
      expect(result.steps[0]).toMatchObject({
        toolCalls: [{ toolName: 'get_weather', args: { city: 'Oslo' } }],
        finishReason: { reason: 'tool_calls' },
      });
      const [first, second] = sent(ask.prompt);
      expect(wire.toolNames(first?.body)).toEqual(['get_weather']);
      expect(wire.toolResults(second?.body).map((one) => one.output)).toEqual(['sunny in Oslo']);
    },
  },
  {
    name: 'parallel tool calls',
    turns: [{ toolCalls: [weatherIn('Oslo'), weatherIn('Rome'), weatherIn('Cairo')] }, { text: 'All sunny.' }],
    check: async ({ wire, sent, provider }, ask) => {
      const result = await generate({ ...ask, tools: [weather] });
      const ids = result.steps[0]?.toolCalls.map((one) => one.toolCallId) ?? [];
      expect(new Set(ids).size).toBe(3);
      expect(sent(ask.prompt)).toHaveLength(2);
      const results = wire.toolResults(sent(ask.prompt)[1]?.body);
      expect(results.map((one) => one.output)).toEqual(['sunny in Oslo', 'sunny in Rome', 'sunny in Cairo']);
      expect(results.map((one) => one.call)).toEqual(provider === 'gemini' ? ids.map(() => 'get_weather') : ids);
    },
  },
  {
    name: 'four rounds of tools',
    turns: [...['A', 'B', 'C', 'D'].map((city) => ({ toolCalls: [weatherIn(city)] })), { text: 'Done.' }],
    check: async ({ wire, sent }, ask) => {
      const result = await generate({ ...ask, tools: [weather], maxToolRounds: 10 });
      expect([result.text, result.steps.length]).toEqual(['Done.', 5]);
      expect(wire.toolResults(sent(ask.prompt).at(-1)?.body).map((one) => one.output)).toEqual(
        ['A', 'B', 'C', 'D'].map((city) => `sunny in ${city}`),
      );
    },
  },
  {
    name: 'a streamed tool call',
    turns: [{ toolCalls: [weatherIn('Reykjavík "the bay"')], deltaChars: 4 }, { text: 'Windy.' }],
    check: async ({ wire, sent }, ask) => {
      const events: GenerateEvent[] = [];
      for await (const event of streamGenerate({ ...ask, tools: [weather] })) events.push(event);
      expect(outline(events)).toBe(
        'STREAM_START TOOL_CALL_START TOOL_CALL_DELTA TOOL_CALL_END STEP_FINISH STREAM_START TEXT_START TEXT_DELTA TEXT_END STEP_FINISH FINISH',
      );
      const args = events.flatMap((event) => (event.kind === 'TOOL_CALL_DELTA' ? [event.argsDelta] : [])).join('');
      expect(JSON.parse(args)).toEqual({ city: 'Reykjavík "the bay"' });
      const ended = events.find((event) => event.kind === 'TOOL_CALL_END');
      expect(ended).toMatchObject({ call: { args: { city: 'Reykjavík "the bay"' } } });
      expect(wire.toolResults(sent(ask.prompt)[1]?.body)).toHaveLength(1);
    },
  },
  {
    name: 'an object that fits a schema',
    turns: [{ object: { city: 'Paris', people: 2_100_000 } }],
    check: async ({ wire, sent, provider }, ask) => {
      const result = await generateObject({ ...ask, schema: citySchema });
      expect(sent(ask.prompt)[0]?.body).toMatchObject(OBJECT_ASKED[provider]);
      expect(result.output).toEqual({ city: 'Paris', people: 2_100_000 });
      expect(wire.objectSchema(sent(ask.prompt)[0]?.body)).toMatchObject({
        type: 'object',
        properties: { city: { type: 'string' }, people: { type: 'integer' } },
        required: ['city', 'people'],
      });
    },
  },
  {
    name: 'the count of reasoning tokens',
    turns: [
      {
        thinking: 'Let me think about this for a while. '.repeat(10),
        text: '42.',
        usage: { input: 50, output: 300, reasoning: 120 },
      },
    ],
    check: async ({ provider }, ask) => {
      const result = await generate({ ...ask, reasoningEffort: 'medium' });
      expect(result).toMatchObject({ text: '42.', usage: { outputTokens: 300 } });
      expect(result.usage.reasoningTokens).toBeGreaterThan(0);
      expect(result.usage.reasoningTokens).toBeLessThan(300);
      if (provider === 'anthropic') expect(result.reasoning).toContain('think about this');
      else expect(result.usage.reasoningTokens).toBe(120);
    },
  },
  {
    name: 'a wrong key',
    turns: [{ text: 'never' }],
    check: async ({ clientWith, simulator, provider }, ask) => {
      const client = clientWith({ apiKey: 'sk-wrong-key-9999' });
      const before = simulator.requests({ status: 401 }).length + simulator.requests({ status: 400 }).length;
      await expect(generate({ ...ask, client })).rejects.toMatchObject({
        code: 'authentication',
        retryable: false,
        provider,
      });
      const after = simulator.requests({ status: 401 }).length + simulator.requests({ status: 400 }).length;
      expect(after - before).toBe(1);
    },
  },
  {
    name: 'a rate limit',
    turns: [{ text: 'Now.', fault: { kind: 'rate_limit', retryAfter: 0.02, times: 1 } }],
    check: async ({ sent }, ask) => {
      expect((await generate(ask)).text).toBe('Now.');
      expect(sent(ask.prompt).map((request) => request.status)).toEqual([429, 200]);
    },
  },
  {
    name: 'the counts of tokens',
    turns: [{ text: 'ok', usage: { input: 1000, output: 25, cacheRead: 400 } }],
    check: async (_world, ask) => {
      const { usage } = await generate(ask);
      expect(usage).toMatchObject({ inputTokens: 1000, outputTokens: 25, totalTokens: 1025, cacheReadTokens: 400 });
    },
  },
  {
    name: 'prompt caching over a conversation',
    turns: Array.from({ length: 8 }, (_, turn) => ({ text: `Answer ${turn}. ${'words '.repeat(20)}` })),
    check: async (_world, { prompt, ...ask }) => {
      const messages = [userMessage(prompt)];
      const shares: number[] = [];
      for (let turn = 1; turn <= 8; turn += 1) {
        const { usage, response } = await generate({
          ...ask,
          messages,
          system: `${SYSTEM} ${'rules '.repeat(200)}`,
          tools: [weather],
        });
        shares.push((usage.cacheReadTokens ?? 0) / usage.inputTokens);
        messages.push(response.message, userMessage(`And then? (${turn})`));
      }
      expect(shares.slice(4).filter((share) => share <= 0.5)).toEqual([]);
    },
  },
  {
    name: 'options of the provider',
    turns: [{ text: 'ok' }],
    check: async ({ provider, sent }, ask) => {
      const row = OPTIONS[provider];
      await generate({ ...ask, providerOptions: { [provider]: row.given } });
      const [request] = sent(ask.prompt);
      expect({ ...request?.headers, ...Object(request?.body) }).toMatchObject(row.sent);
    },
  },
];

/** How each protocol is made to answer with an object. */
const OBJECT_ASKED: Readonly<Record<ProtocolName, Record<string, unknown>>> = {
  anthropic: { tool_choice: { type: 'tool', name: 'extract_object' } },
  openai: { text: { format: { type: 'json_schema', strict: true } } },
  'openai-chat': { tool_choice: { type: 'function', function: { name: 'extract_object' } } },
  gemini: { generationConfig: { responseMimeType: 'application/json' } },
};

/** One option of each provider's own, and how it looks on the wire. */
const OPTIONS: Readonly<Record<ProtocolName, { given: Record<string, unknown>; sent: Record<string, unknown> }>> = {
  anthropic: {
    given: { autoCache: false, betaHeaders: ['context-1m-2025-08-07', 'other-beta'] },
    sent: { 'anthropic-beta': 'context-1m-2025-08-07,other-beta' },
  },
  openai: { given: { store: false, user: 'person-7' }, sent: { store: false, user: 'person-7' } },
  'openai-chat': { given: { user: 'person-7' }, sent: { user: 'person-7' } },
  gemini: {
    given: { safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }] },
    sent: { safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }] },
  },
};

const PROVIDERS: ReadonlyArray<ProtocolName> = ['anthropic', 'openai', 'gemini', 'openai-chat'];

describe.each(PROVIDERS)('%s', (provider) => {
  let world: World;

  beforeAll(async () => {
    const conversations = CASES.map(({ name, turns }) => ({
      name: `case: ${name}`,
      match: { firstUser: `case: ${name}` },
      turns,
    }));
    world = await startWorld(provider, { conversations });
  });
  afterAll(() => world.close());

  it.each(CASES)('handles $name', async ({ name, check }) => {
    const ask = { client: world.client, model: world.wire.model, prompt: `case: ${name}` };
    await check(world, ask);
    expect(world.simulator.failures()).toEqual([]);
  });
});

/** The kinds of events in order, runs of one kind counted once. */
function outline(events: ReadonlyArray<GenerateEvent>): string {
  const kinds = events.map((event) => event.kind).filter((kind) => kind !== 'PROVIDER_EVENT');
  return kinds.filter((kind, index) => kind !== kinds[index - 1]).join(' ');
}
