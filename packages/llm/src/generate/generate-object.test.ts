import { describe, expect, it } from 'vitest';
import { generateObject } from './generate-object.ts';
import { streamObject } from './stream-object.ts';
import { call, scriptedClient, text } from './test-support/scripted-client.ts';

const model = 'some-model';
const schema = {
  type: 'object',
  properties: { city: { type: 'string' }, people: { type: 'integer' } },
  required: ['city', 'people'],
  additionalProperties: false,
};
const paris = { city: 'Paris', people: 2_100_000 };
const asked = { model, prompt: 'the largest city of France', schema };

describe('an object from a model', () => {
  it.each(['openai', 'gemini'])('is asked of %s in its own schema format', async (provider) => {
    const client = scriptedClient([{ parts: [text(JSON.stringify(paris))] }], provider);
    expect((await generateObject({ ...asked, client })).output).toEqual(paris);
    expect(client.requests[0]).toMatchObject({ responseFormat: { type: 'json_schema', schema, strict: true } });
    expect(client.requests[0]?.tools).toBeUndefined();
  });

  it('asks strictly only where the schema allows it', async () => {
    const open = {
      type: 'object',
      properties: { a: { type: 'object', properties: {} } },
      required: ['a'],
      additionalProperties: false,
    };
    const client = scriptedClient([{ parts: [text('{"a":{"free":1}}')] }], 'openai');
    expect((await generateObject({ ...asked, schema: open, client })).output).toEqual({ a: { free: 1 } });
    expect(client.requests[0]?.responseFormat).toMatchObject({ strict: false });
  });

  it.each(['anthropic', 'openai-chat', 'groq'])(
    'is asked of %s as the arguments of one forced tool',
    async (provider) => {
      const client = scriptedClient([{ parts: [call('c1', 'extract_object', paris)] }], provider);
      expect((await generateObject({ ...asked, client })).output).toEqual(paris);
      const sent = client.requests[0];
      expect(sent?.tools).toMatchObject([{ name: 'extract_object', parameters: schema }]);
      expect(sent?.toolChoice).toEqual({ toolName: 'extract_object' });
      expect(client.requests).toHaveLength(1);
    },
  );

  it('does not force a model that thinks, and reads the object from its text too', async () => {
    const client = scriptedClient([{ parts: [text(`\`\`\`json\n${JSON.stringify(paris)}\n\`\`\``)] }]);
    expect((await generateObject({ ...asked, client, system: 'be exact', reasoningEffort: 'high' })).output).toEqual(
      paris,
    );
    expect(client.requests[0]?.toolChoice).toBe('auto');
    expect(client.requests[0]?.messages[0]?.content[0]).toMatchObject({
      text: expect.stringMatching(/^be exact\n\n.*extract_object/),
    });
  });

  it('does not force where the service cannot', async () => {
    const client = scriptedClient([{ parts: [call('c1', 'extract_object', paris)] }], 'ollama');
    expect((await generateObject({ ...asked, client })).output).toEqual(paris);
    expect(client.requests[0]?.toolChoice).toBe('auto');
  });

  it('refuses a schema whose root is no object', async () => {
    await expect(
      generateObject({ ...asked, client: scriptedClient([]), schema: { type: 'array' } }),
    ).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it.each([
    ['not JSON', { parts: [text('Paris, of course')] }],
    ['is empty', { parts: [] }],
    ['does not fit the schema: /people', { parts: [text('{"city":"Paris","people":"many"}')] }],
    ['cut off at its token limit', { parts: [text('{"city":"Par')], reason: 'length' }],
    ['filtered', { parts: [text('')], reason: 'content_filter' }],
  ] as const)('fails for good when the answer is %s', async (why, turn) => {
    const client = scriptedClient([turn], 'openai');
    await expect(generateObject({ ...asked, client })).rejects.toMatchObject({
      code: 'no_object_generated',
      retryable: false,
      message: expect.stringContaining(why),
    });
    expect(client.requests).toHaveLength(1);
  });
});

describe('an object that is read while it grows', () => {
  it.each([
    ['openai', { parts: [text(JSON.stringify(paris))], pieces: 8 }],
    ['anthropic', { parts: [call('c1', 'extract_object', paris)], pieces: 8 }],
  ] as const)('grows from what %s has sent, and ends valid', async (provider, turn) => {
    const stream = streamObject({ ...asked, client: scriptedClient([turn], provider) });
    const seen: unknown[] = [];
    for await (const partial of stream) seen.push(partial);
    expect(seen[0]).toEqual({});
    expect(seen).toContainEqual({ city: 'P' });
    expect(seen.at(-1)).toEqual(paris);
    expect((await stream.response()).output).toEqual(paris);
  });

  it('ends with the error when the whole is not valid', async () => {
    const stream = streamObject({
      ...asked,
      client: scriptedClient([{ parts: [text('{"city":"Paris"}')] }], 'openai'),
    });
    const seen: unknown[] = [];
    const reading = (async () => {
      for await (const partial of stream) seen.push(partial);
    })();
    await expect(reading).rejects.toMatchObject({ code: 'no_object_generated' });
    await expect(stream.response()).rejects.toMatchObject({ code: 'no_object_generated' });
    expect(seen.at(-1)).toEqual({ city: 'Paris' });
  });

  it('reports a wrong schema when it is read', async () => {
    const stream = streamObject({ ...asked, client: scriptedClient([]), schema: { type: 'string' } });
    await expect(stream.response()).rejects.toMatchObject({ code: 'invalid_request' });
  });
});
