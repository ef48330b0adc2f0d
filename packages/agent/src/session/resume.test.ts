import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createMemoryJournal, type Journal, lateOutputOf, openJournal, readJournal } from '@attractor/journal';

import { call, createScriptedClient, failure, type Reply } from '../testing/scripted-client.ts';
import { countingTool, follow, makeSession, settle, type SessionWorld } from '../test-support/session-world.ts';
import { bundledProgram, makeFolder, until } from '@attractor/base/testing';
import type { DeliveredEvent } from '../types/index.ts';
import { createSession, resumeSession } from './session.ts';

/** The journal as a process left it that died right after `last` was written. */
function diedAfter(journal: Journal, last: (event: { kind: string }) => boolean): Journal {
  const records = journal.read();
  const copy = createMemoryJournal();
  const kept = records.slice(0, records.findIndex((record) => last(record.event)) + 1);
  return { ...copy, read: () => [...kept, ...copy.read()] };
}

const resumed = (world: SessionWorld, journal: Journal, replies: ReadonlyArray<Reply>) => {
  const client = createScriptedClient(replies);
  const session = resumeSession({ ...world.options, journal, client });
  const events: DeliveredEvent[] = [];
  void follow(session, events);
  return { session, client, events };
};

describe('resumeSession', () => {
  it('holds the same history and sends the same prefix, byte for byte', async () => {
    const world = makeSession(
      [
        { text: 'Looking', thinking: 'hm', calls: [call('shell', { command: 'seq 1 4000' })] },
        { text: 'done' },
        { text: 'again' },
      ],
      { files: { 'AGENTS.md': 'Be kind.' } },
    );
    await world.session.submit('one');
    const after = resumed(
      world,
      diedAfter(world.journal, ({ kind }) => kind === 'PROCESSING_END'),
      [{ text: 'again' }],
    );
    expect(after.session.id).toBe(world.session.id);
    expect(after.session.history()).toEqual(world.session.history());
    await Promise.all([world.session.submit('two'), after.session.submit('two')]);
    expect(JSON.stringify(after.client.requests[0])).toBe(JSON.stringify(world.client.requests[2]));
    expect(after.session.usage()).toEqual(world.session.usage());
  });

  it('sends the same bytes where large outputs are still in the files of its journal', async () => {
    const replies: Reply[] = [
      { calls: [call('read_file', { file_path: 'short' }), call('read_file', { file_path: 'long' })] },
      { text: 'done' },
    ];
    const files = { short: 'é ",\n'.repeat(1_000), long: '"x"\n'.repeat(30_000) };
    const world = makeSession([...replies, { text: 'again' }], { files });
    const journal = openJournal(path.join(makeFolder(), 'journal.jsonl'));
    const client = createScriptedClient(replies);
    const first = createSession({ ...world.options, journal, client, sessionId: world.session.id });
    await first.submit('one');
    await world.session.submit('one');
    await first.close();
    const again = openJournal(journal.path);
    const after = resumed(world, again, [{ text: 'again' }]);
    const [result] = after.session.history().flatMap((turn) => (turn.kind === 'tool_results' ? turn.results : []));
    expect(result === undefined ? null : lateOutputOf(result)).not.toBeNull();
    await Promise.all([world.session.submit('two'), after.session.submit('two')]);
    expect(JSON.stringify(after.client.requests[0])).toBe(JSON.stringify(world.client.requests[2]));
    expect(JSON.stringify(after.session.history())).toBe(JSON.stringify(world.session.history()));
    await after.session.close();
  });

  it('answers a call that was running as interrupted, never runs it again, and runs the one that had not begun', async () => {
    const tool = countingTool();
    const world = makeSession(
      [
        { calls: [call('count', {}, 'a'), call('write_file', { file_path: 'late', content: 'x' }, 'b')] },
        { text: 'ok' },
      ],
      { tools: [tool] },
    );
    await world.session.submit('go');
    expect(tool.runs()).toBe(1);
    const { session, client, events } = resumed(
      world,
      diedAfter(world.journal, ({ kind }) => kind === 'TOOL_CALL_START'),
      [{ text: 'I see' }],
    );
    await session.resume();
    await settle();
    expect(tool.runs()).toBe(1);
    expect(session.history().slice(2)).toMatchObject([
      {
        kind: 'tool_results',
        results: [
          {
            toolCallId: 'a',
            isError: true,
            output: 'interrupted: the process stopped while this ran; its effects are unknown',
          },
          { toolCallId: 'b', isError: false },
        ],
      },
      { kind: 'assistant' },
    ]);
    expect(events[0]).toMatchObject({ kind: 'SESSION_RESUMED', interrupted: ['a'] });
    expect(client.requests).toHaveLength(1);
    expect(session.state()).toBe('IDLE');
  });

  it('asks again when the process died in the middle of a reply, and not when the reply was whole', async () => {
    const world = makeSession([{ text: 'done' }]);
    await world.session.submit('go');
    const cut = resumed(
      world,
      diedAfter(world.journal, ({ kind }) => kind === 'USER_INPUT'),
      [{ text: 'fresh' }],
    );
    await cut.session.resume();
    expect(cut.session.history().at(-1)).toMatchObject({ content: [{ text: 'fresh' }] });
    const whole = resumed(
      world,
      diedAfter(world.journal, ({ kind }) => kind === 'ASSISTANT_MESSAGE'),
      [],
    );
    await whole.session.resume();
    await settle();
    expect(whole.client.requests).toHaveLength(0);
    expect(whole.events.map(({ kind }) => kind)).toEqual(['SESSION_RESUMED', 'PROCESSING_END']);
  });

  it('finishes what was open before it takes a new input, and remembers what was queued', async () => {
    const world = makeSession([{ text: 'one' }]);
    world.session.followUp('later');
    world.session.steer('gently');
    await world.session.submit('go').catch(() => undefined);
    const { session } = resumed(
      world,
      diedAfter(world.journal, ({ kind }) => kind === 'USER_INPUT'),
      [{ text: 'a' }, { text: 'b' }, { text: 'c' }],
    );
    await session.submit('new');
    expect(
      session
        .history()
        .map((turn) => ('content' in turn && typeof turn.content === 'string' ? turn.content : turn.kind)),
    ).toEqual(['go', 'gently', 'assistant', 'new', 'assistant', 'later', 'assistant']);
  });

  it('numbers events on from the last stored one', async () => {
    const world = makeSession([{ text: 'one two three' }]);
    await world.session.submit('go');
    const last = world.journal.read().at(-1)?.seq ?? 0;
    const { events } = resumed(
      world,
      diedAfter(world.journal, ({ kind }) => kind === 'PROCESSING_END'),
      [],
    );
    await settle();
    expect(events.map((event) => event.seq)).toEqual([last + 1]);
  });

  it('does not run a call whose arguments were redacted when they were stored', async () => {
    const secret = `ghp_${'x'.repeat(36)}`;
    const world = makeSession([
      { calls: [call('write_file', { file_path: 'key.txt', content: secret })] },
      { text: 'ok' },
    ]);
    await world.session.submit('go');
    expect(readFileSync(path.join(world.root, 'key.txt'), 'utf8')).toBe(secret);
    expect(JSON.stringify(world.journal.read())).not.toContain(secret);
    const other = makeFolder();
    const journal = diedAfter(world.journal, ({ kind }) => kind === 'ASSISTANT_MESSAGE');
    const { session } = resumed({ ...world, root: other }, journal, [{ text: 'I see' }]);
    await session.resume();
    expect(session.history()[2]).toMatchObject({
      results: [{ isError: true, output: expect.stringContaining('not run') }],
    });
  });

  it('goes on after a failure that closed the session, and after close(), but not after abort()', async () => {
    const failed = makeSession([{ error: failure('authentication', 'bad key') }]);
    await failed.session.submit('go');
    const { session } = resumed(failed, failed.journal, [{ text: 'fine now' }]);
    await session.resume();
    expect(session.history().at(-1)).toMatchObject({ content: [{ text: 'fine now' }] });

    const closed = makeSession([
      {
        calls: [
          call('shell', { command: 'touch begun; sleep 60' }),
          call('write_file', { file_path: 'after', content: 'x' }),
        ],
      },
    ]);
    const going = closed.session.submit('go');
    while (!existsSync(path.join(closed.root, 'begun'))) await wait(5);
    await closed.session.close();
    await going;
    const back = resumed(closed, closed.journal, [{ text: 'finished' }]);
    await back.session.resume();
    expect(existsSync(path.join(closed.root, 'after'))).toBe(true);
    expect(back.session.history().at(-1)).toMatchObject({ content: [{ text: 'finished' }] });

    const aborted = makeSession([{ text: 'x', hangs: true }]);
    const hanging = aborted.session.submit('go');
    await wait(30);
    await aborted.session.abort();
    await hanging;
    const idle = resumed(aborted, aborted.journal, [{ text: 'never' }]);
    await idle.session.resume();
    expect(idle.client.requests).toHaveLength(0);
  });

  it('refuses a journal without a session', () => {
    const world = makeSession([]);
    expect(() => resumeSession({ ...world.options, journal: createMemoryJournal() })).toThrow('no session');
  });
});

