import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ScriptInput } from '@attractor/simulator';
import { createClientFromEnvironment } from '../client.ts';
import { setDefaultClient } from '../generate/default-client.ts';
import { generate } from '../generate/generate.ts';
import type { Tool } from '../generate/tool.ts';
import type { ContentPart } from '../types/content.ts';
import { assistantMessage, systemMessage, toolMessage, userMessage } from '../types/message.ts';
import type { Message } from '../types/message.ts';
import type { ToolChoice } from '../types/request.ts';
import type { ProtocolName } from './test-support/wire.ts';
import { GOOD_KEY, startWorld } from './test-support/world.ts';
import type { World } from './test-support/world.ts';

const PROVIDERS: ReadonlyArray<ProtocolName> = ['anthropic', 'openai', 'gemini', 'openai-chat'];
const echo: Tool = {
  name: 'echo',
  description: 'Repeats.',
  parameters: { type: 'object', properties: {} },
  execute: () => 'echoed',
};
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Worlds of one describe; each answers `ok` unless told otherwise, and is closed at the end. */
function worldOf(
  script: ScriptInput = { turns: [{ text: 'ok', repeat: 'forever' }] },
): (provider: ProtocolName) => World {
  const worlds = new Map<ProtocolName, World>();
  beforeAll(async () => {
    for (const provider of PROVIDERS) worlds.set(provider, await startWorld(provider, script));
  });
  afterAll(async () => {
    for (const world of worlds.values()) await world.close();
  });
  return (provider) => {
    const world = worlds.get(provider);
    if (world === undefined) throw new Error(`no world of ${provider}`);
    return world;
  };
}

/** Sends one request and gives its recorded body. */
async function bodyOf(
  world: World,
  options: Partial<Parameters<typeof generate>[0]>,
): Promise<Record<string, unknown>> {
  await generate({ client: world.client, model: world.wire.model, maxToolRounds: 0, ...options });
  return Object(world.simulator.requests().at(-1)?.body);
}

describe('configuration', () => {
  const world = worldOf();
  afterEach(() => setDefaultClient(undefined));

  const environment = (): Record<string, string> => ({
    OPENAI_API_KEY: GOOD_KEY,
    OPENAI_BASE_URL: world('openai').simulator.baseUrls.openai,
    GEMINI_API_KEY: GOOD_KEY,
    GEMINI_BASE_URL: world('gemini').simulator.baseUrls.gemini,
  });

  it('takes the providers whose keys stand in an environment; the first is the default, a request may name another', async () => {
    const client = createClientFromEnvironment(environment());
    setDefaultClient(client);
    const first = await generate({ model: 'gpt-5.1', prompt: 'hi' });
    const named = await generate({ model: 'gemini-2.5-pro', prompt: 'hi', provider: 'gemini' });
    expect([first.response.provider, named.response.provider]).toEqual(['openai', 'gemini']);
    await client.close();
  });
});

