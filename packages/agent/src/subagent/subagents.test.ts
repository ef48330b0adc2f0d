import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Request } from '@attractor/llm';
import { describe, expect, it } from 'vitest';
import { createMemoryJournal, type Journal } from '@attractor/journal';

import { createOpenAiProfile } from '../profiles/openai.ts';
import { resumeSession } from '../session/session.ts';
import { isRunning, until } from '@attractor/base/testing';

import { countingTool, makeSession, settle, type WorldOptions } from '../test-support/session-world.ts';
import { call, createScriptedClient, failure, type Reply } from '../testing/scripted-client.ts';
import type { SessionEvent } from '../types/index.ts';

type Talks = Readonly<Record<string, ReadonlyArray<Reply>>>;

/** The first words of a conversation say which one it is; how many replies it holds, which comes next. */
const talk =
  (talks: Talks) =>
  ({ messages }: Request): Reply => {
    const first = JSON.stringify(messages.find(({ role }) => role === 'user')?.content);
    const name = Object.keys(talks).find((one) => first.includes(one)) ?? '';
    const reply = talks[name]?.[messages.filter(({ role }) => role === 'assistant').length];
    return reply ?? { error: failure('configuration', `nothing to say to ${first}`) };
  };

const makeParent = (talks: Talks, more: WorldOptions = {}) => {
  const world = makeSession(talk(talks), more);
  return { ...world, results: () => resultsOf(world.session.history()) };
};

const resultsOf = (turns: ReturnType<ReturnType<typeof makeSession>['session']['history']>) =>
  turns.flatMap((turn) => (turn.kind === 'tool_results' ? turn.results : []));

const spawn = (id: string, instruction: string, more: Record<string, unknown> = {}) =>
  call('spawn_agent', { id, instruction, ...more });

