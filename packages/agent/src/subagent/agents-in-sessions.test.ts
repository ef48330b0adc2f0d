import type { Request } from '@attractor/llm';
import { describe, expect, it } from 'vitest';
import { createMemoryJournal, type Journal } from '@attractor/journal';

import { createPolicy } from '@attractor/policy';
import { createProfile } from '../profiles/choose.ts';
import { deliveredEvent } from '../session/replay.ts';
import { resumeSession } from '../session/session.ts';
import { countingTool, makeSession } from '../test-support/session-world.ts';
import { until } from '@attractor/base/testing';
import type { ToolExecutor } from '../types/index.ts';
import { call, createScriptedClient, type Reply } from '../testing/scripted-client.ts';
import type { AgentDefinition } from '@attractor/settings';
import { BUILT_IN_AGENTS } from './built-in-agents.ts';
import { childMeans } from './child.ts';

type Talks = Readonly<Record<string, ReadonlyArray<Reply>>>;

/** The first words of a conversation say which one it is. */
const talk =
  (talks: Talks) =>
  ({ messages }: Request): Reply => {
    const first = JSON.stringify(messages.find(({ role }) => role === 'user')?.content);
    const name = Object.keys(talks).find((one) => first.includes(one)) ?? '';
    const reply = talks[name]?.[messages.filter(({ role }) => role === 'assistant').length];
    if (reply === undefined) throw new Error(`nothing to say to ${first}`);
    return reply;
  };

const task = (name: string, kind: string, prompt: string) =>
  call(name, { description: 'a part', prompt, subagent_type: kind }, `${kind}-call`);

const BESIDE = { description: 'a part', prompt: 'CHILD: two', subagent_type: 'explore', run_in_background: true };

const toolsOf = (request: Request | undefined) => (request?.tools ?? []).map(({ name }) => name);
const requestOf = (requests: ReadonlyArray<Request>, words: string) =>
  requests.find(({ messages }) =>
    JSON.stringify(messages.find(({ role }) => role === 'user')?.content).includes(words),
  );
const outputsOf = (session: ReturnType<typeof makeSession>['session']) =>
  session
    .history()
    .flatMap((turn) => (turn.kind === 'tool_results' ? turn.results : []))
    .map(({ output }) => output);

