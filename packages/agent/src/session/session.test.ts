import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { NO_USAGE, type Request } from '@attractor/llm';
import { describe, expect, it } from 'vitest';
import { call, createScriptedClient, failure } from '../testing/scripted-client.ts';
import { countingTool, makeSession, settle } from '../test-support/session-world.ts';
import { resumeSession } from './session.ts';
import { isRunning, until } from '@attractor/base/testing';

describe('the loop', () => {
  it('starts idle and ends an input with a reply without calls (AC1.1, AC1.3)', async () => {
    const { session, kinds } = makeSession([{ text: 'Hello there' }]);
    expect(session.state()).toBe('IDLE');
    const done = session.submit('hi');
    await Promise.resolve();
    expect(session.state()).toBe('PROCESSING');
    await done;
    await settle();
    expect(session.state()).toBe('IDLE');
    expect(kinds()).toEqual([
      'SESSION_START',
      'SYSTEM_PROMPT',
      'USER_INPUT',
      'ASSISTANT_TEXT_START',
      'ASSISTANT_TEXT_DELTA',
      'ASSISTANT_TEXT_DELTA',
      'ASSISTANT_TEXT_END',
      'ASSISTANT_MESSAGE',
      'USAGE',
      'PROCESSING_END',
    ]);
    expect(session.history()).toEqual([
      { kind: 'user', content: 'hi' },
      { kind: 'assistant', content: [{ kind: 'TEXT', text: 'Hello there' }] },
    ]);
  });

  it('acts until the model is done: reads, edits and runs for real (AC1.2)', async () => {
    const { root, session, client } = makeSession(
      [
        { text: 'Looking.', calls: [call('read_file', { file_path: 'a.txt' }), call('grep', { pattern: 'two' })] },
        {
          calls: [
            call('edit_file', { file_path: 'a.txt', old_string: 'two', new_string: 'TWO' }),
            call('shell', { command: 'cat a.txt' }),
          ],
        },
        { text: 'Done.' },
      ],
      { files: { 'a.txt': 'one\ntwo\n' } },
    );
    await session.submit('shout');
    expect(readFileSync(path.join(root, 'a.txt'), 'utf8')).toBe('one\nTWO\n');
    const [first, second] = session.history().filter((turn) => turn.kind === 'tool_results');
    expect(first?.results.map((result) => result.output)).toEqual(['     1\tone\n     2\ttwo', 'a.txt:2:two']);
    expect(second?.results[1]?.output).toMatch(/^one\nTWO\n\[exit code 0/);
    expect(client.requests).toHaveLength(3);
    expect(session.usage()).toMatchObject({ totalTokens: 45 });
  });

  it('takes several inputs, one after the other, and sends each request as the last one plus what is new (AC1.4)', async () => {
    const { session, client } = makeSession([
      { calls: [call('glob', { pattern: '*' })] },
      { text: 'one' },
      { text: 'two' },
    ]);
    await Promise.all([session.submit('first'), session.submit('second')]);
    expect(session.history().map((turn) => turn.kind)).toEqual([
      'user',
      'assistant',
      'tool_results',
      'assistant',
      'user',
      'assistant',
    ]);
    const sent = client.requests.map((request) => request.messages.map((message) => JSON.stringify(message)));
    for (const [index, messages] of sent.entries())
      expect(messages.slice(0, sent[index - 1]?.length ?? 0)).toEqual(sent[index - 1] ?? []);
    expect(client.requests[0]?.tools?.map((tool) => tool.name)).toEqual([
      'read_file',
      'edit_file',
      'write_file',
      'shell',
      'grep',
      'glob',
      'MultiEdit',
      'LS',
      'NotebookRead',
      'NotebookEdit',
      'TodoWrite',
      'spawn_agent',
      'send_input',
      'wait',
      'close_agent',
    ]);
  });

  it('stops at maxToolRoundsPerInput with a history that is valid (AC1.5)', async () => {
    const { session, client, kinds, events } = makeSession(
      Array.from({ length: 9 }, (_, n) => ({ calls: [call('glob', { pattern: `${n}` })] })),
      { config: { maxToolRoundsPerInput: 2 } },
    );
    for (const asked of [2, 4]) {
      await session.submit('go');
      await settle();
      expect(kinds().slice(-2)).toEqual(['TURN_LIMIT', 'PROCESSING_END']);
      expect(client.requests).toHaveLength(asked);
      expect(session.history().at(-1)?.kind).toBe('tool_results');
      expect(session.state()).toBe('IDLE');
    }
    const reasons = events.flatMap((event) => (event.kind === 'TURN_LIMIT' ? [event.reason] : []));
    expect(reasons).toEqual(['max_tool_rounds', 'max_tool_rounds']);
  });

  it('stops at maxTurns over the whole session (AC1.6)', async () => {
    const { session, client, events } = makeSession([{ text: 'one' }, { text: 'two' }, { text: 'three' }], {
      config: { maxTurns: 2 },
    });
    for (const input of ['a', 'b', 'c']) await session.submit(input);
    await settle();
    expect(client.requests).toHaveLength(2);
    expect(events.filter(({ kind }) => kind === 'TURN_LIMIT')).toMatchObject([{ reason: 'max_turns' }]);
  });

  it('gives the model short output and the event stream the full one (AC10.3, AC12.2)', async () => {
    const { session, events } = makeSession([{ calls: [call('shell', { command: 'seq 1 5000' })] }, { text: 'ok' }]);
    await session.submit('count');
    await settle();
    const end = events.find((event) => event.kind === 'TOOL_CALL_END');
    const turn = session.history().find((one) => one.kind === 'tool_results');
    const lines = end?.output.split('\n') ?? [];
    expect(lines.slice(0, -1)).toEqual(Array.from({ length: 5000 }, (_, index) => `${index + 1}`));
    expect(lines.at(-1)).toMatch(/^\[exit code 0/);
    expect(turn?.results[0]?.output).toContain('WARNING: Tool output was truncated');
    expect(turn?.results[0]?.output).not.toContain('\n2500\n');
  });

  it('shortens output as the configuration of the session says (AC5.6)', async () => {
    const { session, client } = makeSession(
      [{ calls: [call('shell', { command: 'seq 1 50' }), call('glob', { pattern: '*' })] }, { text: 'ok' }],
      { config: { toolOutputLimits: { glob: 10 }, toolLineLimits: { shell: 4 } }, files: { 'a-long-name.txt': '' } },
    );
    await session.submit('count');
    const sent = client.requests[1]?.messages.slice(-2).map(({ content }) => JSON.stringify(content)) ?? [];
    expect(sent[0]).toMatch(/"1\\n2\\n\[WARNING[^"]* 47 lines were removed[^"]*\]\\n50\\n\[exit code 0/);
    expect(sent[1]).toMatch(/\[WARNING[^"]*First 5 characters were removed[^"]*\\n\\ng-name\.txt"/);
  });

  it('brackets the session with SESSION_START and SESSION_END, and ends the iterator (AC10.4)', async () => {
    const { session, events } = makeSession([{ text: 'hi', thinking: 'hm' }]);
    const reading = Array.fromAsync(session.events());
    await session.submit('x');
    await session.close();
    expect((await reading).at(-1)?.kind).toBe('SESSION_END');
    expect([events[0]?.kind, events.at(-1)?.kind]).toEqual(['SESSION_START', 'SESSION_END']);
    expect(events).toContainEqual(
      expect.objectContaining({ kind: 'THINKING_DELTA', text: 'hm', sessionId: session.id }),
    );
    expect(events.map((event) => event.seq)).toEqual(events.map((event) => event.seq).toSorted((a, b) => a - b));
    await expect(session.submit('y')).rejects.toThrow('closed');
  });
});

describe('steering and follow-ups', () => {
  it('injects steering after the tool round, as a user message (AC6.1, AC6.3, AC6.4)', async () => {
    const world = makeSession([{ calls: [call('steer_now')] }, { text: 'ok' }], {
      tools: [
        {
          definition: { name: 'steer_now', description: '', parameters: { type: 'object' } },
          executor: async () => {
            world.session.steer('other way');
            return 'done';
          },
        },
      ],
    });
    world.session.steer('be careful');
    world.session.steer('and quick');
    await world.session.submit('go');
    expect(world.session.history().map((turn) => turn.kind)).toEqual([
      'user',
      'steering',
      'steering',
      'assistant',
      'tool_results',
      'steering',
      'assistant',
    ]);
    const said = (text: string) => ({ role: 'user', content: [{ kind: 'TEXT', text }] });
    expect(world.client.requests[0]?.messages.slice(2)).toEqual([said('be careful'), said('and quick')]);
    expect(world.client.requests[1]?.messages.at(-1)).toEqual(said('other way'));
  });

  it('keeps steering that comes with the last reply for the next input: an answer is the end (AC1.3, AC6.4)', async () => {
    const world = makeSession(({ messages }) => {
      if (messages.length === 2) world.session.steer('too late');
      return { text: 'done' };
    });
    await world.session.submit('first');
    expect(world.client.requests).toHaveLength(1);
    await world.session.submit('second');
    expect(world.session.history().map((turn) => turn.kind)).toEqual([
      'user',
      'assistant',
      'user',
      'steering',
      'assistant',
    ]);
  });

  it('processes follow-ups as inputs of their own before submit resolves (AC6.2)', async () => {
    const { session } = makeSession([{ text: 'one' }, { text: 'two' }, { text: 'three' }]);
    session.followUp('second');
    session.followUp('third');
    await session.submit('first');
    expect(session.history().flatMap((turn) => (turn.kind === 'user' ? [turn.content] : []))).toEqual([
      'first',
      'second',
      'third',
    ]);
  });
});

describe('P8: broken tool arguments', () => {
  it.each([
    ['text that was not JSON', { name: 'count', argsError: 'unexpected end of JSON input' }],
    ['a wrong type', call('count', { n: 'three' })],
    ['a number that is none', call('count', { n: Number.NaN })],
    ['a __proto__ key', call('count', JSON.parse('{"__proto__":{"polluted":true}}'))],
    ['ten megabytes of nonsense', call('count', { n: 'x'.repeat(10_000_000) })],
  ])('answers %s with an error result, runs nothing and goes on', async (_, broken) => {
    const tool = countingTool();
    const { session } = makeSession([{ calls: [broken] }, { text: 'I see' }], { tools: [tool] });
    await session.submit('go');
    expect(tool.runs()).toBe(0);
    expect(session.history()[2]).toMatchObject({
      kind: 'tool_results',
      results: [{ isError: true, output: expect.stringContaining('Invalid arguments for count') }],
    });
    expect(session.history().at(-1)).toMatchObject({ kind: 'assistant' });
    expect({}).not.toHaveProperty('polluted');
  });
});

describe('P9: tool calls that can not be told apart', () => {
  it('answers an unknown tool with an error result', async () => {
    const { session } = makeSession([{ calls: [call('nothing')] }, { text: 'ok' }]);
    await session.submit('go');
    expect(session.history()[2]).toMatchObject({
      results: [{ isError: true, output: expect.stringContaining('Unknown tool: nothing') }],
    });
  });

  it('runs a duplicated call once, with one result', async () => {
    const tool = countingTool();
    const { session } = makeSession(
      [{ calls: [call('count', {}, 'same'), call('count', {}, 'same')] }, { text: 'ok' }],
      { tools: [tool] },
    );
    await session.submit('go');
    expect(tool.runs()).toBe(1);
    expect(session.history()[1]).toMatchObject({ content: [{ toolCallId: 'same' }] });
    expect(session.history()[2]).toMatchObject({ results: [{ toolCallId: 'same', output: 'ran 1' }] });
  });

  it('gives calls with an empty or reused id one of their own, so that each has exactly one result', async () => {
    const tool = countingTool();
    const { session } = makeSession(
      [
        { calls: [call('count', { n: 1 }, 'x'), call('count', { n: 2 }, 'x'), call('count', { n: 3 }, '')] },
        { calls: [call('count', { n: 1 }, 'x')] },
        { text: 'ok' },
      ],
      { tools: [tool] },
    );
    await session.submit('go');
    expect(tool.runs()).toBe(4);
    const rounds = session
      .history()
      .flatMap((turn) => (turn.kind === 'tool_results' ? [turn.results.map((result) => result.toolCallId)] : []));
    const asked = session
      .history()
      .flatMap((turn) =>
        turn.kind === 'assistant'
          ? [turn.content.flatMap((part) => (part.kind === 'TOOL_CALL' ? [part.toolCallId] : []))]
          : [],
      );
    expect(rounds).toEqual(asked.slice(0, 2));
    expect(new Set(rounds.flat()).size).toBe(4);
    expect(rounds.flat()).not.toContain('');
  });
});

describe('a stream that breaks', () => {
  it('is discarded and asked again; half a call never runs and nothing stays in the history', async () => {
    const tool = countingTool();
    const { session, events } = makeSession(
      [
        { text: 'I was say', calls: [call('count')], error: failure('stream', 'connection lost', true) },
        { text: 'Whole answer' },
      ],
      { tools: [tool] },
    );
    await session.submit('go');
    await settle();
    expect(tool.runs()).toBe(0);
    expect(session.history().at(-1)).toEqual({ kind: 'assistant', content: [{ kind: 'TEXT', text: 'Whole answer' }] });
    const discarded = events.findIndex((event) => event.kind === 'ASSISTANT_TEXT_DISCARDED');
    expect(
      events
        .slice(discarded)
        .flatMap((event) => (event.kind === 'ASSISTANT_TEXT_DELTA' ? [event.text] : []))
        .join(''),
    ).toBe('Whole answer');
  });

  it('closes the session after the third break, with the error told', async () => {
    const broken = { text: 'x', error: failure('network', 'down', true) };
    const { session, client, events } = makeSession([broken, broken, broken, { text: 'never' }]);
    await session.submit('go');
    await settle();
    expect(client.requests).toHaveLength(3);
    expect([session.state(), session.error()?.message]).toEqual(['CLOSED', 'down']);
    expect(events.slice(-2)).toMatchObject([{ kind: 'ERROR' }, { kind: 'SESSION_END', reason: 'error' }]);
  });

  it('asks again for an empty answer, at most twice, and then ends the input', async () => {
    const { session, client, events } = makeSession([{}, { text: ' ' }, {}, { text: 'never' }]);
    await session.submit('go');
    await settle();
    expect(client.requests).toHaveLength(3);
    expect(session.state()).toBe('IDLE');
    expect(session.history()).toHaveLength(1);
    expect(events).toContainEqual(
      expect.objectContaining({ kind: 'WARNING', message: expect.stringContaining('empty answer') }),
    );
  });

  it('counts what answers cost that were of no use, and knows it again when it is resumed', async () => {
    const usage = { ...NO_USAGE, inputTokens: 100, outputTokens: 30, totalTokens: 130 };
    const { session, journal, options, events } = makeSession([{ usage }, { text: 'Done', usage }]);
    await session.submit('go');
    await settle();
    const both = { inputTokens: 200, outputTokens: 60, totalTokens: 260 };
    expect(session.usage()).toMatchObject(both);
    expect(events.findLast((event) => event.kind === 'USAGE')).toMatchObject({ usage: both });
    await session.close();
    const resumed = resumeSession({ ...options, journal });
    expect(resumed.usage()).toMatchObject(both);
    expect(resumed.history()).toHaveLength(2);
  });

  it('says that an answer is empty because it reached its limit while the model thought', async () => {
    const { session, events } = makeSession(Array.from({ length: 3 }, () => ({ finish: 'length' as const })));
    await session.submit('go');
    await settle();
    const message = expect.stringMatching(/reached its output limit before it said anything.*, 3 times/);
    expect(events).toContainEqual(expect.objectContaining({ kind: 'WARNING', message }));
  });
});

describe('failures of the provider', () => {
  it('closes on a wrong key (AC11.2)', async () => {
    const { session, kinds } = makeSession([{ error: failure('authentication', 'bad key') }]);
    await session.submit('go');
    await settle();
    expect(session.state()).toBe('CLOSED');
    expect(kinds().slice(-2)).toEqual(['ERROR', 'SESSION_END']);
  });

  it('warns and closes when the context is too long (AC11.3)', async () => {
    const { session, kinds } = makeSession([{ error: failure('context_length', 'too long') }]);
    await session.submit('go');
    await settle();
    expect(kinds().slice(-3)).toEqual(['CONTEXT_WARNING', 'ERROR', 'SESSION_END']);
  });

  it('warns from eighty percent of the window on, by real usage (AC11.4)', async () => {
    const { session, events } = makeSession(
      [
        { text: 'a', usage: { inputTokens: 700, outputTokens: 99, totalTokens: 799 } },
        { text: 'b', usage: { inputTokens: 760, outputTokens: 40, totalTokens: 800 } },
        { text: 'c', usage: { inputTokens: 780, outputTokens: 40, totalTokens: 820 } },
      ],
      { config: { contextWindowSize: 1000 } },
    );
    for (const input of ['x', 'y', 'z']) await session.submit(input);
    await settle();
    expect(events.filter(({ kind }) => kind === 'CONTEXT_WARNING')).toMatchObject([
      { usagePercent: 80 },
      { usagePercent: 82 },
    ]);
    expect([session.tokensInUse(), session.usage().totalTokens]).toEqual([820, 2419]);
  });

  it('turns a failing tool into a result and goes on (AC11.1)', async () => {
    const { session } = makeSession([{ calls: [call('read_file', { file_path: 'gone' })] }, { text: 'sorry' }]);
    await session.submit('go');
    expect(session.history().slice(2)).toMatchObject([
      { kind: 'tool_results', results: [{ isError: true, output: expect.stringContaining('gone') }] },
      { kind: 'assistant', content: [{ text: 'sorry' }] },
    ]);
    expect(session.state()).toBe('IDLE');
  });
});

describe('loops', () => {
  it('are told to the model and to the events (AC1.8)', async () => {
    const { session, events } = makeSession([
      ...Array.from({ length: 5 }, () => ({ calls: [call('glob', { pattern: '*' })] })),
      { text: 'ok' },
    ]);
    await session.submit('go');
    await settle();
    expect(events.filter(({ kind }) => kind === 'LOOP_DETECTION')).toHaveLength(1);
    expect(session.history().at(-2)).toMatchObject({ kind: 'steering' });
  });

  it('are not looked for with a window of 0', async () => {
    const { session, kinds } = makeSession(
      [...Array.from({ length: 6 }, () => ({ calls: [call('glob', { pattern: '*' })] })), { text: 'ok' }],
      { config: { loopDetectionWindow: 0 } },
    );
    await session.submit('go');
    await settle();
    expect(kinds()).not.toContain('LOOP_DETECTION');
  });
});

describe('approval', () => {
  it('is asked before a tool that can change something, and only then', async () => {
    const asked: string[] = [];
    const world = makeSession(
      [
        { calls: [call('glob', { pattern: '*' }), call('write_file', { file_path: 'a.txt', content: 'x' })] },
        { text: 'ok' },
      ],
      {
        approve: async ({ toolName }) => {
          asked.push(
            `${toolName} while ${world.session.state()}, there: ${existsSync(path.join(world.root, 'a.txt'))}`,
          );
          return { decision: 'approve' };
        },
      },
    );
    await world.session.submit('go');
    await settle();
    expect(asked).toEqual(['write_file while AWAITING_INPUT, there: false']);
    expect(existsSync(path.join(world.root, 'a.txt'))).toBe(true);
    const kinds = world.kinds().filter((kind) => kind.startsWith('APPROVAL') || kind.startsWith('TOOL_CALL'));
    expect(kinds).toEqual([
      'TOOL_CALL_START',
      'TOOL_CALL_END',
      'APPROVAL_REQUESTED',
      'APPROVAL_ANSWERED',
      'TOOL_CALL_START',
      'TOOL_CALL_END',
    ]);
  });

  it('denied is an error result with the reason; the loop goes on', async () => {
    const { root, session } = makeSession([{ calls: [call('shell', { command: 'touch x' })] }, { text: 'ok' }], {
      approve: async () => ({ decision: 'reject', message: 'not today' }),
    });
    await session.submit('go');
    expect(session.history()[2]).toMatchObject({ results: [{ isError: true, output: 'Denied: not today' }] });
    expect(existsSync(path.join(root, 'x'))).toBe(false);
    expect(session.state()).toBe('IDLE');
  });

  it('that fails or never comes runs nothing', async () => {
    const failing = makeSession([{ calls: [call('shell', { command: 'touch x' })] }, { text: 'ok' }], {
      approve: () => Promise.reject(new Error('no terminal')),
    });
    await failing.session.submit('go');
    expect(failing.session.history()[2]).toMatchObject({
      results: [{ isError: true, output: expect.stringContaining('no terminal') }],
    });
    const signals: AbortSignal[] = [];
    const waiting = makeSession([{ calls: [call('shell', { command: 'touch x' })] }], {
      approve: (_request, { signal }) => {
        signals.push(signal);
        return new Promise(() => undefined);
      },
    });
    const done = waiting.session.submit('go');
    while (signals.length === 0) await wait(5);
    await waiting.session.abort();
    await done;
    expect(signals[0]?.aborted).toBe(true);
    expect(existsSync(path.join(waiting.root, 'x'))).toBe(false);
  });
});

describe('abort', () => {
  it('ends a hanging stream, is idempotent and closes (AC1.7)', async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const scripted = createScriptedClient([{ text: 'thinking', hangs: true }]);
    const client = {
      ...scripted,
      stream: (request: Request) => {
        signals.push(request.abortSignal);
        return scripted.stream(request);
      },
    };
    const { session, kinds, journal } = makeSession([], { client });
    const done = session.submit('go');
    await until(() => kinds().includes('ASSISTANT_TEXT_DELTA'));
    expect(signals.map((signal) => signal?.aborted)).toEqual([false]);
    await Promise.all([session.abort(), session.abort()]);
    await session.abort();
    await done;
    await settle();
    expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
    expect(session.state()).toBe('CLOSED');
    expect(kinds().filter((kind) => kind === 'SESSION_END')).toHaveLength(1);
    expect(journal.read().filter(({ event }) => event.kind === 'SESSION_END')).toHaveLength(1);
  });

  it('kills the running command and answers what did not run (AC11.5)', async () => {
    const { root, session, events } = makeSession([
      {
        calls: [
          call('shell', { command: 'echo $$ > pid; sleep 60' }),
          call('write_file', { file_path: 'late', content: '' }),
        ],
      },
    ]);
    const pid = (): number =>
      Number(existsSync(path.join(root, 'pid')) ? readFileSync(path.join(root, 'pid'), 'utf8') : 0);
    const done = session.submit('go');
    await until(() => pid() > 0);
    await session.abort();
    await done;
    await settle();
    expect(isRunning(pid())).toBe(false);
    expect(existsSync(path.join(root, 'late'))).toBe(false);
    expect(events.filter((event) => event.kind === 'TOOL_CALL_END').map((event) => event.output)).toEqual([
      expect.stringContaining('stopped'),
      expect.stringContaining('Not run'),
    ]);
    expect(events.at(-1)).toMatchObject({ kind: 'SESSION_END', reason: 'aborted' });
  });
});
