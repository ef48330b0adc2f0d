import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { LlmError } from '../types/error.ts';
import { userMessage } from '../types/message.ts';
import { setDefaultClient } from './default-client.ts';
import { generate } from './generate.ts';
import { call, scriptedClient, text } from './test-support/scripted-client.ts';
import type { Tool, ToolContext } from './tool.ts';

const model = 'some-model';
const addTool: Tool = {
  name: 'add',
  description: 'adds',
  parameters: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
    additionalProperties: false,
  },
  execute: ({ a, b }) => Number(a) + Number(b),
};
const passiveTool: Tool = { name: 'ask_user', description: 'asks', parameters: { type: 'object' } };

afterEach(() => setDefaultClient(undefined));

describe('what is asked', () => {
  it('sends a prompt as one user message, after the system text', async () => {
    const client = scriptedClient([{ parts: [text('hi')] }]);
    const result = await generate({ client, model, prompt: 'hello', system: 'be brief' });
    expect(client.requests[0]?.messages.map((message) => message.role)).toEqual(['system', 'user']);
    expect(result).toMatchObject({ text: 'hi', finishReason: { reason: 'stop' }, toolCalls: [], toolResults: [] });
    expect(result.response.id).toBe('msg_1');
  });

  it('sends messages as they are', async () => {
    const client = scriptedClient([{ parts: [text('hi')] }]);
    const messages = [userMessage('one')];
    await generate({ client, model, messages });
    expect(client.requests[0]?.messages).toEqual(messages);
  });

  it.each([{}, { prompt: 'a', messages: [userMessage('b')] }])(
    'refuses %j: exactly one of prompt and messages',
    async (asked) => {
      const client = scriptedClient([]);
      await expect(generate({ client, model, ...asked })).rejects.toMatchObject({
        code: 'invalid_request',
        retryable: false,
      });
      expect(client.requests).toEqual([]);
    },
  );

  it('passes sampling, format, options and timeouts on, and leaves out what was not given', async () => {
    const client = scriptedClient([{ parts: [text('{}')] }]);
    const given = {
      provider: 'openai',
      temperature: 0,
      topP: 0.5,
      maxTokens: 7,
      stopSequences: ['x'],
      reasoningEffort: 'low',
      metadata: { user: 'u' },
      providerOptions: { openai: { store: false } },
      responseFormat: { type: 'json' },
      maxRetries: 0,
    } as const;
    await generate({
      client,
      model,
      prompt: 'p',
      ...given,
      timeouts: { connect: 5, idle: 6, total: 1e6, perStep: 1e6 },
    });
    const { messages: _, abortSignal, ...sent } = client.requests[0] ?? { messages: [] };
    expect(sent).toEqual({ model, ...given, timeouts: { connect: 5, idle: 6 } });
    expect(abortSignal).toBeInstanceOf(AbortSignal);
  });

  it('uses the default client, and says what to do without one', async () => {
    await expect(generate({ model, prompt: 'p' })).rejects.toMatchObject({ code: 'configuration' });
    setDefaultClient(scriptedClient([{ parts: [text('from the default')] }]));
    expect((await generate({ model, prompt: 'p' })).text).toBe('from the default');
  });

  it('parses the answer where JSON was asked for', async () => {
    const client = scriptedClient([{ parts: [text('{"a":1}')] }, { parts: [text('sorry')] }]);
    const options = { client, model, prompt: 'p', responseFormat: { type: 'json' } } as const;
    expect((await generate(options)).output).toEqual({ a: 1 });
    expect((await generate(options)).output).toBeUndefined();
  });
});