describe.each(PROVIDERS)('content, sent to %s', (provider) => {
  const world = worldOf();

  it('carries all five roles', async () => {
    const { wire } = world(provider);
    const messages: ReadonlyArray<Message> = [
      systemMessage('from the system'),
      { role: 'developer', content: [{ kind: 'TEXT', text: 'from the developer' }] },
      userMessage('from the user'),
      assistantMessage([
        { kind: 'TEXT', text: 'from the assistant' },
        { kind: 'TOOL_CALL', toolCallId: 'call_1', toolName: 'echo', args: {} },
      ]),
      toolMessage({ toolCallId: 'call_1', output: 'from the tool', isError: false }),
    ];
    const body = await bodyOf(world(provider), { messages, tools: [echo] });
    expect(wire.system(body)).toContain('from the system');
    expect(wire.system(body)).toContain('from the developer');
    expect(wire.userTexts(body)).toContain('from the user');
    expect(JSON.stringify(body)).toContain('from the assistant');
    expect(wire.toolResults(body).map((one) => one.output)).toEqual(['from the tool']);
  });

  it('mixes text and images in one message, in order', async () => {
    const { wire } = world(provider);
    const image: ContentPart = { kind: 'IMAGE', source: { data: PIXEL, mediaType: 'image/png' } };
    const content: ReadonlyArray<ContentPart> = [
      { kind: 'TEXT', text: 'before' },
      image,
      { kind: 'TEXT', text: 'after' },
    ];
    const body = await bodyOf(world(provider), { messages: [userMessage(content)] });
    expect(wire.userTexts(body)).toEqual(['before', 'after']);
    expect(wire.images(body)).toHaveLength(1);
    const sent = JSON.stringify(body);
    const places = ['before', PIXEL, 'after'].map((piece) => sent.indexOf(piece));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it('marks a failed tool result so that the model sees the failure', async () => {
    const messages = [
      userMessage('go'),
      assistantMessage([{ kind: 'TOOL_CALL', toolCallId: 'call_1', toolName: 'echo', args: {} }]),
      toolMessage({ toolCallId: 'call_1', output: 'the disk is full', isError: true }),
    ];
    const body = await bodyOf(world(provider), { messages, tools: [echo] });
    expect(JSON.stringify(body)).toContain('the disk is full');
    if (provider === 'anthropic') expect(JSON.stringify(body)).toContain('"is_error":true');
  });

  it('takes audio and documents, or refuses them before anything is sent', async () => {
    const { simulator } = world(provider);
    const parts: ReadonlyArray<ContentPart> = [
      { kind: 'AUDIO', source: { data: 'UklGRg==', mediaType: 'audio/wav' } },
      { kind: 'DOCUMENT', source: { data: 'JVBERi0=', mediaType: 'application/pdf' }, fileName: 'a.pdf' },
    ];
    for (const part of parts) {
      const before = simulator.requests().length;
      const messages = [userMessage([{ kind: 'TEXT', text: 'see' }, part])];
      const outcome = await bodyOf(world(provider), { messages }).catch((error: unknown) => error);
      if (outcome instanceof Error)
        expect([Reflect.get(outcome, 'code'), simulator.requests().length]).toEqual(['invalid_request', before]);
      else expect(JSON.stringify(outcome)).toContain(part.kind === 'AUDIO' ? 'UklGRg==' : 'JVBERi0=');
    }
  });
});

describe('thinking', () => {
  const always = (text: string, redacted = false) => ({
    thinking: { text, redacted, always: true },
    toolCalls: [{ name: 'echo', args: {} }],
  });
  const world = worldOf({
    conversations: [
      { match: { firstUser: 'redacted' }, turns: [always('hidden', true), { text: 'done' }] },
      { turns: [always('let me see'), { text: 'done' }] },
    ],
  });

  it.each(['visible', 'redacted'])(
    'of Anthropic that is %s goes back verbatim to the model that wrote it',
    async (kind) => {
      const { client, wire, simulator } = world('anthropic');
      const result = await generate({ client, model: wire.model, prompt: kind, tools: [echo], reasoningEffort: 'low' });
      const part = result.steps[0]?.response.message.content[0];
      expect(part?.kind).toBe(kind === 'visible' ? 'THINKING' : 'REDACTED_THINKING');
      const proof =
        part?.kind === 'THINKING' ? part.signature : part?.kind === 'REDACTED_THINKING' ? part.data : undefined;
      expect(proof).toEqual(expect.stringMatching(/./));
      expect(JSON.stringify(simulator.requests().at(-1)?.body)).toContain(proof);
    },
  );

  it('of one model is not shown to another as its own', async () => {
    const { client, wire, simulator } = world('anthropic');
    const first = await generate({
      client,
      model: wire.model,
      prompt: 'visible',
      tools: [echo],
      reasoningEffort: 'low',
      maxToolRounds: 0,
    });
    const signed = first.response.message.content.find((part) => part.kind === 'THINKING');
    const messages = [
      userMessage('visible'),
      first.response.message,
      toolMessage({ toolCallId: first.toolCalls[0]?.toolCallId ?? '', output: 'x', isError: false }),
    ];
    await generate({ client, model: 'claude-opus-4-6', messages, tools: [echo] });
    expect(signed?.kind === 'THINKING' && signed.signature).toEqual(expect.stringMatching(/./));
    expect(JSON.stringify(simulator.requests().at(-1)?.body)).not.toContain(
      signed?.kind === 'THINKING' ? signed.signature : '?',
    );
  });

  it.each<[ProtocolName, Record<string, unknown>]>([
    ['openai', { reasoning: { effort: 'high' } }],
    ['openai-chat', { reasoning_effort: 'high' }],
    ['anthropic', { thinking: { type: 'enabled', budget_tokens: expect.any(Number) } }],
    ['gemini', { generationConfig: { thinkingConfig: expect.any(Object) } }],
  ])('is asked of %s by effort, and left out where none is given', async (provider, asked) => {
    const body = await bodyOf(world(provider), { prompt: 'visible', tools: [echo], reasoningEffort: 'high' });
    expect(body).toMatchObject(asked);
    expect(await bodyOf(world(provider), { prompt: 'visible', tools: [echo] })).not.toMatchObject(asked);
  });
});

describe('prompt caching of Anthropic', () => {
  const world = worldOf();
  const options = { system: 'rules', prompt: 'hi', tools: [echo, { ...echo, name: 'echo_again' }] };

  it('marks the last tool, the last system text and the last message, and says so in the beta header', async () => {
    const body = await bodyOf(world('anthropic'), options);
    const marked = { cache_control: { type: 'ephemeral' } };
    expect(body).toMatchObject({
      tools: [{ name: 'echo' }, { name: 'echo_again', ...marked }],
      system: [{ text: 'rules', ...marked }],
      messages: [{ content: [{ text: 'hi', ...marked }] }],
    });
    expect(body['tools']).not.toMatchObject([marked, {}]);
    expect(world('anthropic').simulator.requests().at(-1)?.headers['anthropic-beta']).toContain(
      'prompt-caching-2024-07-31',
    );
  });

  it('can be switched off', async () => {
    const body = await bodyOf(world('anthropic'), { ...options, providerOptions: { anthropic: { autoCache: false } } });
    expect(JSON.stringify(body)).not.toContain('cache_control');
  });

  it('is counted: what was written, then what was read', async () => {
    const { client, wire } = world('anthropic');
    const ask = { client, model: wire.model, system: 'counted rules '.repeat(50), prompt: 'hi' };
    const first = await generate(ask);
    const second = await generate(ask);
    expect(first.usage.cacheWriteTokens).toBeGreaterThan(0);
    expect(second.usage.cacheReadTokens).toBe(first.usage.cacheWriteTokens);
  });
});

const CHOICES: Readonly<Record<ProtocolName, ReadonlyArray<readonly [ToolChoice, Record<string, unknown>]>>> = {
  anthropic: [
    ['auto', { tool_choice: { type: 'auto' } }],
    ['required', { tool_choice: { type: 'any' } }],
    [{ toolName: 'echo' }, { tool_choice: { type: 'tool', name: 'echo' } }],
  ],
  openai: [
    ['auto', { tool_choice: 'auto' }],
    ['none', { tool_choice: 'none' }],
    ['required', { tool_choice: 'required' }],
    [{ toolName: 'echo' }, { tool_choice: { type: 'function', name: 'echo' } }],
  ],
  'openai-chat': [
    ['auto', { tool_choice: 'auto' }],
    ['none', { tool_choice: 'none' }],
    ['required', { tool_choice: 'required' }],
    [{ toolName: 'echo' }, { tool_choice: { type: 'function', function: { name: 'echo' } } }],
  ],
  gemini: [
    ['auto', { toolConfig: { functionCallingConfig: { mode: 'AUTO' } } }],
    ['none', { toolConfig: { functionCallingConfig: { mode: 'NONE' } } }],
    ['required', { toolConfig: { functionCallingConfig: { mode: 'ANY' } } }],
    [{ toolName: 'echo' }, { toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['echo'] } } }],
  ],
};