describe('a session that has kinds of agents', () => {
  it.each([
    ['anthropic', 'Task'],
    ['openai', 'task'],
    ['gemini', 'task'],
  ] as const)('offers them to %s models as %s, and to none without', async (id, name) => {
    const talks = {
      GO: [{ calls: [task(name, 'explore', 'CHILD: look')] }, { text: 'end' }],
      CHILD: [{ text: 'seen' }],
    };
    const world = makeSession(talk(talks), { profile: createProfile(id), agents: BUILT_IN_AGENTS });
    await world.session.submit('GO');
    expect(outputsOf(world.session)).toEqual(['seen']);
    expect(toolsOf(world.client.requests[0])).toContain(name);
    expect(world.session.subagents()).toMatchObject([{ agent: 'explore', status: 'completed' }]);
    const bare = makeSession([{ text: 'end' }], { profile: createProfile(id) });
    await bare.session.submit('GO');
    expect(toolsOf(bare.client.requests[0])).not.toContain(name);
  });

  it('goes on without an agent that is to work beside it, and hears its report before it is done', async () => {
    const talks = {
      GO: [
        { calls: [task('Task', 'slow', 'CHILD: one'), call('Task', BESIDE, 'two-call')] },
        { text: 'meanwhile' },
        { text: 'heard' },
        { text: 'end' },
      ],
      CHILD: [{ text: 'report of a child' }],
    };
    const slow = { name: 'slow', description: 'x', prompt: 'x', background: true };
    const world = makeSession(talk(talks), { profile: createProfile('anthropic'), agents: [...BUILT_IN_AGENTS, slow] });
    await world.session.submit('GO');
    expect(outputsOf(world.session)).toEqual([
      expect.stringContaining('at work as slow-call'),
      expect.stringContaining('at work as two-call'),
    ]);
    const heard = world.session.history().flatMap((turn) => (turn.kind === 'steering' ? [turn.content] : []));
    expect(heard.toSorted()).toEqual(
      ['slow-call', 'two-call'].map((id) => `<agent-report id="${id}">\nreport of a child\n</agent-report>`),
    );
    expect(world.session.history().at(-1)).toMatchObject({ content: [{ text: 'end' }] });
  });

  it('gives a child the words and the tools of its kind, those of other programs included, and no agents of its own', async () => {
    const foreign = [countingTool('mcp__a__look'), countingTool('mcp__a__write')];
    const kind: AgentDefinition = {
      name: 'mine',
      description: 'x',
      prompt: 'YOU ARE MINE.',
      tools: ['Read', 'mcp__a__look'],
    };
    const world = makeSession(
      talk({
        GO: [{ calls: [task('Task', 'mine', 'CHILD: try')] }, { text: 'end' }],
        CHILD: [
          {
            calls: [call('write_file', { file_path: 'x', content: 'x' }), call('mcp__a__write'), call('mcp__a__look')],
          },
          { calls: [task('Task', 'mine', 'CHILD: again')] },
          { text: 'tried' },
        ],
      }),
      { agents: [...BUILT_IN_AGENTS, kind], toolSources: [{ list: () => foreign }], config: { maxSubagentDepth: 5 } },
    );
    await world.session.submit('GO');
    const child = requestOf(world.client.requests, 'CHILD: try');
    expect(toolsOf(child).toSorted()).toEqual(['mcp__a__look', 'read_file']);
    expect(JSON.stringify(child?.messages)).toContain('YOU ARE MINE.');
    expect(foreign.map((tool) => tool.runs())).toEqual([1, 0]);
    expect(requestOf(world.client.requests, 'CHILD: again')).toBeUndefined();
  });

  it.each([
    ['its mode', { permissionMode: 'plan' }, ['Denied', 'Denied']],
    ['its rules', { disallowedTools: ['Edit(secret.txt)'] }, ['Denied', 'ran']],
    ['neither, where it has none', {}, ['ran', 'ran']],
  ] as const)('T10: holds a child shorter than its parent by %s', async (_what, limits, expected) => {
    const kind: AgentDefinition = { name: 'held', description: 'x', prompt: 'x', ...limits };
    const writes = ['secret.txt', 'open.txt'].map((file, index) =>
      call('write_file', { file_path: file, content: 'x' }, `w${index}`),
    );
    const talks = {
      GO: [{ calls: [task('Task', 'held', 'CHILD: write')] }, { text: 'end' }],
      CHILD: [{ calls: writes }, { text: 'tried' }],
    };
    const tool = { ...countingTool('write_file'), readOnly: false };
    const policy = createPolicy({ rules: [], mode: 'acceptEdits', root: '/', home: '/', sandboxed: true });
    const world = makeSession(talk(talks), { agents: [kind], policy, tools: [tool] });
    await world.session.submit('GO');
    const answer = requestOf(world.client.requests.toReversed(), 'CHILD: write');
    const results = answer?.messages.flatMap(({ content }) =>
      content.flatMap((part) => (part.kind === 'TOOL_RESULT' ? [JSON.stringify(part)] : [])),
    );
    expect(results?.map((text) => (text.includes('Denied') ? 'Denied' : 'ran'))).toEqual(expected);
    expect(tool.runs()).toBe(expected.filter((word) => word === 'ran').length);
  });

  it('T10: denies a child what its kind was not given, even a tool that it would find among its own', async () => {
    const kind: AgentDefinition = { name: 'held', description: 'x', prompt: 'x', tools: ['Read'] };
    const { options } = makeSession([], { agents: [kind] });
    const parent = { options, profile: createProfile('anthropic'), config: options.config };
    const { rights } = childMeans(parent, { id: 'a', instruction: 'x', agent: 'held' });
    const policy = createPolicy({ rules: [], mode: 'acceptEdits', root: '/', home: '/', sandboxed: true });
    const judged = ['read_file', 'write_file'].map((toolName) =>
      policy.subsetFor(rights).judge({ toolName, args: { file_path: '/a', content: 'x' } }),
    );
    expect((await Promise.all(judged)).map(({ decision }) => decision)).toEqual(['allow', 'deny']);
    expect((await policy.judge({ toolName: 'write_file', args: { file_path: '/a' } })).decision).toBe('allow');
  });

  it('starts no child whose limits can not be read', async () => {
    const kind: AgentDefinition = { name: 'held', description: 'x', prompt: 'x', disallowedTools: ['Bash('] };
    const talks = { GO: [{ calls: [task('Task', 'held', 'CHILD: go')] }, { text: 'end' }] };
    const world = makeSession(talk(talks), { agents: [kind] });
    await world.session.submit('GO');
    expect(requestOf(world.client.requests, 'CHILD: go')).toBeUndefined();
    expect(outputsOf(world.session)).toEqual([expect.stringContaining('Bash(')]);
  });

  it('lets agents start agents only as deep as the settings say', async () => {
    const free: AgentDefinition = { name: 'free', description: 'x', prompt: 'x' };
    const talks = {
      GO: [{ calls: [task('Task', 'free', 'CHILD: one')] }, { text: 'end' }],
      'CHILD: one': [{ calls: [task('Task', 'free', 'CHILD: two')] }, { text: 'end' }],
      'CHILD: two': [{ text: 'deep' }],
    };
    const flat = makeSession(talk(talks), { agents: [free] });
    await flat.session.submit('GO');
    expect(toolsOf(requestOf(flat.client.requests, 'CHILD: one'))).not.toContain('Task');
    expect(requestOf(flat.client.requests, 'CHILD: two')).toBeUndefined();
    const deep = makeSession(talk(talks), { agents: [free], config: { maxSubagentDepth: 2 } });
    await deep.session.submit('GO');
    expect(requestOf(deep.client.requests, 'CHILD: two')).toBeDefined();
  });

  it('keeps a child to its kind when another process goes on with it, and refuses where the kind is not known any more', async () => {
    const journals = new Map<string, Journal>();
    const journalFor = (id: string) => {
      const journal = journals.get(id) ?? createMemoryJournal();
      journals.set(id, journal);
      return journal;
    };
    const untilStopped: ToolExecutor = (_args, _env, context) =>
      new Promise((resolve) => context?.signal?.addEventListener('abort', () => resolve('stopped')));
    const hang = { ...countingTool('grep'), executor: untilStopped, readOnly: true };
    const talks: Talks = {
      GO: [
        { calls: [task('Task', 'explore', 'CHILD: look')] },
        {
          calls: [call('send_input', { id: 'explore-call', message: 'go on' }), call('wait', { id: 'explore-call' })],
        },
        { text: 'end' },
      ],
      CHILD: [
        { calls: [call('grep', { n: 1 })] },
        { calls: [call('write_file', { file_path: 'x', content: '' })] },
        { text: 'ok' },
        { text: 'ok' },
      ],
    };
    const journal = createMemoryJournal();
    const policy = createPolicy({ rules: [], mode: 'acceptEdits', root: '/', home: '/', sandboxed: true });
    const world = makeSession(talk(talks), { agents: BUILT_IN_AGENTS, journalFor, journal, tools: [hang], policy });
    void world.session.submit('GO');
    await until(() =>
      world.events.some((event) => event.kind === 'SUBAGENT_EVENT' && event.event.kind === 'TOOL_CALL_START'),
    );
    const copy = (from: Journal) => {
      const made = createMemoryJournal();
      for (const stored of from.read()) {
        const event = deliveredEvent(stored, world.session.id);
        if (event !== null) made.append(event);
      }
      return made;
    };
    const copies = new Map([...journals].map(([id, one]) => [id, copy(one)]));
    const rest = {
      ...world.options,
      profile: createProfile('anthropic'),
      journalFor: (id: string) => copies.get(id) ?? createMemoryJournal(),
    };
    const client = createScriptedClient(talk(talks));
    const resumed = resumeSession({ ...rest, client, journal: copy(journal) });
    await resumed.resume();
    const child = requestOf(client.requests, 'CHILD: look');
    expect(toolsOf(child)).toContain('read_file');
    expect(toolsOf(child)).not.toContain('write_file');
    expect(resumed.subagents()).toMatchObject([{ agent: 'explore', status: 'completed' }]);

    const lost = createScriptedClient(talk(talks));
    const { agents: _gone, ...without } = rest;
    const strange = resumeSession({ ...without, client: lost, journal: copy(journal) });
    await strange.resume();
    expect(requestOf(lost.requests, 'CHILD: look')).toBeUndefined();
    expect(JSON.stringify(outputsOf(strange))).toContain('there is no agent explore here any more');
    await world.session.abort();
  });
});
