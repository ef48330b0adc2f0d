import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createClient } from '@attractor/llm';
import { startSimulator, type ScriptInput, type Simulator } from '@attractor/simulator';
import { describe, expect, it, onTestFinished } from 'vitest';
import { until } from '@attractor/base/testing';
import { resumeSession } from './session.ts';
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

describe('P7: a network that is down for a while', () => {
  it('is waited for on the wire, and the work goes on where it was', async () => {
    const turns: Turns = [{ toolCalls: [{ name: 'cut_line', args: {} }] }, { text: 'Back again.' }];
    let cut = async (): Promise<void> => undefined;
    const tool = { ...countingTool('cut_line'), executor: () => cut().then(() => 'cut') };
    const { session, simulator, kinds } = await onTheWire(turns, { tools: [tool] });
    const port = Number(new URL(simulator.baseUrls.anthropic).port);
    cut = () => simulator.close();
    const done = session.submit('go');
    await until(() => kinds().filter((kind) => kind === 'CONNECTION_LOST').length >= 2);
    expect(session.state()).toBe('PROCESSING');
    const again = await startSimulator({ port, script: { turns } });
    onTestFinished(() => again.close());
    await done;
    await settle();
    expect(session.error()).toBeNull();
    expect(session.history().at(-1)).toMatchObject({ content: [{ text: 'Back again.' }] });
    expect(kinds()).toContain('CONNECTION_RESTORED');
  });
});

describe('P14: a request that was accepted and whose answer was lost', () => {
  it.each([
    ['before its first byte', { kind: 'cut', atByte: 0, how: 'reset' }],
    ['right before its end', { kind: 'cut', atFraction: 0.97, how: 'end' }],
  ] as const)('%s is one step in the log, and what the model asked for runs once', async (_when, fault) => {
    const tool = countingTool();
    const { session, simulator, journal } = await onTheWire(
      [{ text: 'Counting.', toolCalls: [{ name: 'count', args: {} }], fault }, { text: 'Done.' }],
      { tools: [tool] },
    );
    await session.submit('go');
    expect(session.error()).toBeNull();
    expect(simulator.failures()).toEqual([]);
    expect(tool.runs()).toBe(1);
    const stored = journal.read().map(({ event }) => event.kind);
    expect(stored.filter((kind) => kind === 'ASSISTANT_MESSAGE')).toHaveLength(2);
    expect(stored.filter((kind) => kind === 'TOOL_CALL_START')).toHaveLength(1);
  });
});

describe('a key that is refused in the middle', () => {
  const refusing = async (renewed: string) => {
    const simulator = await startSimulator({ script: { apiKeys: ['sk-good'], turns: [{ text: 'Welcome.' }] } });
    onTestFinished(() => simulator.close());
    let renewals = 0;
    const refreshCredential = async (): Promise<string> => {
      renewals++;
      return renewed;
    };
    const baseUrl = simulator.baseUrls.anthropic;
    const client = createClient({
      configuration: { providers: { anthropic: { apiKey: 'sk-old', baseUrl, refreshCredential } } },
    });
    onTestFinished(() => client.close());
    const world = makeSession([], { client, config: { provider: 'anthropic', model: 'claude-sonnet-4-5' } });
    await world.session.submit('go');
    return { ...world, renewals: () => renewals };
  };

  it('is renewed once, and the work goes on', async () => {
    const { session, renewals } = await refusing('sk-good');
    expect([session.state(), session.error(), renewals()]).toEqual(['IDLE', null, 1]);
  });

  it('and refused again closes the session, which goes on from its journal with a good key', async () => {
    const { session, renewals, journal, options } = await refusing('sk-bad');
    expect([session.state(), renewals()]).toEqual(['CLOSED', 1]);
    expect(session.error()).toMatchObject({ code: 'authentication' });
    const simulator = await startSimulator({ script: { turns: [{ text: 'Welcome.' }] } });
    onTestFinished(() => simulator.close());
    const client = createClient({
      configuration: { providers: { anthropic: { apiKey: 'sk-good', baseUrl: simulator.baseUrls.anthropic } } },
    });
    onTestFinished(() => client.close());
    const resumed = resumeSession({ ...options, journal, client });
    await resumed.resume();
    expect(resumed.history().at(-1)).toMatchObject({ content: [{ text: 'Welcome.' }] });
  });
});

describe('AC12.1', () => {
  it('creates a file, reads and then edits it, and runs a command, as the live smoke does', async () => {
    const { root, session, simulator } = await onTheWire([
      { toolCalls: [{ use: 'write', path: 'hello.txt', content: 'Hello' }] },
      { text: 'Made.' },
      { toolCalls: [{ use: 'read', path: 'hello.txt' }] },
      {
        expect: { toolResult: 'Hello' },
        toolCalls: [{ use: 'edit', path: 'hello.txt', old: 'Hello', new: 'Goodbye' }],
      },
      { text: 'Edited.' },
      { toolCalls: [{ use: 'shell', command: 'cat hello.txt' }] },
      { expect: { toolResult: 'Goodbye' }, text: 'It says Goodbye.' },
    ]);
    for (const input of ['create hello.txt', 'edit it', 'show it with a command']) await session.submit(input);
    expect(session.error()).toBeNull();
    expect(simulator.failures()).toEqual([]);
    expect(readFileSync(path.join(root, 'hello.txt'), 'utf8')).toBe('Goodbye');
  });
});