describe.each(PROVIDERS)('the choice of tools, sent to %s', (provider) => {
  const called = { toolCalls: [{ name: 'echo', args: {} }] };
  const world = worldOf({
    conversations: [{ match: { firstUser: 'call' }, turns: [called] }, { turns: [{ text: 'ok' }] }],
  });

  it.each(CHOICES[provider])('%j looks as the protocol wants it', async (toolChoice, sent) => {
    const prompt = toolChoice === 'required' || typeof toolChoice === 'object' ? 'call' : 'talk';
    expect(await bodyOf(world(provider), { prompt, tools: [echo], toolChoice })).toMatchObject(sent);
  });

  it('refuses a demand for a tool that is not there', async () => {
    const demanded = bodyOf(world(provider), { prompt: 'talk', tools: [echo], toolChoice: { toolName: 'other' } });
    await expect(demanded).rejects.toMatchObject({ code: 'unsupported_tool_choice', retryable: false });
  });
});

it('"none" sends Anthropic no tools at all', async () => {
  const world = await startWorld('anthropic', { turns: [{ text: 'ok' }] });
  expect(await bodyOf(world, { prompt: 'p', tools: [echo], toolChoice: 'none' })).not.toHaveProperty('tools');
  await world.close();
});

const FAILURES = [
  { fault: 'unauthorized', code: 'authentication', retried: false },
  { fault: 'forbidden', code: 'access_denied', retried: false },
  { fault: 'not_found', code: 'not_found', retried: false },
  { fault: 'context_overflow', code: 'context_length', retried: false },
  { fault: 'spend_cap', code: 'quota_exceeded', retried: false },
  { fault: 'rate_limit', code: 'rate_limit', retried: true },
  { fault: 'overloaded', code: 'overloaded', retried: true },
] as const;

