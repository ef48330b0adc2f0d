import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createOpenAiProfile } from '../profiles/openai.ts';
import { createAnthropicProfile } from '../profiles/anthropic.ts';
import { call, createScriptedClient } from '../testing/scripted-client.ts';
import { makeSession } from '../test-support/session-world.ts';
import { resumeSession } from './session.ts';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const image = { kind: 'IMAGE' as const, source: { data: PIXEL, mediaType: 'image/png' } };

describe('configure', () => {
  it('changes the reasoning effort for the next request, and takes it back (AC8.2)', async () => {
    const { session, client } = makeSession([{ text: 'a' }, { text: 'b' }, { text: 'c' }], {
      config: { reasoningEffort: 'low' },
    });
    await session.submit('one');
    session.configure({ reasoningEffort: 'high' });
    await session.submit('two');
    session.configure({ reasoningEffort: null });
    await session.submit('three');
    expect(client.requests.map(({ reasoningEffort }) => reasoningEffort)).toEqual(['low', 'high', undefined]);
    expect(new Set(client.requests.map(({ messages }) => JSON.stringify(messages[0]))).size).toBe(1);
  });

  it('in the middle of the work holds from the next model request on', async () => {
    const world = makeSession([{ calls: [call('switch_model')] }, { text: 'b' }], {
      tools: [
        {
          definition: { name: 'switch_model', description: '', parameters: { type: 'object' } },
          executor: async () => {
            world.session.configure({ model: 'larger' });
            return 'switched';
          },
        },
      ],
    });
    await world.session.submit('go');
    expect(world.client.requests.map(({ model }) => model)).toEqual(['scripted', 'larger']);
    expect(JSON.stringify(world.client.requests[1]?.messages[0])).toContain('larger');
  });

  it('gives another profile its own tools and prompt, keeps the history, and a resumed session goes on with it', async () => {
    const openai = createOpenAiProfile();
    const world = makeSession([{ text: 'a', thinking: 'hm' }, { text: 'b' }], { profiles: [openai] });
    await world.session.submit('one');
    world.session.configure({ profile: openai, provider: 'other', model: 'gpt', reasoningEffort: 'medium' });
    await world.session.submit('two');
    const [first, second] = world.client.requests;
    const names = (request: typeof first) => request?.tools?.map(({ name }) => name) ?? [];
    expect([names(first).includes('edit_file'), names(first).includes('apply_patch')]).toEqual([true, false]);
    expect([names(second).includes('edit_file'), names(second).includes('apply_patch')]).toEqual([false, true]);
    expect(second).toMatchObject({ model: 'gpt', provider: 'other', reasoningEffort: 'medium' });
    expect(second?.messages.slice(1, 3)).toEqual([
      { role: 'user', content: [{ kind: 'TEXT', text: 'one' }] },
      {
        role: 'assistant',
        content: [
          { kind: 'THINKING', text: 'hm', signature: 'signed' },
          { kind: 'TEXT', text: 'a' },
        ],
      },
    ]);
    const client = createScriptedClient([{ text: 'c' }]);
    const resumed = resumeSession({
      ...world.options,
      journal: world.journal,
      client,
      profiles: [openai, createAnthropicProfile()],
    });
    await resumed.submit('three');
    expect(client.requests[0]).toMatchObject({ model: 'gpt', provider: 'other', reasoningEffort: 'medium' });
    expect(client.requests[0]?.messages[0]).toEqual(second?.messages[0]);
    expect(names(client.requests[0])).toEqual(names(second));
    const { profiles: _none, ...without } = world.options;
    resumeSession({ ...without, journal: world.journal, client: createScriptedClient([]) });
    expect(world.journal.read().at(-1)?.event).toMatchObject({
      kind: 'WARNING',
      message: expect.stringContaining('openai'),
    });
  });
});

describe('images', () => {
  it('of the person reach the model in their place, and outlive the process', async () => {
    const world = makeSession([{ text: 'a pixel' }]);
    await world.session.submit([{ kind: 'TEXT', text: 'What is ' }, image, { kind: 'TEXT', text: 'this?' }]);
    const expected = {
      role: 'user',
      content: [{ kind: 'TEXT', text: 'What is ' }, image, { kind: 'TEXT', text: 'this?' }],
    };
    expect(world.client.requests[0]?.messages[1]).toEqual(expected);
    expect(world.session.history()[0]).toMatchObject({ kind: 'user', content: 'What is this?' });
    const client = createScriptedClient([{ text: 'x' }]);
    const resumed = resumeSession({ ...world.options, journal: world.journal, client });
    resumed.followUp([image]);
    await resumed.submit('again');
    expect(client.requests[0]?.messages[1]).toEqual(expected);
  });

  it('that read_file finds are shown to the model with the result', async () => {
    const { session, client, root, journal, options } = makeSession(
      [
        { calls: [call('read_file', { file_path: 'dot.png' }), call('read_file', { file_path: 'fake.png' })] },
        { text: 'I see' },
      ],
      { files: { 'dot.png': '', 'fake.png': 'only text' } },
    );
    await options.environment.execCommand(`printf '%s' '${PIXEL}' | base64 -d > dot.png`, 10_000);
    expect(readFileSync(`${root}/dot.png`).length).toBeGreaterThan(50);
    await session.submit('look');
    expect(client.requests[1]?.messages.slice(-2).map(({ content }) => content[0])).toEqual([
      {
        kind: 'TOOL_RESULT',
        toolCallId: 'call_1_0',
        output: expect.stringContaining('image/png'),
        isError: false,
        images: [image],
      },
      { kind: 'TOOL_RESULT', toolCallId: 'call_1_1', output: '     1\tonly text', isError: false },
    ]);
    const again = createScriptedClient([{ text: 'x' }]);
    await resumeSession({ ...options, journal, client: again }).submit('more');
    expect(again.requests[0]?.messages.slice(0, 5)).toEqual(client.requests[1]?.messages.slice(0, 5));
  });
});