describe('spawn_agent', () => {
  it('starts a child with its own history in the shared environment and returns at once (AC7.1)', async () => {
    const parent = makeParent({
      GO: [{ calls: [spawn('a', 'CHILD: write')] }, { calls: [call('wait', { id: 'a' })] }, { text: 'done' }],
      CHILD: [{ calls: [call('write_file', { file_path: 'made.txt', content: 'by the child' })] }, { text: 'written' }],
    });
    await parent.session.submit('GO');
    expect(readFileSync(path.join(parent.root, 'made.txt'), 'utf8')).toBe('by the child');
    expect(parent.results()[0]).toMatchObject({ isError: false, output: expect.stringContaining('at work') });
    const childRequests = parent.client.requests.filter(
      ({ messages }) => JSON.stringify(messages).includes('CHILD: write') && !JSON.stringify(messages).includes('"GO"'),
    );
    expect(childRequests).toHaveLength(2);
    expect(parent.session.history()).toHaveLength(6);
    expect(parent.session.subagents()).toMatchObject([{ id: 'a', status: 'completed' }]);
    expect(parent.session.usage().totalTokens).toBe(5 * 15);
    await settle();
    const told = parent.kinds().filter((kind) => ['SUBAGENT_START', 'SUBAGENT_END', 'TOOL_CALL_END'].includes(kind));
    expect(told).toEqual(['SUBAGENT_START', 'TOOL_CALL_END', 'SUBAGENT_END', 'TOOL_CALL_END']);
  });

  it('lets children work side by side: each goes on only when the other is there too', async () => {
    const met: string[] = [];
    const meet = {
      ...countingTool('meet'),
      executor: async () => {
        met.push('here');
        await until(() => met.length === 2);
        return 'met';
      },
    };
    const parent = makeParent(
      {
        GO: [
          { calls: [spawn('a', 'CHILD a'), spawn('b', 'CHILD b')] },
          { calls: [call('wait', { id: 'a' }), call('wait', { id: 'b' })] },
          { text: 'done' },
        ],
        CHILD: [{ calls: [call('meet')] }, { text: 'met' }],
      },
      { tools: [meet] },
    );
    await parent.session.submit('GO');
    expect(
      parent
        .results()
        .slice(2)
        .map(({ output }) => JSON.parse(output)),
    ).toEqual([
      { output: 'met', success: true, turnsUsed: 1 },
      { output: 'met', success: true, turnsUsed: 1 },
    ]);
  });

  it('gives the child the profile of the parent, and another model where it is asked for (AC7.2)', async () => {
    const parent = makeParent({
      GO: [
        { calls: [spawn('a', 'CHILD same'), spawn('b', 'CHILD other', { model: 'small' })] },
        { calls: [call('wait', { id: 'a' }), call('wait', { id: 'b' })] },
        { text: 'done' },
      ],
      CHILD: [{ text: 'ok' }],
    });
    await parent.session.submit('GO');
    const of = (text: string) =>
      parent.client.requests.find(({ messages }) => JSON.stringify(messages.at(-1)).includes(text));
    expect([of('CHILD same')?.model, of('CHILD other')?.model]).toEqual(['scripted', 'small']);
    expect(of('CHILD same')?.tools?.map(({ name }) => name)).toEqual(
      parent.options.profile.toolRegistry.definitions().map(({ name }) => name),
    );
    expect(parent.client.requests.at(-1)?.model).toBe('scripted');
  });

  it('gives the child the profile and the model that the parent has by then, where it was changed (AC7.2)', async () => {
    const openai = createOpenAiProfile();
    const parent = makeParent(
      {
        GO: [{ calls: [spawn('a', 'CHILD')] }, { calls: [call('wait', { id: 'a' })] }, { text: 'done' }],
        CHILD: [{ text: 'ok' }],
      },
      { profiles: [openai] },
    );
    parent.session.configure({ profile: openai, model: 'another' });
    await parent.session.submit('GO');
    const child = parent.client.requests.find(({ messages }) => JSON.stringify(messages.at(-1)).includes('CHILD'));
    expect(child?.model).toBe('another');
    expect(child?.tools?.map(({ name }) => name)).toEqual(openai.toolRegistry.definitions().map(({ name }) => name));
  });

  it('is refused at the depth limit with an error result, and the parent can still use its own children (AC7.5)', async () => {
    const parent = makeParent({
      GO: [
        { calls: [spawn('a', 'CHILD')] },
        { calls: [call('wait', { id: 'a' })] },
        { calls: [spawn('b', 'CHILD')] },
        { calls: [call('wait', { id: 'b' })] },
        { text: 'done' },
      ],
      CHILD: [{ calls: [spawn('grandchild', 'GRAND')] }, { text: 'I was refused' }],
    });
    const nested: SessionEvent[] = [];
    await parent.session.submit('GO');
    await settle();
    for (const event of parent.events) if (event.kind === 'SUBAGENT_EVENT') nested.push(event.event);
    expect(nested.filter((event) => event.kind === 'TOOL_CALL_END')).toMatchObject([
      { isError: true, output: expect.stringContaining('1 deep') },
      { isError: true, output: expect.stringContaining('1 deep') },
    ]);
    expect(parent.results().map(({ isError }) => isError)).toEqual([false, false, false, false]);
  });

  it('offers no agents with a depth of 0, and lets children have children with 2', async () => {
    const none = makeParent({ GO: [{ text: 'x' }] }, { config: { maxSubagentDepth: 0 } });
    await none.session.submit('GO');
    expect(none.client.requests[0]?.tools?.map(({ name }) => name)).not.toContain('spawn_agent');
    const deep = makeParent(
      {
        GO: [{ calls: [spawn('a', 'CHILD')] }, { calls: [call('wait', { id: 'a' })] }, { text: 'done' }],
        CHILD: [{ calls: [spawn('b', 'GRAND')] }, { calls: [call('wait', { id: 'b' })] }, { text: 'passed on' }],
        GRAND: [{ text: 'from far below' }],
      },
      { config: { maxSubagentDepth: 2 } },
    );
    await deep.session.submit('GO');
    await settle();
    const twice = deep.events.flatMap((event) =>
      event.kind === 'SUBAGENT_EVENT' && event.event.kind === 'SUBAGENT_EVENT' ? [event.event.event.kind] : [],
    );
    expect(twice).toContain('ASSISTANT_MESSAGE');
    expect(deep.results()[1]?.output).toContain('passed on');
  });

  it('is refused when as many as allowed are at work, and for a name that is taken', async () => {
    const parent = makeParent(
      {
        GO: [{ calls: [spawn('a', 'SLOW'), spawn('b', 'SLOW'), spawn('a', 'SLOW')] }, { text: 'done' }],
        SLOW: [{ text: 'x', hangs: true }],
      },
      { config: { maxConcurrentSubagents: 1 } },
    );
    await parent.session.submit('GO');
    expect(parent.results()).toMatchObject([
      { isError: false },
      { isError: true, output: expect.stringContaining('wait for one of a') },
      { isError: true, output: expect.stringContaining('agent a already') },
    ]);
    await parent.session.abort();
  });

  it('is refused for the fifth at once where nothing else is said', async () => {
    const parent = makeParent({
      GO: [{ calls: ['a', 'b', 'c', 'd', 'e'].map((id) => spawn(id, 'SLOW')) }, { text: 'done' }],
      SLOW: [{ text: 'x', hangs: true }],
    });
    await parent.session.submit('GO');
    expect(parent.results().map(({ isError }) => isError)).toEqual([false, false, false, false, true]);
    await parent.session.abort();
  });

  it('asks for each change of a child as for its own', async () => {
    const asked: string[] = [];
    const parent = makeParent(
      {
        GO: [{ calls: [spawn('a', 'CHILD')] }, { calls: [call('wait', { id: 'a' })] }, { text: 'done' }],
        CHILD: [{ calls: [call('shell', { command: 'touch x' })] }, { text: 'denied, then' }],
      },
      {
        approve: async ({ toolName }) => {
          asked.push(toolName);
          return { decision: 'reject', message: 'no' };
        },
      },
    );
    await parent.session.submit('GO');
    expect(asked).toEqual(['shell']);
    expect(existsSync(path.join(parent.root, 'x'))).toBe(false);
  });
});

