import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { until } from '@attractor/base/testing';
import { countingTool, makeSession, settle } from '../test-support/session-world.ts';
import { call, createScriptedClient, failure, type Reply } from '../testing/scripted-client.ts';
import { resumeSession } from './session.ts';

const down: Reply = { error: failure('network', 'connection refused', false) };

describe('the tool budget', () => {
  it('refuses calls of a tool past its number, and any call past the total, with a warning', async () => {
    const tool = countingTool();
    const { session, events } = makeSession(
      [
        { calls: [call('count', { n: 1 }), call('count', { n: 2 }), call('count', { n: 3 })] },
        { calls: [call('glob', { pattern: '1' }), call('glob', { pattern: '2' })] },
        { text: 'ok' },
        { calls: [call('glob', { pattern: '3' })] },
        { text: 'ok' },
      ],
      { tools: [tool], config: { toolBudget: { total: 4, perTool: { count: 2 } } } },
    );
    await session.submit('go');
    await session.submit('a new input has no new budget');
    await settle();
    const results = session.history().flatMap((turn) => (turn.kind === 'tool_results' ? turn.results : []));
    expect(results.map(({ isError }) => isError)).toEqual([false, false, true, false, true, true]);
    expect(results[2]?.output).toContain('budget of 2 calls of count');
    for (const late of results.slice(4)) expect(late.output).toContain('budget of 4 tool calls');
    expect(tool.runs()).toBe(2);
    expect(events.filter(({ kind }) => kind === 'WARNING')).toHaveLength(3);
    expect(session.state()).toBe('IDLE');
  });
});

describe('progress', () => {
  /** Different calls, so that no pattern of calls repeats. */
  const rounds = (count: number, name = 'same'): Reply[] =>
    Array.from({ length: count }, (_, n) => ({ calls: [call(name, { n })] }));
  const sameTool = { ...countingTool('same'), executor: async () => 'nothing new', readOnly: true };

  it('that is missing for ten rounds is a loop: no file changed and no output that was not seen before', async () => {
    const short = makeSession([...rounds(10), { text: 'ok' }], { tools: [sameTool] });
    await short.session.submit('go');
    const long = makeSession([...rounds(11), { text: 'ok' }], { tools: [sameTool] });
    await long.session.submit('go');
    await settle();
    expect(short.kinds()).not.toContain('LOOP_DETECTION');
    expect(long.kinds().filter((kind) => kind === 'LOOP_DETECTION')).toHaveLength(1);
  });

  it('is seen in a changed file and in new output, but not in how long a command took', async () => {
    const editing = makeSession([...rounds(12, 'edit'), { text: 'ok' }], {
      tools: [{ ...countingTool('edit'), executor: async () => 'changed' }],
    });
    await editing.session.submit('go');
    const reading = makeSession([...rounds(12, 'count'), { text: 'ok' }], { tools: [countingTool()] });
    await reading.session.submit('go');
    const running = makeSession([
      ...Array.from({ length: 11 }, (_, n) => ({ calls: [call('shell', { command: `true ${n}` })] })),
      { text: 'ok' },
    ]);
    await running.session.submit('go');
    await settle();
    expect(editing.kinds()).not.toContain('LOOP_DETECTION');
    expect(reading.kinds()).not.toContain('LOOP_DETECTION');
    expect(running.kinds()).toContain('LOOP_DETECTION');
  });

  it('is not seen in a change that failed, and not asked for over several inputs', async () => {
    const failing = makeSession([...rounds(11, 'edit'), { text: 'ok' }], {
      tools: [{ ...countingTool('edit'), executor: async () => ({ output: 'no such text', isError: true }) }],
    });
    await failing.session.submit('go');
    const inputs = makeSession(Array.from({ length: 4 }, () => [...rounds(6), { text: 'ok' }]).flat(), {
      tools: [sameTool],
    });
    for (const input of ['a', 'b', 'c', 'd']) await inputs.session.submit(input);
    await settle();
    expect(failing.kinds()).toContain('LOOP_DETECTION');
    expect(inputs.kinds()).not.toContain('LOOP_DETECTION');
  });

  it('is not looked for with a window of 0', async () => {
    const { session, kinds } = makeSession([...rounds(12), { text: 'ok' }], {
      tools: [sameTool],
      config: { loopDetectionWindow: 0 },
    });
    await session.submit('go');
    await settle();
    expect(kinds()).not.toContain('LOOP_DETECTION');
  });

  it('P13: the same words ten times are a loop, whatever the calls are', async () => {
    const talk = (times: number, text: string) =>
      Array.from({ length: times }, (_, n) => ({ text, calls: [call('count', { n })] }));
    const warnings = async (replies: ReadonlyArray<Reply>): Promise<number> => {
      const { session, kinds } = makeSession([...replies, { text: 'ok' }], { tools: [countingTool()] });
      await session.submit('go');
      await settle();
      return kinds().filter((kind) => kind === 'LOOP_DETECTION').length;
    };
    expect(await warnings(talk(9, 'Let me try.'))).toBe(0);
    expect(await warnings(talk(10, 'Let me try.'))).toBe(1);
    expect(await warnings(rounds(12, 'count'))).toBe(0);
  });

  it('P13: a loop is told once, also over a restart, and again only when it goes on', async () => {
    const again = { calls: [call('glob', { pattern: '*' })] };
    const world = makeSession([...Array.from({ length: 7 }, () => again), { text: 'ok' }]);
    await world.session.submit('go');
    await world.session.close();
    const client = createScriptedClient([...Array.from({ length: 3 }, () => again), { text: 'ok' }]);
    const resumed = resumeSession({ ...world.options, journal: world.journal, client });
    await resumed.submit('on');
    const told = world.journal.read().map(({ event }) => event.kind);
    const places = told.flatMap((kind, index) => (kind === 'LOOP_DETECTION' ? [index] : []));
    const rounds = places.map((place) => told.slice(0, place).filter((kind) => kind === 'TOOL_CALL_END').length);
    expect(rounds).toEqual([5, 10]);
  });

  it('looks at no more calls than the configured window', async () => {
    const again = Array.from({ length: 6 }, () => ({ calls: [call('glob', { pattern: '*' })] }));
    const narrow = makeSession([...again, { text: 'ok' }], { config: { loopDetectionWindow: 4 } });
    await narrow.session.submit('go');
    await settle();
    expect(narrow.kinds()).not.toContain('LOOP_DETECTION');
  });

  it('P13: a pattern of three calls is a loop after three times, not after two (nine calls or not)', async () => {
    const triple = (times: number) =>
      Array.from({ length: times * 3 }, (_, n) => ({ calls: [call('count', { n: n % 3 })] }));
    const other = Array.from({ length: 3 }, (_, n) => ({ calls: [call('count', { n: 10 + n })] }));
    const twice = makeSession([...other, ...triple(2), { text: 'ok' }], { tools: [countingTool()] });
    await twice.session.submit('go');
    const thrice = makeSession([...triple(3), { text: 'ok' }], { tools: [countingTool()] });
    await thrice.session.submit('go');
    await settle();
    expect(twice.kinds()).not.toContain('LOOP_DETECTION');
    expect(thrice.kinds()).toContain('LOOP_DETECTION');
  });
});

