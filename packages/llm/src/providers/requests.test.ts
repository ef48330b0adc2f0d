import { afterEach, describe, expect, it } from 'vitest';
import { PIXEL } from '../test-support/broken-histories.ts';
import {
  errorOf,
  finishOf,
  PROVIDERS,
  READ_FILE,
  startWorld,
  type ProviderName,
  type World,
} from '../test-support/world.ts';
import { assistantMessage, systemMessage, toolMessage, userMessage } from '../types/message.ts';
import type { Request } from '../types/request.ts';

const worlds: World[] = [];
afterEach(async () => {
  await Promise.all(worlds.splice(0).map((world) => world.close()));
});

/** What a request looks like on the wire. */
async function sent(provider: ProviderName, request: Partial<Request>, script?: Parameters<typeof startWorld>[0]) {
  const world = await startWorld(script ?? { turns: [], otherwise: { text: 'fine' } }, { provider });
  worlds.push(world);
  const events = await world.ask(request);
  const recorded = world.simulator.requests().at(-1);
  return {
    events,
    path: recorded?.path ?? '',
    headers: recorded?.headers ?? {},
    body: JSON.stringify(recorded?.body ?? {}),
    json: Object(recorded?.body) as Record<string, unknown>,
  };
}

describe('every provider', () => {
  it.each([
    ['anthropic', '/v1/messages', 'x-api-key'],
    ['openai', '/v1/responses', 'authorization'],
    ['openai-chat', '/v1/chat/completions', 'authorization'],
    ['gemini', '/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse', 'x-goog-api-key'],
  ] as const)('%s is asked at its own address, with its own header for the key', async (provider, path, header) => {
    const { events, path: asked, headers } = await sent(provider, {});
    finishOf(events);
    expect([asked, headers[header]?.slice(-4)]).toEqual([path, '0001']);
  });

  it('anthropic gets a token in place of a key, and the first key of a helper, whose failure is told', async () => {
    const script = { turns: [], otherwise: { text: 'fine' } };
    const asked = async (settings: Parameters<typeof startWorld>[1]) => {
      const world = await startWorld(script, settings);
      worlds.push(world);
      return { events: await world.ask(), headers: world.simulator.requests().at(-1)?.headers ?? {} };
    };
    const { headers } = await asked({ settings: { authToken: 'token-0002' } });
    expect([headers['authorization'], headers['x-api-key']]).toEqual(['***0002', undefined]);
    const helped = { refreshCredential: async () => 'from-helper-0003' };
    expect((await asked({ keyless: true, settings: helped })).headers['x-api-key']).toBe('***0003');
    const broken = { refreshCredential: () => Promise.reject(new Error('no such helper')) };
    expect(
      errorOf((await asked({ keyless: true, settings: broken, retry: { maxRetries: 0 } })).events).error.message,
    ).toContain('no such helper');
  });

  it.each(PROVIDERS)('%s gets what was set, and nothing for what was not', async (provider) => {
    const { body } = await sent(provider, {
      maxTokens: 77,
      stopSequences: ['HALT'],
      model: provider === 'openai' ? 'gpt-4.1' : 'some-model',
      temperature: 0.25,
    });
    expect(body).toContain('77');
    expect(body).toContain('0.25');
    if (provider !== 'openai') expect(body).toContain('HALT');
    const bare = (await sent(provider, { tools: [] })).body;
    expect(bare).not.toMatch(/temperature|top_?p|stop_?s|tool_?choice|thinking|reasoning_effort/i);
  });

  it.each(PROVIDERS)('%s takes a tool name that is fit for no wire, and gives it back as it was', async (provider) => {
    const tool = { ...READ_FILE, name: 'file.read' };
    const { events, body } = await sent(
      provider,
      { tools: [tool] },
      { turns: [{ toolCalls: [{ name: 'file_read', args: { path: 'a' } }] }] },
    );
    expect(body).not.toContain('file.read"');
    expect(finishOf(events).response.message.content).toMatchObject([
      { kind: 'TOOL_CALL', toolName: 'file.read', args: { path: 'a' } },
    ]);
  });

  it.each(PROVIDERS)('%s takes images inside, by address, and behind tool results', async (provider) => {
    const image = { kind: 'IMAGE' as const, source: { data: PIXEL, mediaType: 'image/png' }, detail: 'low' as const };
    const linked = { kind: 'IMAGE' as const, source: { url: 'https://pictures.test/cat.jpg' } };
    const call = { kind: 'TOOL_CALL' as const, toolCallId: 'call_1', toolName: 'read_file', args: { path: 'x.png' } };
    const messages = [
      userMessage([{ kind: 'TEXT', text: 'see' }, image, linked]),
      assistantMessage([call]),
      toolMessage({ toolCallId: 'call_1', output: 'here', isError: false, images: [image] }),
    ];
    const { events, body } = await sent(provider, { messages });
    finishOf(events);
    expect(body.split(PIXEL)).toHaveLength(3);
    expect(body).toContain('https://pictures.test/cat.jpg');
  });

  it.each(PROVIDERS)('%s takes PDF documents', async (provider) => {
    const document = {
      kind: 'DOCUMENT' as const,
      source: { data: 'JVBERi0xLjQK', mediaType: 'application/pdf' },
      fileName: 'a.pdf',
    };
    const { body } = await sent(provider, { messages: [userMessage([{ kind: 'TEXT', text: 'read' }, document])] });
    expect(body).toContain('JVBERi0xLjQK');
  });

  it.each(['anthropic', 'openai'] as const)(
    '%s refuses audio with a clear word, before any request',
    async (provider) => {
      const audio = { kind: 'AUDIO' as const, source: { data: 'UklGRg==', mediaType: 'audio/wav' } };
      const { events, path } = await sent(provider, { messages: [userMessage([audio])] });
      expect(errorOf(events).error).toMatchObject({
        code: 'invalid_request',
        retryable: false,
        message: expect.stringContaining('takes no audio'),
      });
      expect(path).toBe('');
    },
  );

  it.each(PROVIDERS)('%s is told which tool to call', async (provider) => {
    const auto = {
      anthropic: '"tool_choice":{"type":"auto"}',
      openai: '"tool_choice":"auto"',
      'openai-chat': '"tool_choice":"auto"',
      gemini: '"mode":"AUTO"',
    };
    const required = {
      anthropic: '"tool_choice":{"type":"any"}',
      openai: '"tool_choice":"required"',
      'openai-chat': '"tool_choice":"required"',
      gemini: '"mode":"ANY"',
    };
    const named = {
      anthropic: '{"type":"tool","name":"read_file"}',
      openai: '"tool_choice":{"type":"function","name":"read_file"}',
      'openai-chat': '"tool_choice":{"type":"function","function":{"name":"read_file"}}',
      gemini: '"allowedFunctionNames":["read_file"]',
    };
    const answer = { turns: [{ toolCalls: [{ name: 'read_file', args: { path: 'a' } }] }] };
    expect((await sent(provider, { toolChoice: 'auto' })).body).toContain(auto[provider]);
    expect((await sent(provider, { toolChoice: 'required' }, answer)).body).toContain(required[provider]);
    expect((await sent(provider, { toolChoice: { toolName: 'read_file' } }, answer)).body).toContain(named[provider]);
  });

  it.each(PROVIDERS)('%s cannot be asked for a tool that is not offered', async (provider) => {
    const { events } = await sent(provider, { toolChoice: { toolName: 'other' } });
    expect(errorOf(events).error.code).toBe('unsupported_tool_choice');
    expect(errorOf((await sent(provider, { tools: [], toolChoice: 'required' })).events).error.code).toBe(
      'unsupported_tool_choice',
    );
  });

  it.each(PROVIDERS)("%s gets its own options as they are, and nobody else's", async (provider) => {
    const options = {
      anthropic: { serviceTier: 'standard_only' },
      openai: { user: 'u-1' },
      'openai-chat': { user: 'u-1' },
      gemini: { labels: { team: 'x' } },
    };
    const wire = {
      anthropic: '"service_tier":"standard_only"',
      openai: '"user":"u-1"',
      'openai-chat': '"user":"u-1"',
      gemini: '"labels":{"team":"x"}',
    };
    const { body } = await sent(provider, { providerOptions: { ...options, nobody: { secret: 'not for you' } } });
    expect(body).toContain(wire[provider]);
    expect(body).not.toContain('not for you');
  });

  it.each(PROVIDERS)('%s gets system and developer texts in its own way', async (provider) => {
    const messages = [
      systemMessage('You are S.'),
      { role: 'developer' as const, content: [{ kind: 'TEXT' as const, text: 'Be D.' }] },
      userMessage('hi'),
    ];
    const { json, body } = await sent(provider, { messages });
    expect(body).toContain('You are S.');
    expect(body).toContain('Be D.');
    if (provider === 'anthropic') expect(json['system']).toHaveLength(2);
    if (provider === 'gemini') expect(JSON.stringify(json['systemInstruction'])).toContain('Be D.');
  });
});

