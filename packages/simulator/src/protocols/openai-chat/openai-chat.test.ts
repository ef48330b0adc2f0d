import OpenAI from 'openai';
import { afterEach, describe, expect, it } from 'vitest';
import type { ScriptInput } from '../../script/types.ts';
import { type Simulator, startSimulator } from '../../simulator.ts';

let running: Simulator[] = [];
afterEach(async () => {
  await Promise.all(running.map((simulator) => simulator.close()));
  running = [];
});

async function start(script: ScriptInput): Promise<{ simulator: Simulator; client: OpenAI }> {
  const simulator = await startSimulator({ script });
  running.push(simulator);
  const client = new OpenAI({ apiKey: 'sk-test-key-0001', baseURL: simulator.baseUrls['openai-chat'], maxRetries: 0 });
  return { simulator, client };
}

const MODEL = 'chat-scripted';
const tool = (name: string, properties: Record<string, unknown>): OpenAI.ChatCompletionFunctionTool => ({
  type: 'function',
  function: { name, parameters: { type: 'object', properties } },
});
const TOOLS = [tool('read_file', { path: { type: 'string' } }), tool('grep', { pattern: { type: 'string' } })];
const user = (content: string): OpenAI.ChatCompletionMessageParam => ({ role: 'user', content });

describe('the official OpenAI client on Chat Completions', () => {
  it('gets a whole completion', async () => {
    const { client } = await start({ turns: [{ text: 'Hello there.' }] });
    const completion = await client.chat.completions.create({ model: MODEL, messages: [user('hi')] });
    expect(completion.choices[0]).toMatchObject({
      finish_reason: 'stop',
      message: { role: 'assistant', content: 'Hello there.' },
    });
    expect(completion.usage?.total_tokens).toBeGreaterThan(2);
  });

  it('streams two parallel calls, and goes on when both are answered', async () => {
    const { client } = await start({
      turns: [
        {
          text: 'Both.',
          toolCalls: [
            { use: 'read', path: 'a' },
            { use: 'grep', pattern: 'x' },
          ],
        },
        { expect: { toolResults: 2 }, text: 'Done.' },
      ],
    });
    const params = { model: MODEL, tools: TOOLS, stream_options: { include_usage: true } };
    const first = await client.chat.completions.stream({ ...params, messages: [user('go')] }).finalChatCompletion();
    const message = first.choices[0]?.message;
    const calls = message?.tool_calls ?? [];
    expect(calls.map((call) => call.type === 'function' && [call.function.name, call.function.arguments])).toEqual([
      ['read_file', '{"path":"a"}'],
      ['grep', '{"pattern":"x"}'],
    ]);
    expect(first.choices[0]?.finish_reason).toBe('tool_calls');
    expect(first.usage?.completion_tokens).toBeGreaterThan(1);
    const messages: OpenAI.ChatCompletionMessageParam[] = [
      user('go'),
      { role: 'assistant', content: message?.content ?? null, tool_calls: calls },
      ...calls.map((call) => ({ role: 'tool' as const, tool_call_id: call.id, content: 'fine' })),
    ];
    const second = await client.chat.completions.create({ model: MODEL, tools: TOOLS, messages });
    expect(second.choices[0]?.message.content).toBe('Done.');
  });

  it('sends usage only to those who ask, and a last [DONE]', async () => {
    const { simulator } = await start({ turns: [{ text: 'a', repeat: 'forever' }] });
    const ask = async (body: object): Promise<string> => {
      const response = await fetch(`${simulator.url}/chat/completions`, {
        method: 'POST',
        headers: { authorization: 'Bearer k' },
        body: JSON.stringify({ model: MODEL, stream: true, messages: [user('x')], ...body }),
      });
      return response.text();
    };
    const plain = await ask({});
    expect(plain).not.toContain('usage');
    expect(plain.endsWith('data: [DONE]\n\n')).toBe(true);
    expect(await ask({ stream_options: { include_usage: true } })).toContain('"choices":[],"usage":{"prompt_tokens"');
  });

  it('gives an object as text, or as the arguments of the tool that was forced', async () => {
    const { client } = await start({ turns: [{ object: { ok: true }, repeat: 'forever' }] });
    const text = await client.chat.completions.create({
      model: MODEL,
      messages: [user('json please')],
      response_format: { type: 'json_object' },
    });
    expect(text.choices[0]?.message.content).toBe('{"ok":true}');
    const call = await client.chat.completions.create({
      model: MODEL,
      messages: [user('x')],
      tools: TOOLS,
      tool_choice: { type: 'function', function: { name: 'grep' } },
    });
    expect(call.choices[0]?.message.tool_calls?.[0]).toMatchObject({
      function: { name: 'grep', arguments: '{"ok":true}' },
    });
  });

  it('fails inside a stream that had begun', async () => {
    const { client } = await start({
      turns: [{ text: 'abcdefgh'.repeat(20), fault: { kind: 'overloaded', at: 'output' } }],
    });
    let text = '';
    const consume = async (): Promise<void> => {
      const stream = await client.chat.completions.create({ model: MODEL, messages: [user('x')], stream: true });
      for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
    };
    await expect(consume()).rejects.toThrow(/overloaded/);
    expect(text.length).toBeGreaterThan(10);
  });
});