describe('P7: the network goes away', () => {
  it('is waited for, visibly, without using up the tries of the reply', async () => {
    const { session, events, client } = makeSession([
      { text: 'one' },
      down,
      down,
      { text: 'half', error: failure('stream', 'cut', true) },
      down,
      { text: 'two' },
    ]);
    await session.submit('a');
    await session.submit('b');
    await settle();
    expect(session.state()).toBe('IDLE');
    expect(client.requests).toHaveLength(6);
    const told = events.map(({ kind }) => kind).filter((kind) => kind.startsWith('CONNECTION'));
    expect(told).toEqual([
      'CONNECTION_LOST',
      'CONNECTION_LOST',
      'CONNECTION_RESTORED',
      'CONNECTION_LOST',
      'CONNECTION_RESTORED',
    ]);
    expect(events.find(({ kind }) => kind === 'CONNECTION_LOST')).toMatchObject({ message: 'connection refused' });
    expect(session.history().at(-1)).toMatchObject({ content: [{ text: 'two' }] });
  });

  it('ends the session when the patience is over, or at once when it never answered', async () => {
    const impatient = makeSession([{ text: 'one' }, down, { text: 'never' }], { config: { networkPatienceMs: 0 } });
    await impatient.session.submit('a');
    await impatient.session.submit('b');
    expect([impatient.session.state(), impatient.session.error()?.message]).toEqual(['CLOSED', 'connection refused']);
    await settle();
    expect(impatient.kinds()).not.toContain('CONNECTION_RESTORED');
    const wrong = makeSession([down, { text: 'never' }]);
    await wrong.session.submit('a');
    expect([wrong.session.state(), wrong.client.requests.length]).toEqual(['CLOSED', 1]);
  });

  it('waits for an overloaded service as for a lost connection, also before its first answer', async () => {
    const busy = { error: failure('overloaded', '529: try again later', true) };
    const { session, client, kinds } = makeSession([busy, busy, { text: 'one' }]);
    await session.submit('a');
    await settle();
    expect([session.state(), client.requests.length]).toEqual(['IDLE', 3]);
    expect(kinds().filter((kind) => kind.startsWith('CONNECTION'))).toEqual([
      'CONNECTION_LOST',
      'CONNECTION_LOST',
      'CONNECTION_RESTORED',
    ]);
  });

  it('can be aborted while it waits', async () => {
    const { session, kinds } = makeSession([{ text: 'one' }, ...Array.from({ length: 20 }, () => down)]);
    await session.submit('a');
    const done = session.submit('b');
    await until(() => kinds().filter((kind) => kind === 'CONNECTION_LOST').length === 2);
    await session.abort();
    await done;
    expect(session.state()).toBe('CLOSED');
    await wait(0);
  });
});

describe('context tracking', () => {
  it('counts four characters to a token where the provider does not say, in percent', async () => {
    const none = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
    const { session, events } = makeSession([{ text: 'x'.repeat(4000), usage: none }], {
      config: { contextWindowSize: 1000 },
    });
    await session.submit('go');
    await settle();
    const warning = events.find((event) => event.kind === 'CONTEXT_WARNING');
    expect(warning?.usagePercent).toBeGreaterThan(100);
    expect(warning?.usagePercent).toBeLessThan(110);
  });

  it('is off without a window', async () => {
    const { session, kinds } = makeSession([{ text: 'x'.repeat(100_000) }]);
    await session.submit('go');
    await settle();
    expect(kinds()).not.toContain('CONTEXT_WARNING');
  });
});
