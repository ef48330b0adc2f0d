import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { createAnthropicProfile } from '../profiles/anthropic.ts';
import { createSession, resumeSession } from './session.ts';
import { eventsOf, type MadeConversation } from '@attractor/journal/testing';
import { makeFolder } from '@attractor/base/testing';
import { call, createScriptedClient, type Reply } from '../testing/scripted-client.ts';
import { type HeldSession, openSessions, type Sessions, type SessionsResult } from '@attractor/journal';

const value = <Value>(result: SessionsResult<Value>): Value => {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
};

const TALK: MadeConversation = [
  { text: 'first\n input', rounds: [[300, 17_000]] },
  { text: 'second', rounds: [], steering: 'gently' },
];

const store = (sessions: Sessions, cwd = '/work', talk = TALK): string => {
  const { id, journal } = value(sessions.create({ cwd, provider: 'anthropic' }));
  for (const event of eventsOf(id, talk)) journal.append(event);
  journal.close();
  return id;
};

describe('the sessions of a home', () => {
  it('are none where there is nothing, and nothing is made by looking', () => {
    const home = path.join(makeFolder(), 'not', 'there');
    const sessions = openSessions({ home });
    expect(sessions.list()).toEqual([]);
    expect(sessions.latest('/work')).toBeNull();
    expect([...sessions.search('x')]).toEqual([]);
    for (const result of [sessions.open('ses_x'), sessions.find(''), sessions.fork('../..'), sessions.delete('ses_x')])
      expect(result).toMatchObject({ ok: false, error: { code: 'not_found' } });
    expect(() => statSync(home)).toThrow('ENOENT');
  });

  it('are listed newest first with what a person wants to know', () => {
    const sessions = openSessions({ home: makeFolder() });
    const first = store(sessions);
    const second = store(sessions, '/else', []);
    expect(sessions.list().map(({ id }) => id)).toEqual([second, first]);
    expect(value(sessions.find(first))).toMatchObject({
      title: 'first input',
      cwd: '/work',
      provider: 'anthropic',
      model: 'claude-sonnet-4-5',
      turns: 7,
      usage: { inputTokens: 300, outputTokens: 30 },
      cost: expect.closeTo(0.00135, 8),
      writer: null,
      forkedFrom: null,
    });
    expect(sessions.latest('/work')?.id).toBe(first);
    expect(sessions.list({ cwd: '/else' }).map(({ id }) => id)).toEqual([second]);
    expect(sessions.list({ limit: 1 })).toHaveLength(1);
    expect(value(sessions.find(first.slice(0, -2))).id).toBe(first);
    expect(sessions.find('ses_')).toEqual({
      ok: false,
      error: {
        code: 'invalid',
        message: expect.stringMatching(/^2 sessions have "ses_" in their id: ses_\w+, ses_\w+. Give more of the id.$/),
        retryable: false,
      },
    });
  });

  it('keep their summaries in a cache that is made anew when it is missing, damaged or behind', () => {
    const home = makeFolder();
    const sessions = openSessions({ home });
    const id = store(sessions);
    const truth = value(sessions.find(id));
    const cache = path.join(truth.folder, 'meta.json');
    expect(statSync(cache).mode & 0o777).toBe(0o600);
    for (const spoil of [() => rmSync(cache), () => writeFileSync(cache, '{'), () => writeFileSync(cache, '{"v":9}')]) {
      spoil();
      expect(value(sessions.find(id))).toEqual(truth);
    }
    const held = value(sessions.open(id));
    held.journal.append({
      kind: 'USER_INPUT',
      content: 'more',
      seq: 99,
      at: '2030-01-01T00:00:00.000Z',
      sessionId: id,
    });
    expect(value(sessions.find(id))).toMatchObject({
      turns: 8,
      updatedAt: '2030-01-01T00:00:00.000Z',
      writer: process.pid,
    });
    held.journal.close();
  });

  it('are listed without a look into their journals once they were closed', () => {
    const home = makeFolder();
    const sessions = openSessions({ home });
    const id = store(sessions);
    const folder = path.join(home, 'sessions', id);
    const journal = path.join(folder, 'journal.jsonl');
    writeFileSync(journal, Buffer.alloc(statSync(journal).size, 120));
    expect(sessions.list()).toMatchObject([{ id, title: 'first input', turns: 7, usage: { inputTokens: 300 } }]);
    expect(readdirSync(folder).toSorted()).toEqual(['blobs', 'journal.jsonl', 'meta.json']);
  });

  it('are written by one process: a second is refused and may follow', async () => {
    const sessions = openSessions({ home: makeFolder() });
    const { id, journal } = value(sessions.create({ cwd: '/work', sessionId: 'my-own-id' }));
    for (const result of [sessions.open(id), sessions.rewind(id, { turn: 0 }), sessions.delete(id)])
      expect(result).toMatchObject({ ok: false, error: { code: 'locked', retryable: true } });
    expect(sessions.create({ cwd: '/work', sessionId: 'my-own-id' })).toMatchObject({
      ok: false,
      error: { code: 'locked' },
    });
    expect(sessions.create({ cwd: '/work', sessionId: '../evil' })).toMatchObject({
      ok: false,
      error: { code: 'invalid' },
    });
    const seen: number[] = [];
    const viewer = (async () => {
      for await (const { seq } of sessions.follow(id)) seen.push(seq);
    })();
    for (const event of eventsOf(id, TALK)) {
      journal.append(event);
      await new Promise((resolve) => setImmediate(resolve));
    }
    journal.append({ kind: 'SESSION_END', sessionId: id, seq: 50, at: '' });
    journal.close();
    await viewer;
    expect(seen).toEqual([...eventsOf(id, TALK).map(({ seq }) => seq), 50]);
    expect(sessions.create({ cwd: '/work', sessionId: 'my-own-id' })).toMatchObject({
      ok: false,
      error: { code: 'conflict' },
    });
  });

  it('are followed until the viewer has seen enough', async () => {
    const sessions = openSessions({ home: makeFolder() });
    const held = value(sessions.create({ cwd: '/work' }));
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 20);
    for await (const _ of sessions.follow(held.id, { signal: controller.signal }));
    held.journal.close();
    expect(controller.signal.aborted).toBe(true);
  });

  it('are searched in all that was said, called and answered, the newest first', () => {
    const sessions = openSessions({ home: makeFolder() });
    const first = store(sessions);
    const second = store(sessions, '/else', [{ text: 'SECOND thoughts .*', rounds: [] }]);
    const found = (text: string) =>
      [...sessions.search(text)].map(({ session, turn, kind }) => [session.id, turn, kind]);
    expect(found('second')).toEqual([
      [second, 1, 'user'],
      [first, 5, 'user'],
    ]);
    expect(found('17000 é')).toEqual([[first, 3, 'tool_results']]);
    expect(found('call_2')).toEqual([[first, 2, 'assistant']]);
    expect(found('.*')).toEqual([[second, 1, 'user']]);
    expect([...sessions.search('gently', { cwd: '/work' })][0]?.excerpt).toBe('gently');
  });

  it('go to the trash when they are deleted, and from there when they are old', () => {
    const home = makeFolder();
    const sessions = openSessions({ home });
    const [id, other] = [store(sessions), store(sessions)];
    const old = path.join(home, 'sessions', '.trash', 'ses_old.1000');
    const { trash } = value(sessions.delete(id));
    expect(readdirSync(trash ?? '').toSorted()).toEqual(['blobs', 'journal.jsonl', 'meta.json']);
    expect(sessions.list().map((one) => one.id)).toEqual([other]);
    writeFileSync(old, '');
    expect(value(sessions.delete(other, { forever: true }))).toEqual({ id: other, trash: null });
    expect(readdirSync(path.dirname(old))).toEqual([path.basename(trash ?? '')]);
  });

  it('that are not a session are no sessions', () => {
    const home = makeFolder({
      'sessions/notes.txt': 'x',
      'sessions/ses_empty/other': 'x',
      'sessions/ses_torn/journal.jsonl': '{"v',
    });
    const sessions = openSessions({ home });
    expect(sessions.list()).toMatchObject([{ id: 'ses_torn', title: '', turns: 0 }]);
  });

  it('refuse points in a conversation that are none', () => {
    const sessions = openSessions({ home: makeFolder() });
    const id = store(sessions);
    for (const turn of [8, 1.5, -1])
      expect(sessions.fork(id, { turn })).toMatchObject({ ok: false, error: { code: 'invalid' } });
    expect(sessions.rewind(id, { redo: true })).toMatchObject({ ok: false, error: { code: 'invalid' } });
    value(sessions.rewind(id, { turn: 4 }));
    const held = value(sessions.open(id));
    held.journal.append({ kind: 'USER_INPUT', content: 'on', seq: 90, at: '', sessionId: id });
    held.journal.close();
    expect(sessions.rewind(id, { redo: true })).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('went on') },
    });
  });
});

