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
  const client = new OpenAI({ apiKey: 'sk-test-key-0001', baseURL: simulator.baseUrls.openai, maxRetries: 0 });
  return { simulator, client };
}

const MODEL = 'gpt-scripted';
const SHELL: OpenAI.Responses.FunctionTool = {
  type: 'function',
  name: 'exec_command',
  parameters: {
    type: 'object',
    properties: { cmd: { type: 'string' } },
    required: ['cmd'],
    additionalProperties: false,
  },
  strict: true,
};

describe('the official OpenAI client on Responses', () => {
  it('gets a whole response', async () => {
    const { client, simulator } = await start({ turns: [{ text: 'Hello there.' }] });
    const response = await client.responses.create({ model: MODEL, input: 'hi', instructions: 'be kind' });
    expect(response.output_text).toBe('Hello there.');
    expect(response.status).toBe('completed');
    expect(response.usage?.total_tokens).toBeGreaterThan(2);
    expect(simulator.requests()).toMatchObject([{ protocol: 'openai', path: '/v1/responses', position: 0 }]);
  });

  it('calls a function of a namespace by both names', async () => {
    const turns = [{ toolCalls: [{ name: 'mcp__here__report', args: { outcome: 'done' } }] }, { text: 'Done.' }];
    const { client } = await start({ turns });
    const report = { type: 'function' as const, name: 'report', parameters: { type: 'object' }, strict: false };
    const space = { type: 'namespace' as const, name: 'mcp__here', description: 'Tools of a server.', tools: [report] };
    const params = { model: MODEL, tools: [SHELL, space], store: false };
    const asked = { role: 'user' as const, content: 'report' };
    const first = await client.responses.create({ ...params, input: [asked] });
    const [call] = first.output;
    expect(call).toMatchObject({ type: 'function_call', name: 'report', namespace: 'mcp__here' });
    if (call?.type !== 'function_call') return;
    const answer = { type: 'function_call_output' as const, call_id: call.call_id, output: 'Recorded.' };
    const second = await client.responses.create({ ...params, input: [asked, call, answer] });
    expect(second.output_text).toBe('Done.');
  });

  it('streams reasoning and a call with every event in order, and goes on with items sent back as they came', async () => {
    const { client } = await start({
      turns: [
        { thinking: 'A listing will do.', text: 'Looking.', toolCalls: [{ use: 'shell', command: 'ls' }] },
        { expect: { toolResult: 'a.txt', toolResults: 1 }, text: 'There is a.txt.' },
      ],
    });
    const params = {
      model: MODEL,
      tools: [SHELL],
      store: false,
      include: ['reasoning.encrypted_content' as const],
      reasoning: { effort: 'low' as const, summary: 'auto' as const },
    };
    const stream = client.responses.stream({ ...params, input: [{ role: 'user', content: 'list' }] });
    const numbers: number[] = [];
    const types = new Set<string>();
    for await (const event of stream) {
      numbers.push(event.sequence_number);
      types.add(event.type);
    }
    const first = await stream.finalResponse();
    expect(numbers).toEqual(numbers.map((_number, index) => index));
    expect([...types]).toEqual(
      expect.arrayContaining(['response.created', 'response.in_progress', 'response.reasoning_summary_text.delta']),
    );
    expect([...types]).toEqual(
      expect.arrayContaining([
        'response.output_text.delta',
        'response.function_call_arguments.done',
        'response.completed',
      ]),
    );
    expect(first.output.map((item) => item.type)).toEqual(['reasoning', 'message', 'function_call']);
    const call = first.output.find((item) => item.type === 'function_call');
    expect(JSON.parse(call?.arguments ?? '')).toEqual({ cmd: 'ls' });
    expect(first.usage?.output_tokens_details.reasoning_tokens).toBeGreaterThan(0);
    const second = await client.responses.create({
      ...params,
      input: [
        { role: 'user', content: 'list' },
        ...(first.output as OpenAI.Responses.ResponseInput),
        { type: 'function_call_output', call_id: call?.call_id ?? '', output: 'a.txt' },
      ],
    });
    expect(second.output_text).toBe('There is a.txt.');
  });

  it('reports a response that ran out of tokens as incomplete', async () => {
    const { client } = await start({
      turns: [
        { toolCalls: [{ name: 'exec_command', args: { cmd: 'echo a long line' } }], fault: { kind: 'truncated' } },
      ],
    });
    const response = await client.responses.stream({ model: MODEL, input: 'go', tools: [SHELL] }).finalResponse();
    expect(response.status).toBe('incomplete');
    expect(response.incomplete_details?.reason).toBe('max_output_tokens');
    expect(response.output[0]).toMatchObject({ type: 'function_call', status: 'incomplete' });
  });

  it('caches prefixes by itself', async () => {
    const { client } = await start({ turns: [{ text: 'ok', repeat: 'forever' }] });
    const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'start '.repeat(100) }];
    let cached = 0;
    for (let turn = 0; turn < 6; turn += 1) {
      const response = await client.responses.create({ model: MODEL, input });
      cached = (response.usage?.input_tokens_details.cached_tokens ?? 0) / (response.usage?.input_tokens ?? 1);
      input.push({ role: 'assistant', content: response.output_text }, { role: 'user', content: `and ${turn}` });
    }
    expect(cached).toBeGreaterThan(0.5);
  });

  it('sees errors as the service words them', async () => {
    const { client } = await start({
      apiKeys: ['sk-other'],
      turns: [{ text: 'never' }],
    });
    await expect(client.responses.create({ model: MODEL, input: 'x' })).rejects.toMatchObject({
      status: 401,
      code: 'invalid_api_key',
    });
    const paid = await start({ turns: [{ text: 'x', fault: 'spend_cap' }] });
    await expect(paid.client.responses.create({ model: MODEL, input: 'x' })).rejects.toMatchObject({
      status: 429,
      code: 'insufficient_quota',
    });
    const busy = await start({ turns: [{ text: 'x', fault: { kind: 'overloaded', at: 'start' } }] });
    const consume = async (): Promise<unknown> =>
      busy.client.responses.stream({ model: MODEL, input: 'x' }).finalResponse();
    await expect(consume()).rejects.toThrow(/overloaded/);
  });

  it('says that it refuses', async () => {
    const { client } = await start({ turns: [{ text: 'x', fault: { kind: 'refusal', message: 'No.' } }] });
    const response = await client.responses.stream({ model: MODEL, input: 'x' }).finalResponse();
    expect(response.output[0]).toMatchObject({ content: [{ type: 'refusal', refusal: 'No.' }] });
  });

  it('lists models', async () => {
    const { client } = await start({ models: ['a', 'b'], turns: [] });
    const page = await client.models.list();
    expect(page.data.map((model) => model.id)).toEqual(['a', 'b']);
    expect(await client.models.retrieve('b')).toMatchObject({ id: 'b' });
  });
});
