import { type Content, GoogleGenAI, Type } from '@google/genai';
import { afterEach, describe, expect, it } from 'vitest';
import type { ScriptInput } from '../../script/types.ts';
import { type Simulator, startSimulator } from '../../simulator.ts';

let running: Simulator[] = [];
afterEach(async () => {
  await Promise.all(running.map((simulator) => simulator.close()));
  running = [];
});

async function start(script: ScriptInput): Promise<{ simulator: Simulator; client: GoogleGenAI }> {
  const simulator = await startSimulator({ script });
  running.push(simulator);
  const client = new GoogleGenAI({ apiKey: 'key-0001', httpOptions: { baseUrl: simulator.baseUrls.gemini } });
  return { simulator, client };
}

const MODEL = 'gemini-scripted';
const TOOLS = [
  {
    functionDeclarations: [
      { name: 'read_file', parameters: { type: Type.OBJECT, properties: { path: { type: Type.STRING } } } },
    ],
  },
];
const user = (text: string): Content => ({ role: 'user', parts: [{ text }] });

describe('the official Gemini client', () => {
  it('gets a whole answer', async () => {
    const { client } = await start({ turns: [{ text: 'Hello there.' }] });
    const response = await client.models.generateContent({
      model: MODEL,
      contents: 'hi',
      config: { systemInstruction: 'be kind' },
    });
    expect(response.text).toBe('Hello there.');
    expect(response.candidates?.[0]?.finishReason).toBe('STOP');
    expect(response.usageMetadata?.promptTokenCount).toBeGreaterThan(0);
  });

  it('streams thoughts and a signed call, and goes on with the parts sent back', async () => {
    const { client } = await start({
      requireThoughtSignatures: true,
      turns: [
        { thinking: 'Which one?', text: 'Reading.', toolCalls: [{ use: 'read', path: 'a.txt' }] },
        { expect: { toolResult: 'alpha' }, text: 'It says alpha.' },
      ],
    });
    const config = { tools: TOOLS, thinkingConfig: { includeThoughts: true } };
    const parts: NonNullable<Content['parts']> = [];
    let thoughts = 0;
    for await (const chunk of await client.models.generateContentStream({
      model: MODEL,
      contents: [user('go')],
      config,
    })) {
      parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []));
      thoughts = chunk.usageMetadata?.thoughtsTokenCount ?? thoughts;
    }
    expect(parts.some((part) => part.thought === true)).toBe(true);
    expect(thoughts).toBeGreaterThan(0);
    const call = parts.find((part) => part.functionCall);
    expect(call).toMatchObject({
      functionCall: { name: 'read_file', args: { path: 'a.txt' } },
      thoughtSignature: expect.any(String),
    });
    const contents = (model: Content): Content[] => [
      user('go'),
      model,
      { role: 'user', parts: [{ functionResponse: { name: 'read_file', response: { output: 'alpha' } } }] },
    ];
    const second = await client.models.generateContent({
      model: MODEL,
      contents: contents({ role: 'model', parts }),
      config,
    });
    expect(second.text).toBe('It says alpha.');
    const bare = { role: 'model', parts: [{ functionCall: call?.functionCall ?? {} }] };
    await expect(client.models.generateContent({ model: MODEL, contents: contents(bare), config })).rejects.toThrow(
      /missing a thought_signature/,
    );
  });

  it('streams as one JSON array to those who do not ask for events', async () => {
    const { simulator } = await start({ turns: [{ text: 'abcdefgh'.repeat(20) }] });
    const response = await fetch(`${simulator.url}/v1beta/models/m:streamGenerateContent?key=k`, {
      method: 'POST',
      body: JSON.stringify({ contents: [user('x')] }),
    });
    const chunks = (await response.json()) as { candidates: { content: Content }[] }[];
    expect(chunks.length).toBeGreaterThan(3);
    expect(chunks.map((chunk) => chunk.candidates[0]?.content.parts?.[0]?.text).join('')).toBe('abcdefgh'.repeat(20));
  });

  it('answers an unreadable call, a block and an empty stream as the service does', async () => {
    const { client } = await start({
      conversations: [
        {
          match: { firstUser: 'broken' },
          turns: [
            {
              toolCalls: [{ name: 'read_file', args: { path: 'a' } }],
              fault: { kind: 'malformed_arguments', how: 'nan' },
            },
          ],
        },
        { match: { firstUser: 'blocked' }, turns: [{ text: 'x', fault: 'refusal' }] },
        { match: { firstUser: 'meta' }, turns: [{ text: 'x', fault: 'metadata_only' }] },
      ],
    });
    const ask = (text: string) =>
      client.models.generateContent({ model: MODEL, contents: text, config: { tools: TOOLS } });
    expect((await ask('broken')).candidates?.[0]?.finishReason).toBe('MALFORMED_FUNCTION_CALL');
    expect((await ask('blocked')).promptFeedback?.blockReason).toBe('PROHIBITED_CONTENT');
    const meta = await ask('meta');
    expect(meta.candidates).toBeUndefined();
    expect(meta.usageMetadata?.promptTokenCount).toBeGreaterThan(0);
  });

  it('counts tokens, lists models and names the ones it lacks', async () => {
    const { client } = await start({ models: [MODEL], turns: [{ text: 'x' }] });
    expect((await client.models.countTokens({ model: MODEL, contents: 'x'.repeat(400) })).totalTokens).toBeGreaterThan(
      100,
    );
    const names: (string | undefined)[] = [];
    for await (const model of await client.models.list()) names.push(model.name);
    expect(names).toEqual([`models/${MODEL}`]);
    await expect(client.models.generateContent({ model: 'nope', contents: 'x' })).rejects.toThrow(
      /models\/nope is not found/,
    );
  });

  it('refuses wrong keys and limits rates in the words of the service', async () => {
    const { client } = await start({ apiKeys: ['other'], turns: [] });
    await expect(client.models.generateContent({ model: MODEL, contents: 'x' })).rejects.toThrow(/API key not valid/);
    const limited = await start({ turns: [{ text: 'x', fault: { kind: 'rate_limit', retryAfter: 3 } }] });
    await expect(limited.client.models.generateContent({ model: MODEL, contents: 'x' })).rejects.toThrow(
      /RESOURCE_EXHAUSTED.*"retryDelay":"3s"/,
    );
  });
});