describe('a real session in a home', () => {
  const optionsOf = (held: HeldSession, cwd: string, replies: ReadonlyArray<Reply>) => {
    const client = createScriptedClient(replies);
    const common = { profile: createAnthropicProfile(), environment: createLocalExecutionEnvironment(cwd) };
    const config = { model: 'm', provider: 'p' };
    return { client, options: { ...common, config, client, journal: held.journal, sessionId: held.id } };
  };

  it('is forked and rewound so that the model is sent the same beginning, byte for byte', async () => {
    const cwd = makeFolder();
    const sessions = openSessions({ home: makeFolder() });
    const held = value(sessions.create({ cwd }));
    expect(held.isNew).toBe(true);
    const replies = [
      { text: 'look', calls: [call('shell', { command: 'seq 1 9000' })] },
      { text: 'one' },
      { text: 'two' },
    ];
    const { client, options } = optionsOf(held, cwd, replies);
    const session = createSession(options);
    await session.submit('first');
    await session.submit('second');
    await session.close();
    const prefix = JSON.stringify(client.requests[2]?.messages).slice(0, -1).split('second')[0] ?? '';
    const fork = value(sessions.fork(held.id, { turn: 4 })).id;
    value(sessions.rewind(held.id, { turn: 4 }));
    for (const id of [fork, held.id]) {
      const again = value(sessions.open(id));
      expect(again).toMatchObject({ isNew: false, about: { cwd } });
      const { client: other, options: more } = optionsOf(again, cwd, [{ text: 'new' }]);
      const resumed = resumeSession(more);
      expect(resumed.id).toBe(id);
      await resumed.resume();
      expect(other.requests).toHaveLength(0);
      await resumed.submit('other');
      await resumed.close();
      expect(JSON.stringify(other.requests[0]?.messages).startsWith(prefix)).toBe(true);
      expect([...sessions.turns(id)].map(({ text }) => text)).toEqual(['first', 'look', '', 'one', 'other', 'new']);
    }
  });

  it('that is at work is forked where its last complete turn ends, and the open call is not run again', async () => {
    const cwd = makeFolder();
    const sessions = openSessions({ home: makeFolder() });
    const held = value(sessions.create({ cwd }));
    const { options } = optionsOf(held, cwd, [{ text: 'wait', calls: [call('shell', { command: 'sleep 30' })] }]);
    const session = createSession(options);
    const working = session.submit('go');
    while ([...sessions.turns(held.id)].length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(sessions.fork(held.id, { turn: 2 })).toMatchObject({ ok: false, error: { code: 'invalid' } });
    const forked = value(sessions.fork(held.id));
    expect(forked.turn).toBe(1);
    await session.abort();
    await working;
    const { client, options: more } = optionsOf(value(sessions.open(forked.id)), cwd, []);
    const other = resumeSession(more);
    await other.resume();
    expect(client.requests).toHaveLength(0);
    await other.close();
  });

  it('whose first record is damaged is still resumed, and says so', async () => {
    const cwd = makeFolder();
    const sessions = openSessions({ home: makeFolder() });
    const id = store(sessions, cwd);
    const file = path.join(value(sessions.find(id)).folder, 'journal.jsonl');
    const lines = readFileSync(file, 'utf8').split('\n');
    writeFileSync(
      file,
      [lines[0]?.replace('cwd', 'cwx'), lines[1]?.replace('kind', 'kinx'), ...lines.slice(2)].join('\n'),
    );
    const { options } = optionsOf(value(sessions.open(id)), cwd, [{ text: 'fine' }]);
    const session = resumeSession(options);
    const events = session.events();
    await session.submit('on');
    await session.close();
    const warnings = (await Array.fromAsync(events)).filter(({ kind }) => kind === 'WARNING');
    expect(warnings).toMatchObject([{ message: expect.stringContaining('2 damaged records') }]);
    expect(session.id).toBe(id);
    expect(session.error()).toBeNull();
  });
});