describe('send_input and wait', () => {
  it('queues input to a running child and waits for all of it (AC7.3)', async () => {
    const gate = Promise.withResolvers<string>();
    const parent = makeParent(
      {
        GO: [
          { calls: [spawn('a', 'CHILD')] },
          { calls: [call('send_input', { id: 'a', message: 'and more' })] },
          { calls: [call('open_gate')] },
          { calls: [call('wait', { id: 'a' })] },
          { text: 'done' },
        ],
        CHILD: [{ calls: [call('at_gate')] }, { text: 'first' }, { text: 'second' }],
      },
      {
        tools: [
          { ...countingTool('at_gate'), executor: () => gate.promise },
          {
            ...countingTool('open_gate'),
            executor: async () => {
              gate.resolve('open');
              return 'opened';
            },
          },
        ],
      },
    );
    await parent.session.submit('GO');
    expect(JSON.parse(parent.results().at(-1)?.output ?? '')).toEqual({
      output: 'second',
      success: true,
      turnsUsed: 1,
    });
    expect(JSON.stringify(parent.client.requests.at(-2)?.messages)).toContain('and more');
  });

  it('tells the parent output, success and the rounds it used; a limit or a failure is no success, a loop warning is (AC7.6)', async () => {
    const again = { text: 'looking', calls: [call('glob', { pattern: '*' })] };
    const parent = makeParent({
      GO: [
        {
          calls: [spawn('limited', 'LIMITED', { max_turns: 2 }), spawn('failed', 'FAILED'), spawn('looped', 'LOOPED')],
        },
        { calls: [call('wait', { id: 'limited' }), call('wait', { id: 'failed' }), call('wait', { id: 'looped' })] },
        { text: 'done' },
      ],
      LIMITED: [again, again, again],
      FAILED: [{ error: failure('authentication', 'bad key') }],
      LOOPED: [again, again, again, again, again, { text: 'out of it' }],
    });
    await parent.session.submit('GO');
    expect(
      parent
        .results()
        .slice(3)
        .map(({ output }) => JSON.parse(output)),
    ).toEqual([
      { output: 'looking', success: false, turnsUsed: 2 },
      { output: 'Failed: bad key', success: false, turnsUsed: 0 },
      { output: 'out of it', success: true, turnsUsed: 5 },
    ]);
    expect(parent.session.subagents().map(({ status }) => status)).toEqual(['completed', 'error', 'completed']);
    expect(parent.session.state()).toBe('IDLE');
  });

  it('are errors for an agent that nobody knows, and for input to one that is done', async () => {
    const parent = makeParent({
      GO: [
        {
          calls: [
            call('wait', { id: 'x' }),
            call('send_input', { id: 'x', message: 'm' }),
            call('close_agent', { id: 'x' }),
          ],
        },
        { calls: [spawn('a', 'CHILD')] },
        {
          calls: [call('wait', { id: 'a' }), call('send_input', { id: 'a', message: 'm' }), call('wait', { id: 'a' })],
        },
        { calls: [spawn('a', 'CHILD')] },
        { text: 'done' },
      ],
      CHILD: [{ text: 'ok' }],
    });
    await parent.session.submit('GO');
    expect(parent.results().map(({ isError }) => isError)).toEqual([true, true, true, false, false, true, false, true]);
    expect(parent.results()[6]).toMatchObject({ output: parent.results()[4]?.output });
    expect(parent.results()[7]).toMatchObject({ output: expect.stringContaining('agent a already') });
  });
});

