import { describe, expect, it } from 'vitest';
import { createMemoryJournal } from '@attractor/journal';
import { call, failure, type Reply } from '../testing/scripted-client.ts';
import { makeSession, settle } from '../test-support/session-world.ts';
import type { DeliveredEvent, EventKind } from '../types/index.ts';

const THIRTEEN: ReadonlyArray<EventKind> = [
  'SESSION_START',
  'SESSION_END',
  'ASSISTANT_TEXT_START',
  'ASSISTANT_TEXT_DELTA',
  'ASSISTANT_TEXT_END',
  'TOOL_CALL_START',
  'TOOL_CALL_END',
  'THINKING_DELTA',
  'TURN_LIMIT',
  'LOOP_DETECTION',
  'CONTEXT_WARNING',
  'ERROR',
  'SUBAGENT_EVENT',
];

describe('the events of a session', () => {
  it('are of all thirteen kinds, each at its time (AC10.1)', async () => {
    const glob = { text: 'again', thinking: 'hm', calls: [call('glob', { pattern: '*' })] };
    const usage = { inputTokens: 900, outputTokens: 1, totalTokens: 901 };
    const parent: ReadonlyArray<Reply> = [
      { calls: [call('spawn_agent', { id: 'a', instruction: 'CHILD' })], usage },
      ...Array.from({ length: 6 }, () => glob),
      { error: failure('authentication', 'bad key') },
    ];
    const { session, events } = makeSession(
      ({ messages }) =>
        JSON.stringify(messages[1]).includes('CHILD')
          ? { text: 'done' }
          : (parent[messages.filter(({ role }) => role === 'assistant').length] ?? {}),
      { config: { contextWindowSize: 1000, maxToolRoundsPerInput: 7 } },
    );
    await session.submit('go');
    await session.submit('on');
    await settle();
    const kinds = events.map(({ kind }) => kind);
    expect(THIRTEEN.filter((kind) => !kinds.includes(kind))).toEqual([]);
    const order = (before: EventKind, after: EventKind): boolean => kinds.indexOf(before) < kinds.indexOf(after);
    expect([
      order('SESSION_START', 'ASSISTANT_TEXT_START'),
      order('ASSISTANT_TEXT_START', 'ASSISTANT_TEXT_END'),
      order('ASSISTANT_TEXT_END', 'TOOL_CALL_START'),
      order('TOOL_CALL_START', 'TOOL_CALL_END'),
    ]).toEqual([true, true, true, true]);
    expect(kinds.slice(-2)).toEqual(['ERROR', 'SESSION_END']);
    expect(events.every(({ at, sessionId }) => !Number.isNaN(Date.parse(at)) && sessionId === session.id)).toBe(true);
  });

  it('say with what arguments a tool was started, and carry its whole output at the end', async () => {
    const { session, events } = makeSession([
      { calls: [call('shell', { command: 'seq 1 2000' }, 'c')] },
      { text: 'ok' },
    ]);
    await session.submit('go');
    await settle();
    expect(events).toContainEqual(
      expect.objectContaining({
        kind: 'TOOL_CALL_START',
        toolCallId: 'c',
        toolName: 'shell',
        args: { command: 'seq 1 2000' },
      }),
    );
    expect(events.find((event) => event.kind === 'TOOL_CALL_END')?.output).toContain('\n1000\n');
  });

  it('wait for their first reader, and reach every later one from then on (AC10.2)', async () => {
    const { session, options } = makeSession([{ text: 'one' }, { text: 'two' }]);
    await session.submit('a');
    const late: DeliveredEvent[] = [];
    const reading = (async () => {
      for await (const event of session.events()) late.push(event);
    })();
    await session.submit('b');
    await session.close();
    await reading;
    expect([late[0]?.kind, late.at(-1)?.kind]).toEqual(['USER_INPUT', 'SESSION_END']);
    expect(options.config.model).toBe('scripted');
  });

  it('make the reader throw when the session could not record its end (AC10.2)', async () => {
    const journal = createMemoryJournal();
    let isFull = false;
    const append = (event: DeliveredEvent): void => {
      if (isFull) throw new Error('no space left');
      journal.append(event);
    };
    const world = makeSession([{ text: 'one' }], { journal: { ...journal, append } });
    const reading = Array.fromAsync(world.session.events());
    isFull = true;
    await world.session.submit('a');
    expect([world.session.state(), world.session.error()?.message]).toEqual(['CLOSED', 'no space left']);
    await expect(reading).rejects.toThrow('no space left');
    expect(world.kinds()).toEqual(['SESSION_START']);
  });
});