describe('structured output', () => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'number' } },
    required: ['a'],
    additionalProperties: false,
  };
  it.each([
    ['openai', /"format":\{"type":"json_schema","strict":true.*"schema":\{/],
    ['openai-chat', /"response_format":\{"type":"json_schema".*"strict":true/],
    [
      'gemini',
      /"responseMimeType":"application\/json".*"responseSchema"|"responseSchema".*"responseMimeType":"application\/json"|"responseMimeType":"application\/json","responseJsonSchema"/,
    ],
  ] as const)('of %s uses its native form', async (provider, form) => {
    const { body } = await sent(
      provider,
      { tools: [], responseFormat: { type: 'json_schema', schema, name: 'thing', strict: true } },
      { turns: [{ object: { a: 1 } }] },
    );
    expect(body).toMatch(form);
  });
});

describe('effort', () => {
  it.each([
    ['anthropic', 'claude-sonnet-4-5', 'low', '"budget_tokens":1024'],
    ['anthropic', 'claude-sonnet-4-5', 'medium', '"budget_tokens":4096'],
    ['anthropic', 'claude-3-7-sonnet-latest', 'high', '"budget_tokens":16384'],
    ['anthropic', 'claude-opus-4-1-20250805', 'high', '"budget_tokens":16384'],
    ['anthropic', 'claude-sonnet-5', 'high', '"thinking":{"type":"adaptive"'],
    ['anthropic', 'claude-opus-4-7', 'low', '"output_config":{"effort":"low"}'],
    ['openai', 'gpt-5', 'medium', '"effort":"medium"'],
    ['openai', 'unheard-of', 'low', '"effort":"low"'],
    ['openai-chat', 'any', 'high', '"reasoning_effort":"high"'],
    ['gemini', 'gemini-2.5-flash', 'medium', '"thinkingBudget":4096'],
    ['gemini', 'gemini-3-pro-preview', 'low', '"thinkingLevel":"low"'],
    // Where a model knows more than three levels it is told them; elsewhere they are the highest that there is.
    ['anthropic', 'claude-sonnet-4-5', 'xhigh', '"budget_tokens":24576'],
    ['anthropic', 'claude-sonnet-4-5', 'max', '"budget_tokens":24576'],
    ['anthropic', 'claude-opus-4-7', 'xhigh', '"output_config":{"effort":"xhigh"}'],
    ['anthropic', 'claude-opus-4-6', 'xhigh', '"output_config":{"effort":"high"}'],
    ['openai', 'gpt-5.6-sol', 'xhigh', '"effort":"xhigh"'],
    ['openai', 'gpt-5', 'xhigh', '"effort":"high"'],
    ['openai-chat', 'any', 'xhigh', '"reasoning_effort":"high"'],
    ['gemini', 'gemini-2.5-flash', 'xhigh', '"thinkingBudget":24576'],
    ['gemini', 'gemini-3-pro-preview', 'max', '"thinkingLevel":"high"'],
  ] as const)('of %s with %s at %s is %s on the wire', async (provider, model, reasoningEffort, wire) => {
    const { events, body } = await sent(provider, { model, reasoningEffort });
    finishOf(events);
    expect(body).toContain(wire);
  });

  it.each(['low', 'medium', 'high'] as const)(
    'keeps the room for the answer above a %s budget',
    async (reasoningEffort) => {
      const { json } = await sent('anthropic', { reasoningEffort, maxTokens: 500 });
      const thinking = Object(json['thinking']) as { budget_tokens: number };
      expect(Number(json['max_tokens'])).toBe(500 + thinking.budget_tokens);
    },
  );

  it('gives way to a demanded tool, with a warning', async () => {
    const answer = { turns: [{ toolCalls: [{ name: 'read_file', args: { path: 'a' } }] }] };
    const { events, body } = await sent('anthropic', { reasoningEffort: 'low', toolChoice: 'required' }, answer);
    expect(finishOf(events).response.warnings.map(({ code }) => code)).toContain('thinking_off');
    expect(body).not.toContain('budget_tokens');
  });
});