describe('the end of children', () => {
  it('close_agent stops the child and its commands (AC7.4)', async () => {
    const parent = makeParent(
      {
        GO: [
          { calls: [spawn('a', 'CHILD')] },
          { calls: [call('until_pid')] },
          { calls: [call('close_agent', { id: 'a' })] },
          { calls: [call('wait', { id: 'a' })] },
          { text: 'done' },
        ],
        CHILD: [{ calls: [call('shell', { command: 'echo $$ > pid; sleep 60' })] }],
      },
      {
        tools: [
          {
            ...countingTool('until_pid'),
            executor: async (_args, env) => {
              await until(() => existsSync(path.join(env.workingDirectory(), 'pid')));
              return 'there';
            },
          },
        ],
      },
    );
    await parent.session.submit('GO');
    await settle();
    expect(isRunning(Number(readFileSync(path.join(parent.root, 'pid'), 'utf8')))).toBe(false);
    expect(parent.session.subagents()).toMatchObject([{ id: 'a', status: 'aborted', result: { success: false } }]);
    expect(parent.results().at(-1)).toMatchObject({
      isError: false,
      output: expect.stringContaining('"success":false'),
    });
    const nested = parent.events.flatMap((event) => (event.kind === 'SUBAGENT_EVENT' ? [event.event.kind] : []));
    expect(nested.at(-1)).toBe('SESSION_END');
  });

  it('abort() cascades: children end first, SESSION_END is the last event (X34)', async () => {
    const parent = makeParent({
      GO: [{ calls: [spawn('a', 'SLOW'), spawn('b', 'SLOW')] }, { calls: [call('wait', { id: 'a' })] }],
      SLOW: [{ text: 'x', hangs: true }],
    });
    const done = parent.session.submit('GO');
    await until(() => parent.kinds().filter((kind) => kind === 'TOOL_CALL_START').length === 3);
    await Promise.all([parent.session.abort(), parent.session.abort()]);
    await done;
    await settle();
    expect(parent.session.subagents().map(({ status }) => status)).toEqual(['aborted', 'aborted']);
    const kinds = parent.kinds();
    expect(kinds.lastIndexOf('SUBAGENT_END')).toBeLessThan(kinds.indexOf('SESSION_END'));
    expect(kinds.lastIndexOf('SUBAGENT_EVENT')).toBeLessThan(kinds.indexOf('SESSION_END'));
    expect(kinds.at(-1)).toBe('SESSION_END');
  });

  it('comes before that of a parent that fails: SESSION_END is the last event then too (X34)', async () => {
    const parent = makeParent({
      GO: [{ calls: [spawn('a', 'SLOW')] }, { error: failure('authentication', 'bad key') }],
      SLOW: [{ text: 'x', hangs: true }],
    });
    await parent.session.submit('GO');
    await settle();
    const nested = parent.events.flatMap((event) => (event.kind === 'SUBAGENT_EVENT' ? [event.event.kind] : []));
    expect(nested.at(-1)).toBe('SESSION_END');
    expect(parent.events.at(-1)).toMatchObject({ kind: 'SESSION_END', reason: 'error' });
    expect(parent.kinds().filter((kind) => kind === 'SESSION_END')).toHaveLength(1);
  });

  it('shows what children do as SUBAGENT_EVENT, in order, and stores it only in their own journals', async () => {
    const journals = new Map<string, Journal>();
    const parent = makeParent(
      {
        GO: [{ calls: [spawn('a', 'CHILD')] }, { calls: [call('wait', { id: 'a' })] }, { text: 'done' }],
        CHILD: [{ text: 'hello from below' }],
      },
      { journalFor: (id) => journals.set(id, createMemoryJournal()).get(id) ?? createMemoryJournal() },
    );
    await parent.session.submit('GO');
    await settle();
    const nested = parent.events.flatMap((event) =>
      event.kind === 'SUBAGENT_EVENT' && event.subagentId === 'a' ? [event.event.kind] : [],
    );
    expect(nested.filter((kind) => !kind.includes('DELTA'))).toEqual([
      'SESSION_START',
      'SYSTEM_PROMPT',
      'USER_INPUT',
      'ASSISTANT_TEXT_START',
      'ASSISTANT_TEXT_END',
      'ASSISTANT_MESSAGE',
      'USAGE',
      'PROCESSING_END',
      'SESSION_END',
    ]);
    const [child] = parent.session.subagents();
    expect(
      journals
        .get(child?.childSessionId ?? '')
        ?.read()
        .map(({ event }) => event.kind),
    ).toContain('ASSISTANT_MESSAGE');
    expect(JSON.stringify(parent.journal.read())).not.toContain('SUBAGENT_EVENT');
  });
});

