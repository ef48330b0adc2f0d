import Anthropic, { RateLimitError } from '@anthropic-ai/sdk';
import { afterEach, describe, expect, it } from 'vitest';
import type { ScriptInput } from '../../script/types.ts';
import { type Simulator, startSimulator } from '../../simulator.ts';

let running: Simulator[] = [];
afterEach(async () => {
  await Promise.all(running.map((simulator) => simulator.close()));
  running = [];
});

async function start(script: ScriptInput): Promise<{ simulator: Simulator; client: Anthropic }> {
  const simulator = await startSimulator({ script });
  running.push(simulator);
  const client = new Anthropic({ apiKey: 'sk-test-key-0001', baseURL: simulator.baseUrls.anthropic, maxRetries: 0 });
  return { simulator, client };
}

const READ_TOOL: Anthropic.Tool = {
  name: 'read_file',
  description: 'reads',
  input_schema: { type: 'object', properties: { file_path: { type: 'string' } }, required: ['file_path'] },
};

const MODEL = 'claude-scripted';
const user = (content: Anthropic.UserMessageParam['content']): Anthropic.MessageParam => ({ role: 'user', content });

describe('the official Anthropic client', () => {
  it('gets a whole message', async () => {
    const { client, simulator } = await start({ turns: [{ text: 'Hello there.' }] });
    const message = await client.messages.create({ model: MODEL, max_tokens: 100, messages: [user('hi')] });
    expect(message.content).toEqual([{ type: 'text', text: 'Hello there.' }]);
    expect(message.stop_reason).toBe('end_turn');
    expect(message.usage.input_tokens).toBeGreaterThan(0);
    expect(simulator.requests()).toMatchObject([{ protocol: 'anthropic', position: 0, attempt: 1, status: 200 }]);
    expect(JSON.stringify(simulator.requests())).not.toContain('sk-test');
  });

  it('runs tools by itself, on a thread that the service has lost each time: all of it is sent again', async () => {
    const { client, simulator } = await start({
      turns: [
        { toolCalls: [{ use: 'read', path: 'a.txt' }] },
        { expect: { toolResult: 'alpha' }, text: 'It says alpha.' },
      ],
    });
    const run = async (): Promise<string> => 'alpha';
    const tool = { ...READ_TOOL, run, parse: (input: unknown) => input };
    const thread = client.beta.messages.thread({
      model: MODEL,
      max_tokens: 100,
      tools: [tool],
      messages: [user('read a.txt')],
    });
    const last = await thread.toolRunner().runUntilDone();
    expect(last.content).toMatchObject([{ type: 'text', text: 'It says alpha.' }]);
    expect(simulator.requests().map(({ status }) => status)).toEqual([200, 404, 200]);
  });

  it('streams text, thinking with its signature, and a tool call matched to the tool it declared, and goes on', async () => {
    const { client } = await start({
      turns: [
        { thinking: 'Which file?', text: 'Let me look.', toolCalls: [{ use: 'read', path: 'a.txt' }] },
        { expect: { toolResult: 'alpha' }, text: 'It says alpha.' },
      ],
    });
    const ask = (messages: Anthropic.MessageParam[]): Promise<Anthropic.Message> =>
      client.messages
        .stream({
          model: MODEL,
          max_tokens: 4000,
          thinking: { type: 'enabled', budget_tokens: 1024 },
          tools: [READ_TOOL],
          messages,
        })
        .finalMessage();
    const first = await ask([user('read a.txt')]);
    expect(first.content.map((block) => block.type)).toEqual(['thinking', 'text', 'tool_use']);
    expect(first.stop_reason).toBe('tool_use');
    const call = first.content.find((block) => block.type === 'tool_use');
    expect(call).toMatchObject({ name: 'read_file', input: { file_path: 'a.txt' } });
    const second = await ask([
      user('read a.txt'),
      { role: 'assistant', content: first.content },
      user([{ type: 'tool_result', tool_use_id: call?.id ?? '', content: 'alpha' }]),
    ]);
    expect(second.content).toMatchObject([{ type: 'text', text: 'It says alpha.' }]);
  });

  it('streams redacted thinking that it accepts back', async () => {
    const { client } = await start({
      turns: [{ thinking: { text: 'secret', redacted: true }, text: 'One.' }, { text: 'Two.' }],
    });
    const request = { model: MODEL, max_tokens: 4000, thinking: { type: 'enabled', budget_tokens: 1024 } } as const;
    const first = await client.messages.stream({ ...request, messages: [user('go')] }).finalMessage();
    expect(first.content[0]?.type).toBe('redacted_thinking');
    const messages = [user('go'), { role: 'assistant' as const, content: first.content }, user('more')];
    const second = await client.messages.create({ ...request, messages });
    expect(second.content.at(-1)).toMatchObject({ type: 'text', text: 'Two.' });
  });

  it('counts tokens and lists models', async () => {
    const { client } = await start({ models: [MODEL, 'other'], turns: [] });
    const count = await client.messages.countTokens({ model: MODEL, messages: [user('x'.repeat(400))] });
    expect(count.input_tokens).toBeGreaterThan(100);
    const models = await client.models.list();
    expect(models.data.map((model) => model.id)).toEqual([MODEL, 'other']);
    await expect(client.messages.create({ model: 'nope', max_tokens: 5, messages: [user('x')] })).rejects.toMatchObject(
      { status: 404 },
    );
  });

  it('reports cache writes and reads that follow the markers', async () => {
    const { client } = await start({ turns: [{ text: 'a', repeat: 'forever' }] });
    const system = [
      { type: 'text' as const, text: 'You are. '.repeat(200), cache_control: { type: 'ephemeral' as const } },
    ];
    const ask = (messages: Anthropic.MessageParam[]): Promise<Anthropic.Message> =>
      client.messages.create({ model: MODEL, max_tokens: 10, system, messages });
    const first = await ask([user('one')]);
    expect(first.usage.cache_creation_input_tokens).toBeGreaterThan(400);
    expect(first.usage.cache_read_input_tokens).toBe(0);
    const second = await ask([user('one'), { role: 'assistant', content: 'a' }, user('two')]);
    expect(second.usage.cache_read_input_tokens).toBe(first.usage.cache_creation_input_tokens);
    expect(second.usage.cache_creation_input_tokens).toBe(0);
  });

  it("sees the status and the service's own error type", async () => {
    const { client } = await start({
      turns: [
        {
          text: 'later',
          fault: [
            { kind: 'rate_limit', retryAfter: 7 },
            { kind: 'overloaded', after: 1 },
          ],
        },
      ],
    });
    const ask = (): Promise<Anthropic.Message> =>
      client.messages.create({ model: MODEL, max_tokens: 10, messages: [user('one')] });
    const limited: unknown = await ask().catch((error: unknown) => error);
    expect(limited).toBeInstanceOf(RateLimitError);
    expect(limited).toMatchObject({ status: 429, error: { error: { type: 'rate_limit_error' } } });
    await expect(ask()).rejects.toMatchObject({ status: 529, error: { error: { type: 'overloaded_error' } } });
    expect((await ask()).content).toMatchObject([{ text: 'later' }]);
  });
});