describe('SIGKILL', () => {
  const program = new URL('../test-support/killable-session-child.ts', import.meta.url).pathname;

  const start = (root: string) => {
    const child = spawn(process.execPath, [bundledProgram(program), root], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    return { child, ended: new Promise<number | null>((resolve) => child.on('close', resolve)) };
  };

  /** Kills the program when it has recorded `events` events, and a moment later. */
  const killAfter = async (root: string, events: number, pause: number): Promise<void> => {
    const { child, ended } = start(root);
    await new Promise<void>((resolve) => {
      let seen = 0;
      child.stdout.on('data', (text) => {
        seen += String(text).split('\n').length - 1;
        if (seen >= events) resolve();
      });
    });
    await wait(pause);
    child.kill('SIGKILL');
    expect(await ended).toBeNull();
  };

  /** Kills the program in the middle of a command that had its effect. */
  const killInside = async (root: string): Promise<void> => {
    const effects = path.join(root, 'effects');
    const before = existsSync(effects) ? readFileSync(effects, 'utf8') : '';
    writeFileSync(path.join(root, 'hold'), '');
    const { child, ended } = start(root);
    child.stdout.resume();
    await until(() => existsSync(effects) && readFileSync(effects, 'utf8') !== before);
    child.kill('SIGKILL');
    await ended;
    rmSync(path.join(root, 'hold'));
  };

  it('at many points, also between start and end of a tool, doubles no effect and loses nothing that was recorded', async () => {
    const root = makeFolder();
    const journal = path.join(root, 'state', 'session.jsonl');
    let seen: string[] = [];
    for (const [round, events] of [1, 3, 5, 4, 6, 5].entries()) {
      await killAfter(root, events, (round % 4) * 20);
      const now = readJournal(journal).records.map((record) => JSON.stringify(record));
      expect(now.slice(0, seen.length)).toEqual(seen);
      seen = now;
    }
    await killInside(root);
    writeFileSync(path.join(root, 'enough'), '');
    const { child, ended } = start(root);
    child.stdout.resume();
    expect(await ended).toBe(0);

    const { records } = readJournal(journal);
    expect(records.at(-1)?.event.kind).toBe('SESSION_END');
    const results = records.filter((record) => record.event.kind === 'TOOL_CALL_END').map((record) => record.event);
    const interrupted = results.filter((event) => String(event['output']).startsWith('interrupted:'));
    expect(interrupted.length).toBeGreaterThan(0);
    const ids = results.map((event) => event['toolCallId']);
    expect(ids).toEqual(ids.map((_, step) => `step-${step}`));
    const effects = readFileSync(path.join(root, 'effects'), 'utf8').trim().split('\n');
    expect(new Set(effects).size).toBe(effects.length);
    const known = new Set(results.filter((event) => !interrupted.includes(event)).map((event) => event['toolCallId']));
    expect([...known].filter((id) => !effects.includes(String(id)))).toEqual([]);
  });
});
