import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createClient } from '@attractor/llm';
import { startSimulator, type ScriptInput, type Simulator } from '@attractor/simulator';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  countingTool,
  makeSession,
  settle,
  type SessionWorld,
  type WorldOptions,
} from '../test-support/session-world.ts';

type Turns = NonNullable<ScriptInput['turns']>;

/** A session whose model is on the other end of a real HTTP connection and refuses what the real service refuses. */
async function onTheWire(
  turns: Turns,
  more: WorldOptions = {},
): Promise<SessionWorld & { readonly simulator: Simulator }> {
  const simulator = await startSimulator({ script: { turns } });
  onTestFinished(() => simulator.close());
  const client = createClient({
    configuration: { providers: { anthropic: { apiKey: 'sk-test', baseUrl: simulator.baseUrls.anthropic } } },
    retry: { baseMs: 1, maxRetries: 1 },
  });
  onTestFinished(() => client.close());
  const config = { provider: 'anthropic', model: 'claude-sonnet-4-5', ...more.config };
  return { ...makeSession([], { ...more, client, config }), simulator };
}

describe('a session on the wire', () => {
  it('reads, edits, runs and answers, and every request is one that the service accepts', async () => {
    const { root, session, simulator, events } = await onTheWire(
      [
        {
          text: 'I look.',
          toolCalls: [
            { use: 'read', path: 'sum.js' },
            { use: 'grep', pattern: 'a - b' },
          ],
        },
        { expect: { toolResult: 'a - b' }, toolCalls: [{ use: 'edit', path: 'sum.js', old: 'a - b', new: 'a + b' }] },
        { toolCalls: [{ use: 'shell', command: 'cat sum.js' }] },
        { expect: { toolResult: 'a + b' }, text: 'Fixed.' },
      ],
      { files: { 'sum.js': 'export const sum = (a, b) => a - b;\n' } },
    );
    await session.submit('fix sum');
    await settle();
    expect(session.error()).toBeNull();
    expect(simulator.failures()).toEqual([]);
    expect(readFileSync(path.join(root, 'sum.js'), 'utf8')).toContain('a + b');
    expect(session.usage().inputTokens).toBeGreaterThan(0);
    expect(events.filter(({ kind }) => kind === 'TOOL_CALL_END')).toHaveLength(4);
  });

  it.each(['truncated', 'trailing_comma', 'wrong_type', 'not_object', 'nan', 'proto', 'huge'] as const)(
    'P8 %s arguments: an error result, nothing runs, the conversation goes on',
    async (how) => {
      const tool = countingTool();
      const { session, simulator } = await onTheWire(
        [
          { toolCalls: [{ name: 'count', args: { n: 1 } }], fault: { kind: 'malformed_arguments', how } },
          { text: 'I see.' },
        ],
        { tools: [tool] },
      );
      await session.submit('go');
      expect(session.error()).toBeNull();
      expect(simulator.failures()).toEqual([]);
      expect(tool.runs()).toBe(0);
      expect(session.history()[2]).toMatchObject({ kind: 'tool_results', results: [{ isError: true }] });
      expect(session.history()[3]).toMatchObject({ kind: 'assistant', content: [{ text: 'I see.' }] });
      expect({}).not.toHaveProperty('polluted');
    },
  );

  it.each(['duplicate', 'empty', 'reused'] as const)(
    'P9 %s tool ids: one result a call, accepted by the service',
    async (how) => {
      const tool = countingTool();
      const { session, simulator } = await onTheWire(
        [
          { toolCalls: [{ name: 'count', args: { n: 1 } }] },
          {
            toolCalls: [
              { name: 'count', args: { n: 2 } },
              { name: 'count', args: { n: 3 } },
            ],
            fault: { kind: 'tool_ids', how },
          },
          { text: 'Done.' },
        ],
        { tools: [tool] },
      );
      await session.submit('go');
      expect(session.error()).toBeNull();
      expect(simulator.failures()).toEqual([]);
      expect(tool.runs()).toBe(3);
      expect(session.history().at(-1)).toMatchObject({ content: [{ text: 'Done.' }] });
    },
  );

  it('P9 an unknown tool: an error result that names the known ones', async () => {
    const { session, simulator } = await onTheWire([
      { toolCalls: [{ use: 'glob', pattern: '*' }], fault: 'unknown_tool' },
      { text: 'Sorry.' },
    ]);
    await session.submit('go');
    expect(simulator.failures()).toEqual([]);
    expect(session.history()[2]).toMatchObject({
      results: [{ isError: true, output: expect.stringContaining('read_file') }],
    });
  });

  it('asks again when the connection breaks in the middle, and shows nothing twice', async () => {
    const tool = countingTool();
    const { session, simulator, events } = await onTheWire(
      [
        {
          text: 'One two three four five six seven eight nine ten.',
          toolCalls: [{ name: 'count', args: {} }],
          deltaChars: 5,
          fault: { kind: 'cut', atFraction: 0.7, how: 'reset' },
        },
        { text: 'Done.' },
      ],
      { tools: [tool] },
    );
    await session.submit('go');
    await settle();
    expect(session.error()).toBeNull();
    expect(simulator.failures()).toEqual([]);
    expect(tool.runs()).toBe(1);
    const from = events.findIndex((event) => event.kind === 'ASSISTANT_TEXT_DISCARDED');
    expect(from).toBeGreaterThan(0);
    const shown = events.slice(from).flatMap((event) => (event.kind === 'ASSISTANT_TEXT_DELTA' ? [event.text] : []));
    expect(shown.join('')).toBe('One two three four five six seven eight nine ten.Done.');
  });

  it('does not run a call that was cut off at the output limit, and tells the model', async () => {
    const { session, simulator } = await onTheWire([
      {
        toolCalls: [{ use: 'write', path: 'a.txt', content: 'a long text that is cut' }],
        fault: { kind: 'truncated', in: 'tool_call' },
      },
      { text: 'Again, shorter.' },
    ]);
    await session.submit('go');
    expect(simulator.failures()).toEqual([]);
    expect(session.history()[2]).toMatchObject({ kind: 'tool_results', results: [{ isError: true }] });
    expect(session.history().at(-1)).toMatchObject({ kind: 'assistant' });
  });

  it('closes with a clear error on a wrong key', async () => {
    const { session } = await onTheWire([{ text: 'x', fault: { kind: 'unauthorized', times: 'forever' } }]);
    await session.submit('go');
    expect(session.state()).toBe('CLOSED');
    expect(session.error()).toMatchObject({ code: 'authentication' });
  });
});