describe('the tool loop', () => {
  it('runs an active tool and asks once more with its result', async () => {
    const client = scriptedClient([
      { parts: [text('let me see'), call('c1', 'add', { a: 1, b: 2 })] },
      { parts: [text('3')] },
    ]);
    const result = await generate({ client, model, prompt: '1+2', tools: [addTool] });
    expect(result).toMatchObject({
      text: '3',
      usage: { inputTokens: 20 },
      totalUsage: { inputTokens: 30, outputTokens: 3 },
    });
    expect(result.steps).toHaveLength(2);
    expect(result.steps[0]).toMatchObject({
      text: 'let me see',
      toolCalls: [{ toolCallId: 'c1', toolName: 'add', args: { a: 1, b: 2 } }],
      toolResults: [{ toolCallId: 'c1', output: '3', isError: false }],
    });
    expect(client.requests[1]?.messages.slice(1)).toEqual([
      result.steps[0]?.response.message,
      { role: 'tool', content: [{ kind: 'TOOL_RESULT', toolCallId: 'c1', output: '3', isError: false }] },
    ]);
    expect(client.requests[0]?.tools?.[0]).not.toHaveProperty('execute');
  });

  it('returns the calls of a passive tool to the caller', async () => {
    const client = scriptedClient([{ parts: [call('c1', 'ask_user')] }]);
    const result = await generate({ client, model, prompt: 'p', tools: [passiveTool], maxToolRounds: 5 });
    expect(result).toMatchObject({
      toolCalls: [{ toolName: 'ask_user' }],
      toolResults: [],
      finishReason: { reason: 'tool_calls' },
    });
  });

  it('runs the active calls of a mixed reply and leaves the passive ones to the caller', async () => {
    const client = scriptedClient([{ parts: [call('c1', 'ask_user'), call('c2', 'add', { a: 1, b: 1 })] }]);
    const result = await generate({ client, model, prompt: 'p', tools: [passiveTool, addTool], maxToolRounds: 5 });
    expect(result.toolResults.map((one) => one.toolCallId)).toEqual(['c2']);
    expect(client.requests).toHaveLength(1);
  });

  it.each([
    [0, 1, 0],
    [1, 2, 1],
    [3, 4, 3],
  ])('with %i rounds asks at most %i times and runs tools %i times', async (maxToolRounds, asked, ran) => {
    let runs = 0;
    const tool: Tool = { ...addTool, execute: () => `${(runs += 1)}` };
    const turn = { parts: [call('c', 'add', { a: 1, b: 1 })] };
    const client = scriptedClient(Array.from({ length: 9 }, () => turn));
    const result = await generate({ client, model, prompt: 'p', tools: [tool], maxToolRounds });
    expect([client.requests.length, runs]).toEqual([asked, ran]);
    expect(result).toMatchObject({ toolCalls: [{ toolName: 'add' }], toolResults: [] });
  });

  it('stops when the caller says so', async () => {
    const turn = { parts: [call('c', 'add', { a: 1, b: 1 })] };
    const client = scriptedClient([turn, turn, turn]);
    const result = await generate({
      client,
      model,
      prompt: 'p',
      tools: [addTool],
      maxToolRounds: 9,
      stopWhen: (steps) => steps.length === 2,
    });
    expect(client.requests).toHaveLength(2);
    expect(result.toolResults).toHaveLength(1);
  });

  it('runs all calls of one reply at once and answers them in call order in one request', async () => {
    const running = new Set<string>();
    let most = 0;
    const gate = Promise.withResolvers<void>();
    const ended: string[] = [];
    const tool: Tool = {
      name: 'slow',
      description: 'd',
      parameters: { type: 'object' },
      execute: async (_args, { toolCallId }) => {
        running.add(toolCallId);
        most = Math.max(most, running.size);
        if (running.size === 3) gate.resolve();
        await gate.promise;
        await wait(toolCallId === 'c1' ? 20 : 1);
        ended.push(toolCallId);
        return toolCallId;
      },
    };
    const client = scriptedClient([
      { parts: ['c1', 'c2', 'c3'].map((id) => call(id, 'slow')) },
      { parts: [text('done')] },
    ]);
    const result = await generate({ client, model, prompt: 'p', tools: [tool] });
    expect(most).toBe(3);
    expect(ended.at(-1)).toBe('c1');
    expect(result.steps[0]?.toolResults.map((one) => one.output)).toEqual(['c1', 'c2', 'c3']);
    expect(client.requests).toHaveLength(2);
  });

  it('answers a failing handler, an unknown tool and bad arguments as errors, and the others as usual', async () => {
    const tools: Tool[] = [
      addTool,
      {
        name: 'fail',
        description: 'd',
        parameters: { type: 'object' },
        execute: () => Promise.reject(new Error('disk full')),
      },
    ];
    const broken = { ...call('c5', 'add'), rawArgs: '{"a":', argsError: 'The arguments are not valid JSON.' };
    const parts = [
      call('c1', 'fail'),
      call('c2', 'nope'),
      call('c3', 'add', { a: 'x' }),
      call('c4', 'add', { a: 2, b: 2 }),
      broken,
    ];
    const client = scriptedClient([{ parts }, { parts: [text('ok')] }]);
    const { steps } = await generate({ client, model, prompt: 'p', tools });
    const results = steps[0]?.toolResults ?? [];
    expect(results.map((one) => one.isError)).toEqual([true, true, true, false, true]);
    expect(results[0]?.output).toContain('disk full');
    expect(results[1]?.output).toBe('There is no tool named "nope". Use one of: add, fail.');
    expect(results[2]?.output).toMatch(/^Invalid arguments for add: .*\/a: .*"number"/);
    expect(results[3]?.output).toBe('4');
    expect(results[4]?.output).toContain('not valid JSON');
  });

  it('gives the handler the conversation, a signal and the id of the call', async () => {
    let seen: ToolContext | undefined;
    const tool: Tool = {
      name: 'look',
      description: 'd',
      parameters: { type: 'object' },
      execute: (_args, context) => (seen = context) && 'ok',
    };
    const client = scriptedClient([{ parts: [call('c9', 'look')] }, { parts: [text('.')] }]);
    await generate({ client, model, prompt: 'p', tools: [tool] });
    expect(seen).toMatchObject({ toolCallId: 'c9', abortSignal: expect.any(AbortSignal) });
    expect(seen?.messages.map((message) => message.role)).toEqual(['user', 'assistant']);
  });

  it('passes on what a handler says about errors and images, and writes other values as JSON', async () => {
    const images = [{ kind: 'IMAGE', source: { data: 'aGk=', mediaType: 'image/png' } }] as const;
    const outputs: Record<string, unknown> = {
      c1: { output: 'bad', isError: true },
      c2: { output: 'see', images },
      c3: { a: [1] },
      c4: undefined,
    };
    const tool: Tool = {
      name: 'give',
      description: 'd',
      parameters: { type: 'object' },
      execute: (_args, { toolCallId }) => outputs[toolCallId],
    };
    const client = scriptedClient([
      { parts: Object.keys(outputs).map((id) => call(id, 'give')) },
      { parts: [text('.')] },
    ]);
    const { steps } = await generate({ client, model, prompt: 'p', tools: [tool] });
    expect(steps[0]?.toolResults).toMatchObject([
      { output: 'bad', isError: true },
      { output: 'see', isError: false, images },
      { output: '{"a":[1]}', isError: false },
      { output: '', isError: false },
    ]);
  });

  it('lets a hook repair a call once, and holds the repaired one to the same rules', async () => {
    const client = scriptedClient([
      { parts: [call('c1', 'plus', { a: 1, b: 2 }), call('c2', 'add', { a: 1 }), call('c3', 'add', {})] },
      { parts: [text('.')] },
    ]);
    const problems: string[] = [];
    const { steps } = await generate({
      client,
      model,
      prompt: 'p',
      tools: [addTool],
      repairToolCall: ({ call: broken, problem }) => {
        problems.push(problem);
        if (broken.toolCallId === 'c1') return { ...broken, toolName: 'add' };
        return broken.toolCallId === 'c2' ? { ...broken, args: { a: 'still wrong' } } : undefined;
      },
    });
    expect(problems).toHaveLength(3);
    expect(steps[0]?.toolResults.map((one) => [one.toolCallId, one.isError])).toEqual([
      ['c1', false],
      ['c2', true],
      ['c3', true],
    ]);
  });

  it('keeps the schema it sends free of marks from validation', async () => {
    const client = scriptedClient([{ parts: [call('c1', 'add', { a: 1, b: 2 })] }, { parts: [text('.')] }]);
    const before = JSON.stringify(addTool.parameters);
    await generate({ client, model, prompt: 'p', tools: [addTool] });
    expect(JSON.stringify(client.requests[1]?.tools?.[0]?.parameters)).toBe(before);
  });

  it('forces a tool for the first answer only', async () => {
    const client = scriptedClient([{ parts: [call('c1', 'add', { a: 1, b: 2 })] }, { parts: [text('3')] }]);
    await generate({ client, model, prompt: 'p', tools: [addTool], toolChoice: 'required' });
    expect(client.requests.map((request) => request.toolChoice)).toEqual(['required', undefined]);
  });

  it('does not act on an answer that was filtered', async () => {
    const client = scriptedClient([{ parts: [call('c1', 'add', { a: 1, b: 2 })], reason: 'content_filter' }]);
    expect((await generate({ client, model, prompt: 'p', tools: [addTool] })).toolResults).toEqual([]);
  });
});