type Fault = NonNullable<NonNullable<ScriptInput['turns']>[number]['fault']>;

function faultOf(kind: (typeof FAILURES)[number]['fault']): Fault {
  return kind === 'rate_limit' ? { kind, retryAfter: 0.01, times: 'forever' } : { kind, times: 'forever' };
}

describe.each(PROVIDERS)('failures of %s', (provider) => {
  const world = worldOf({
    conversations: [
      ...FAILURES.map(({ fault }) => ({
        name: fault,
        match: { firstUser: `fail: ${fault}` },
        turns: [{ text: 'never', fault: faultOf(fault) }],
      })),
      {
        name: 'per step',
        match: { firstUser: 'per step' },
        turns: [
          { toolCalls: [{ name: 'echo', args: {} }], fault: { kind: 'status', status: 503, times: 2 } },
          { text: 'done', fault: { kind: 'status', status: 503, times: 2 } },
        ],
      },
    ],
  });

  it.each(FAILURES)('$fault is $code, retried: $retried', async ({ fault, code, retried }) => {
    const { client, wire, sent } = world(provider);
    const failed = generate({ client, model: wire.model, prompt: `fail: ${fault}` });
    await expect(failed).rejects.toMatchObject({
      code: expect.stringMatching(code === 'overloaded' ? /overloaded|server/ : code),
      provider,
    });
    expect(sent(fault)).toHaveLength(retried ? 3 : 1);
  });

  it('are not retried when the request says so', async () => {
    const { client, wire, sent } = world(provider);
    const before = sent('rate_limit').length;
    await expect(
      generate({ client, model: wire.model, prompt: 'fail: rate_limit', maxRetries: 0 }),
    ).rejects.toMatchObject({
      code: 'rate_limit',
      retryable: true,
      retryAfterMs: 10,
    });
    expect(sent('rate_limit')).toHaveLength(before + 1);
  });

  it('use up retries per step, not per generation, and run no tool twice', async () => {
    const { client, wire, sent } = world(provider);
    let runs = 0;
    const tool: Tool = { ...echo, execute: () => `${(runs += 1)}` };
    const result = await generate({ client, model: wire.model, prompt: 'per step', tools: [tool] });
    expect([result.text, runs]).toEqual(['done', 1]);
    expect(sent('per step').map((request) => request.status)).toEqual([503, 503, 200, 503, 503, 200]);
  });
});
