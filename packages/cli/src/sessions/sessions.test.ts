import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { compileCache } from '@attractor/base/testing';
import { openSessions, type SessionEvent, type Sessions, undoFolder } from '@attractor/journal';
import { openUndo } from '@attractor/undo';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../test-support/run-command.ts';

const PROGRAM = new URL('../attractor.ts', import.meta.url).pathname;

const makeFolder = (): string => {
  const folder = mkdtempSync(path.join(tmpdir(), 'cli-sessions-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

type Ran = { readonly code: number | null; readonly out: string; readonly err: string };

/** In a process of its own, where that is what the test is about. */
const runProcess = (home: string, ...args: ReadonlyArray<string>): Promise<Ran> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [PROGRAM, 'sessions', ...args], {
      env: { PATH: process.env['PATH'], HOME: home, ATTRACTOR_HOME: home, ...compileCache() },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [out, err] = ['', ''];
    child.stdout.on('data', (text) => (out += String(text)));
    child.stderr.on('data', (text) => (err += String(text)));
    child.on('close', (code) => resolve({ code, out, err }));
  });

const run = async (home: string, ...args: ReadonlyArray<string>): Promise<Ran> => {
  const { exit, stdout, stderr } = await runCommand(['sessions', ...args], {
    env: { HOME: home, ATTRACTOR_HOME: home },
  });
  return { code: exit, out: stdout, err: stderr };
};

/** A session with two inputs; the first wrote a file. */
const store = (sessions: Sessions, cwd: string): string => {
  const held = sessions.create({ cwd, provider: 'anthropic' });
  if (!held.ok) throw new Error(held.error.message);
  const { id: sessionId, journal } = held.value;
  const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
  const reply = (text: string): SessionEvent => {
    return { kind: 'ASSISTANT_MESSAGE', content: [{ kind: 'TEXT', text }], usage, responseId: 'r', model: 'm' };
  };
  const events: ReadonlyArray<SessionEvent> = [
    { kind: 'SESSION_START', sessionId },
    { kind: 'USER_INPUT', content: 'make \u001b[31m it red' },
    reply('made'),
    { kind: 'PROCESSING_END' },
    { kind: 'USER_INPUT', content: 'and now?' },
    reply('done'),
    { kind: 'PROCESSING_END' },
    { kind: 'SESSION_END', sessionId },
  ];
  for (const [index, event] of events.entries())
    journal.append({ ...event, seq: index + 1, at: new Date().toISOString(), sessionId });
  journal.close();
  return sessionId;
};

const world = () => {
  const [home, cwd] = [makeFolder(), makeFolder()];
  const sessions = openSessions({ home });
  return { home, cwd, sessions, id: store(sessions, cwd) };
};

test('an empty home has no sessions, and nothing is made there', async () => {
  const home = makeFolder();
  expect(await runProcess(home, 'list')).toMatchObject({ code: 0, out: '' });
  expect(await run(home, 'list', '--json')).toEqual({ code: 0, out: '', err: '' });
  const show = await run(home, 'show', 'ses_none');
  expect(show).toMatchObject({ code: 3, out: '', err: expect.stringContaining('There is no session') });
  const usage = await run(home, 'rewind', 'ses_none');
  expect(usage).toMatchObject({ code: 2, out: '', err: expect.stringContaining('--turn or --redo') });
  const help = await run(home, 'rewind', '--help');
  expect(help).toMatchObject({ code: 0, out: expect.stringContaining('--dry-run') });
  expect(existsSync(path.join(home, 'sessions'))).toBe(false);
});

test('sessions are listed, shown and searched, for people and for scripts', async () => {
  const { home, id, cwd } = world();
  const list = await run(home, 'list', '--json');
  const shown = await run(home, 'show', id.slice(0, 20));
  const turn = await run(home, 'show', id, '--turn', '4', '--json');
  const found = await run(home, 'search', 'IT RED', '--json');
  expect(JSON.parse(list.out)).toMatchObject({ id, cwd, turns: 4, model: 'm', cost: null });
  expect(shown.out).toContain('make \\u{1b}[31m it red');
  expect(shown.out).not.toContain('\u001b');
  expect(JSON.parse(turn.out)).toMatchObject({ turn: 4, kind: 'assistant', text: 'done' });
  expect(JSON.parse(found.out)).toMatchObject({ id, turn: 1, kind: 'user' });
});

test('a session is forked, exported, imported and deleted', async () => {
  const { home, id, sessions } = world();
  const forked = JSON.parse((await run(home, 'fork', id, '--turn', '2', '--json')).out);
  expect(forked).toMatchObject({ turn: 2 });
  expect([...sessions.turns(forked.id)].map(({ text }) => text)).toEqual(['make \u001b[31m it red', 'made']);
  expect(JSON.parse((await run(home, 'rename', forked.id, 'A red one', '--json')).out)).toEqual({ id: forked.id });
  expect(sessions.find(forked.id)).toMatchObject({ value: { title: 'A red one' } });
  expect(await run(home, 'rename', forked.id, ' ')).toMatchObject({ code: 2, out: '' });
  expect(await run(home, 'fork', id, '--turn', '9')).toMatchObject({ code: 4, out: '' });
  const file = path.join(home, 'session.jsonl');
  expect(await run(home, 'export', id, '-o', file)).toMatchObject({ code: 0, out: '' });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect((await runProcess(home, 'export', id)).out).toBe(readFileSync(file, 'utf8'));
  expect(await run(home, 'export', id, '-o', file)).toMatchObject({ code: 4 });
  expect(await run(home, 'delete', id, '--forever')).toMatchObject({ code: 0 });
  expect((await run(home, 'import', file)).out).toBe(`${id}\n`);
  expect([...sessions.turns(id)]).toHaveLength(4);
  writeFileSync(file, 'nonsense\n');
  expect(await run(home, 'import', file)).toMatchObject({ code: 4, err: expect.stringContaining('Line 1') });
});

test('a rewind takes conversation and files back together, shows them first, and can be redone', async () => {
  const { home, id, cwd, sessions } = world();
  const found = sessions.find(id);
  if (!found.ok) throw new Error('lost');
  const opened = await openUndo({ workspace: cwd, statePath: undoFolder(found.value) });
  if (!opened.ok) throw new Error(opened.error.message);
  const note = path.join(cwd, 'note.txt');
  await opened.value.undo.snapshot({ turn: 0, seq: 1, by: 'person' });
  writeFileSync(note, 'one');
  await opened.value.undo.snapshot({ turn: 2, seq: 3 });
  writeFileSync(note, 'two');
  await opened.value.undo.snapshot({ turn: 4, seq: 6 });
  await opened.value.undo.close();

  expect(await run(home, 'rewind', id, '--turn', '2', '--dry-run')).toMatchObject({
    code: 0,
    out: 'changes note.txt\n',
  });
  expect(await run(home, 'rewind', id, '--turn', '2')).toMatchObject({
    code: 4,
    err: expect.stringContaining('--yes'),
  });
  expect([readFileSync(note, 'utf8'), [...sessions.turns(id)].length]).toEqual(['two', 4]);
  expect(await run(home, 'rewind', id, '--turn', '2', '--yes')).toMatchObject({ code: 0 });
  expect([readFileSync(note, 'utf8'), [...sessions.turns(id)].length]).toEqual(['one', 2]);
  expect(await run(home, 'rewind', id, '--redo', '--dry-run')).toMatchObject({ code: 0, out: 'changes note.txt\n' });
  expect(await run(home, 'rewind', id, '--redo')).toMatchObject({ code: 4, err: expect.stringContaining('--yes') });
  expect([readFileSync(note, 'utf8'), [...sessions.turns(id)].length]).toEqual(['one', 2]);
  expect(await run(home, 'rewind', id, '--redo', '--yes')).toMatchObject({ code: 0 });
  expect([readFileSync(note, 'utf8'), [...sessions.turns(id)].length]).toEqual(['two', 4]);
  expect(await run(home, 'rewind', id.slice(-6), '--turn', '0', '--yes')).toMatchObject({ code: 0 });
  expect([existsSync(note), [...sessions.turns(id)].length]).toEqual([false, 0]);
  expect(await run(home, 'rewind', id, '--redo', '--yes')).toMatchObject({ code: 0 });
  expect([readFileSync(note, 'utf8'), [...sessions.turns(id)].length]).toEqual(['two', 4]);
  expect(await run(home, 'rewind', id, '--turn', '0', '--only', 'conversation')).toMatchObject({ code: 0 });
  expect([readFileSync(note, 'utf8'), [...sessions.turns(id)].length]).toEqual(['two', 0]);
  expect(await run(home, 'rewind', id, '--redo')).toMatchObject({ code: 0 });
  expect([readFileSync(note, 'utf8'), [...sessions.turns(id)].length]).toEqual(['two', 4]);

  // Of two rewinds the second took only the conversation: so does the first redo.
  expect(await run(home, 'rewind', id, '--turn', '2', '--yes')).toMatchObject({ code: 0 });
  expect(await run(home, 'rewind', id, '--turn', '0', '--only', 'conversation')).toMatchObject({ code: 0 });
  expect(await run(home, 'rewind', id, '--redo')).toMatchObject({ code: 0 });
  expect([readFileSync(note, 'utf8'), [...sessions.turns(id)].length]).toEqual(['one', 2]);
  expect(await run(home, 'rewind', id, '--redo', '--yes')).toMatchObject({ code: 0 });
  expect([readFileSync(note, 'utf8'), [...sessions.turns(id)].length]).toEqual(['two', 4]);
});

test('after a rewind the session goes on, and a later rewind finds the files as that left them', async () => {
  const { home, id, cwd, sessions } = world();
  const found = sessions.find(id);
  if (!found.ok) throw new Error('lost');
  const note = path.join(cwd, 'note.txt');
  const snapshots = async (...steps: ReadonlyArray<readonly [seq: number, text: string]>): Promise<void> => {
    const opened = await openUndo({ workspace: cwd, statePath: undoFolder(found.value) });
    if (!opened.ok) throw new Error(opened.error.message);
    for (const [seq, text] of steps) {
      writeFileSync(note, text);
      const taken = await opened.value.undo.snapshot({ turn: seq, seq });
      if (!taken.ok) throw new Error(taken.error.message);
    }
    await opened.value.undo.close();
  };
  await snapshots([3, 'one'], [6, 'two']);
  expect(await run(home, 'rewind', id, '--turn', '2', '--yes')).toMatchObject({ code: 0 });
  const held = sessions.open(id);
  if (!held.ok) throw new Error(held.error.message);
  const last = sessions.find(id);
  const next = (last.ok ? last.value.lastSeq : 0) + 1;
  const input = { kind: 'USER_INPUT', content: 'again' } as const;
  for (const [index, event] of [input, { kind: 'PROCESSING_END' } as const].entries())
    held.value.journal.append({ ...event, seq: next + index, at: new Date().toISOString(), sessionId: id });
  held.value.journal.close();
  await snapshots([next + 5, 'three']);
  expect(await run(home, 'rewind', id, '--turn', '3', '--only', 'files', '--yes')).toMatchObject({ code: 0 });
  expect(readFileSync(note, 'utf8')).toBe('one');
  expect(await run(home, 'rewind', id, '--redo', '--only', 'files', '--yes')).toMatchObject({ code: 0 });
  expect(readFileSync(note, 'utf8')).toBe('three');
});

test('a session that another process writes is refused, and says by whom', async () => {
  const { home, id, sessions } = world();
  const held = sessions.open(id);
  onTestFinished(() => void (held.ok && held.value.journal.close()));
  const refused = await runProcess(home, 'delete', id);
  expect(refused).toMatchObject({ code: 4, err: expect.stringContaining(`process ${process.pid}`) });
  expect((await runProcess(home, 'list')).out).toContain(`in use by process ${process.pid}`);
});