describe('how it ends early', () => {
  const failure = new LlmError({ code: 'rate_limit', message: 'slow down', retryable: true });

  it('rejects with the client’s error', async () => {
    const client = scriptedClient([{ error: failure }]);
    await expect(generate({ client, model, prompt: 'p' })).rejects.toBe(failure);
  });

  it('rejects with abort when the caller aborts: before, while the model is silent, or while a deaf tool runs', async () => {
    const code = { code: 'abort' };
    const already = AbortSignal.abort();
    await expect(
      generate({ client: scriptedClient([{ silence: true }]), model, prompt: 'p', abortSignal: already }),
    ).rejects.toMatchObject(code);

    const silent = new AbortController();
    setTimeout(() => silent.abort(), 10);
    const whileSilent = generate({
      client: scriptedClient([{ silence: true }]),
      model,
      prompt: 'p',
      abortSignal: silent.signal,
    });
    await expect(whileSilent).rejects.toMatchObject(code);

    const running = new AbortController();
    const deaf: Tool = {
      name: 'deaf',
      description: 'd',
      parameters: { type: 'object' },
      execute: () => (running.abort(), new Promise(() => {})),
    };
    const client = scriptedClient([{ parts: [call('c', 'deaf')] }]);
    await expect(
      generate({ client, model, prompt: 'p', tools: [deaf], abortSignal: running.signal }),
    ).rejects.toMatchObject(code);
  });

  it.each([{ total: 20 }, { perStep: 20 }])('rejects with timeout, not abort, after %j', async (timeouts) => {
    const promise = generate({ client: scriptedClient([{ silence: true }]), model, prompt: 'p', timeouts });
    await expect(promise).rejects.toMatchObject({ code: 'timeout', message: expect.stringContaining('20 ms') });
  });

  it('counts perStep anew for each step, and total across them', async () => {
    const tool: Tool = { name: 'nap', description: 'd', parameters: { type: 'object' }, execute: () => wait(60, 'ok') };
    const turns = [
      { parts: [call('a', 'nap')] },
      { parts: [call('b', 'nap')] },
      { parts: [call('c', 'nap')] },
      { parts: [text('.')] },
    ];
    const options = { model, prompt: 'p', tools: [tool], maxToolRounds: 9 };
    const done = await generate({ ...options, client: scriptedClient(turns), timeouts: { perStep: 10_000 } });
    expect(done.steps).toHaveLength(4);
    await expect(
      generate({ ...options, client: scriptedClient(turns), timeouts: { total: 90, perStep: 10_000 } }),
    ).rejects.toMatchObject({
      code: 'timeout',
    });
  });
});