describe('a parent that is resumed', () => {
  const interrupted = async (more: WorldOptions = {}) => {
    const parent = makeParent(
      {
        GO: [{ calls: [spawn('a', 'CHILD')] }, { calls: [call('wait', { id: 'a' })] }],
        CHILD: [{ calls: [call('write_file', { file_path: 'one', content: '1' })] }, { text: 'x', hangs: true }],
      },
      more,
    );
    const done = parent.session.submit('GO');
    await until(
      () =>
        existsSync(path.join(parent.root, 'one')) &&
        parent.kinds().filter((kind) => kind === 'TOOL_CALL_START').length === 2,
    );
    await parent.session.close();
    await done;
    return parent;
  };

  it('is told whose work was cut off; wait says so, and without journals input is refused', async () => {
    const parent = await interrupted();
    const client = createScriptedClient([
      { calls: [call('wait', { id: 'a' }, 'w'), call('send_input', { id: 'a', message: 'go on' }, 's')] },
      { text: 'I see' },
    ]);
    const session = resumeSession({ ...parent.options, journal: parent.journal, client });
    expect(session.subagents()).toMatchObject([{ id: 'a', status: 'interrupted' }]);
    await session.resume();
    expect(session.history().find(({ kind }) => kind === 'steering')).toMatchObject({
      content: expect.stringContaining('interrupted: a'),
    });
    const results = resultsOf(session.history()).slice(-2);
    expect(results[0]).toMatchObject({ isError: false, output: expect.stringContaining('interrupted') });
    expect(results[1]).toMatchObject({ isError: true, output: expect.stringContaining('gone') });
  });

  it('lets an interrupted child go on from its own journal, running nothing twice', async () => {
    const stored = new Map<string, Journal>();
    const journalFor = (id: string): Journal => {
      const journal = stored.get(id) ?? createMemoryJournal();
      stored.set(id, journal);
      return journal;
    };
    const parent = await interrupted({ journalFor });
    const client = createScriptedClient(
      talk({
        GO: [
          ...Array.from({ length: 2 }, () => ({ text: 'before' })),
          { calls: [call('send_input', { id: 'a', message: 'go on' })] },
          { calls: [call('wait', { id: 'a' })] },
          { text: 'all done' },
        ],
        CHILD: [{ text: 'before' }, { text: 'finished' }, { text: 'and went on' }],
      }),
    );
    const session = resumeSession({ ...parent.options, journal: parent.journal, client });
    await session.resume();
    expect(resultsOf(session.history()).at(-1)).toMatchObject({
      output: '{"output":"and went on","success":true,"turnsUsed":1}',
    });
    expect(session.subagents()).toMatchObject([{ id: 'a', status: 'completed' }]);
    const [child] = stored.values();
    expect(child?.read().filter(({ event }) => event.kind === 'TOOL_CALL_START')).toHaveLength(1);
  });
});
