import { randomUUID } from 'node:crypto';
import { appendFileSync, cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { openSessions } from '@attractor/journal';
import { installedClaudeSdk } from '@attractor/executor/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAttractor, makeFolder } from './attractor.ts';
import {
  loadSdk,
  makeSdkWorld,
  type MemoryStore,
  resultOf,
  type Sdk,
  type SdkWorld,
  userMessage,
} from './test-support/agent-sdk-world.ts';

const found = await installedClaudeSdk();
const installed = 'folder' in found ? found.folder : '';
const why = 'missing' in found ? `, not tried here: ${found.missing}` : '';

const CONVERSATIONS: ReadonlyArray<unknown> = [
  {
    name: 'told',
    match: { firstUser: 'TOLD TO A STORE' },
    turns: [
      { text: 'I look.', toolCalls: [{ use: 'read', path: 'notes.txt' }] },
      { text: 'Two lines.' },
      { text: 'Answered elsewhere.' },
      { text: 'Answered again.', repeat: 'forever' },
    ],
  },
  { name: 'lost', match: { firstUser: 'LOST ON THE WAY' }, turns: [{ text: 'Said.', repeat: 'forever' }] },
];

describe.runIf('folder' in found)(`the option sessionStore of the Claude Agent SDK${why}`, () => {
  let sdk: Sdk;
  let world: SdkWorld;
  let store: MemoryStore;
  /** The session that the tests go on with, one after the other. */
  let id: string;
  let projectKey: string;
  let first: ReturnType<typeof machine>;
  beforeAll(async () => {
    sdk = await loadSdk(installed);
    world = await makeSdkWorld(sdk, () => CONVERSATIONS);
    store = new sdk.InMemorySessionStore();
    first = machine();
    projectKey = world.folder.replaceAll(/[^a-zA-Z0-9]/g, '-');
  });
  afterAll(() => world.close());

  /** As on a machine of its own; nothing is shared but the store. */
  const machine = () => {
    const [home, config] = [makeFolder(), makeFolder()];
    return { home, config, env: { ...Object(world.base['env']), ATTRACTOR_HOME: home, CLAUDE_CONFIG_DIR: config } };
  };
  const last = () => JSON.stringify(world.requests('TOLD TO A STORE').at(-1)?.body);
  const stored = async (sessionId = id) => (await store.load({ projectKey, sessionId })) ?? [];
  const told = async (sessionId = id) => {
    const messages = await sdk.getSessionMessages(sessionId, { dir: world.folder, sessionStore: store });
    return messages.map(({ message }) => textOf(message));
  };
  const SAID = ['TOLD TO A STORE', 'I look.', 'two', 'Two lines.'];

  test('the store has each thing that was said, once and in order, under the names of the lines', async () => {
    const lines = await world.ask('TOLD TO A STORE', { env: first.env, sessionStore: store, title: 'Kept in a store' });
    id = String(resultOf(lines)['session_id']);
    expect(await told()).toEqual(SAID.map((text) => expect.stringContaining(text)));
    const names = namesIn(await stored());
    expect(names).toEqual([...new Set(names)]);
    const spoken = lines.filter(({ type }) => type === 'assistant' || type === 'user').map(({ uuid }) => uuid);
    expect(names.slice(1)).toEqual(spoken);
    const info = await sdk.getSessionInfo(id, { dir: world.folder, sessionStore: store });
    expect(info).toMatchObject({ customTitle: 'Kept in a store', cwd: world.folder });
    expect(lines.map(({ type }) => type)).not.toContain('transcript_mirror');
  });

  test('on another machine a session goes on from the store alone, and what it adds is stored', async () => {
    const before = await stored();
    let appends = 0;
    const sessionStore = {
      load: store.load.bind(store),
      append: async (...about: Parameters<MemoryStore['append']>) => {
        appends += 1;
        await store.append(...about);
      },
    };
    const second = machine();
    const options = { env: second.env, sessionStore, sessionStoreFlush: 'eager' };
    const lines = await world.ask('WHAT NEXT?', { ...options, resume: id });
    expect(resultOf(lines)).toMatchObject({ result: 'Answered elsewhere.', session_id: id });
    const [, earlier, now] = world.requests('TOLD TO A STORE').map(({ body }) => messagesIn(body));
    expect(earlier).toMatch(/"name":"read_file"[^]*two/);
    expect(now?.startsWith(String(earlier).slice(0, -1))).toBe(true);
    expect(now).toMatch(/Two lines\.[^]*WHAT NEXT\?/);
    expect((await stored()).slice(0, before.length)).toEqual(before);
    expect(await told()).toEqual(
      [...SAID, 'WHAT NEXT?', 'Answered elsewhere.'].map((text) => expect.stringContaining(text)),
    );
    expect(appends).toBeGreaterThan(1);
    const names = namesIn(await stored());
    expect(names).toEqual([...new Set(names)]);
    expect(readdirSync(second.config)).toEqual([]);
  });

  test('a copy is whole in the store, the newest session is found there, and its original stays as it is', async () => {
    const before = await stored();
    const lines = await world.ask('IN A COPY', {
      env: machine().env,
      sessionStore: store,
      continue: true,
      forkSession: true,
    });
    const copy = String(resultOf(lines)['session_id']);
    expect(copy).not.toBe(id);
    const all = [...SAID, 'WHAT NEXT?', 'Answered elsewhere.', 'IN A COPY', 'Answered again.'];
    expect(await told(copy)).toEqual(all.map((text) => expect.stringContaining(text)));
    expect(await stored()).toEqual(before);
  });

  test('a copy goes on behind a message that another machine named, and /clear begins another transcript', async () => {
    const messages = await sdk.getSessionMessages(id, { dir: world.folder, sessionStore: store });
    const about = { env: machine().env, sessionStore: store, resume: id, forkSession: true };
    const lines = await world.ask('BEHIND IT', { ...about, resumeSessionAt: messages[3]?.['uuid'] });
    const copy = String(resultOf(lines)['session_id']);
    const all = [...SAID, 'BEHIND IT', 'Answered elsewhere.'];
    expect(await told(copy)).toEqual(all.map((text) => expect.stringContaining(text)));
    expect(last()).not.toContain('WHAT NEXT?');

    async function* prompts() {
      for (const text of ['LOST ON THE WAY', '/clear', 'LOST ON THE WAY']) yield userMessage(text);
    }
    const cleared = await world.ask(prompts(), { env: machine().env, sessionStore: store });
    const ids = new Set(cleared.flatMap(({ subtype, session_id: one }) => (subtype === 'init' ? [String(one)] : [])));
    expect(ids.size).toBe(2);
    for (const one of ids) expect(await told(one)).toEqual(['LOST ON THE WAY', 'Said.']);
  });

  test('a machine that has an older state of a session takes it from the store', async () => {
    const notes: string[] = [];
    const stderr = (text: string) => void notes.push(text);
    const options = { env: first.env, sessionStore: store, resume: id };
    await world.ask('BACK HERE', { ...options, stderr });
    expect(last()).toMatch(/TOLD TO A STORE[^]*WHAT NEXT\?[^]*Answered elsewhere[^]*BACK HERE/);
    expect(notes.join('')).toMatch(/went on elsewhere/);
    notes.splice(0);
    await world.ask('STILL HERE', { ...options, stderr });
    expect(notes.join('')).toBe('');
    const all = [
      ...SAID,
      'WHAT NEXT?',
      'Answered elsewhere.',
      'BACK HERE',
      'Answered again.',
      'STILL HERE',
      'Answered again.',
    ];
    expect(await told()).toEqual(all.map((text) => expect.stringContaining(text)));
    expect(openSessions({ home: first.home }).list()).toHaveLength(1);
  });

  test('a folder with a long name has the key in the store that the SDK gives it', async () => {
    const cwd = path.join(makeFolder(), 'x'.repeat(120), 'ü'.repeat(100));
    mkdirSync(cwd, { recursive: true });
    const lines = await world.ask('LOST ON THE WAY', { env: machine().env, cwd, sessionStore: store });
    const about = { dir: cwd, sessionStore: store };
    expect(await sdk.getSessionMessages(String(resultOf(lines)['session_id']), about)).toHaveLength(2);
  });

  test('a store that fails is told by the SDK, and what contradicts a store is refused', async () => {
    const failing = { append: async () => await Promise.reject(new Error('FULL')), load: async () => null };
    const { env } = machine();
    const lines = await world.ask('LOST ON THE WAY', { env, sessionStore: failing });
    expect(lines.find(({ subtype }) => subtype === 'mirror_error')).toMatchObject({ error: 'FULL' });
    expect(resultOf(lines)).toMatchObject({ result: 'Said.' });
    const hanging = { ...failing, load: () => new Promise(() => undefined) };
    const late = world.failure('x', { env, sessionStore: hanging, resume: randomUUID(), loadTimeoutMs: 50 });
    expect(await late).toMatch(/load\(\) timed out/);
    const started = startAttractor(['-p', 'x', '--session-mirror', '--no-session-persistence'], {
      home: makeFolder(),
      cwd: world.folder,
    });
    expect(await started.ended).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--session-mirror tells what/),
    });
  });

  test('a transcript of Claude Code goes on without a store; a damaged line is told, and a link is not followed', async () => {
    const { config, env } = machine();
    const folder = path.join(config, 'projects', projectKey);
    mkdirSync(folder, { recursive: true });
    const [torn, linked] = [randomUUID(), randomUUID()];
    const file = path.join(folder, `${torn}.jsonl`);
    for (const entry of await stored()) appendFileSync(file, `${JSON.stringify(entry)}\n`);
    appendFileSync(file, '{"type":"user","mess');
    const outside = path.join(makeFolder(), 'outside.jsonl');
    cpSync(file, outside);
    symlinkSync(outside, path.join(folder, `${linked}.jsonl`));
    const notes: string[] = [];
    const lines = await world.ask('GO ON', { env, continue: true, stderr: (text: string) => void notes.push(text) });
    expect(resultOf(lines)).toMatchObject({ result: 'Answered again.', session_id: torn });
    expect(last()).toMatch(/TOLD TO A STORE[^]*STILL HERE[^]*GO ON/);
    expect(notes.join('')).toMatch(/goes on here\.[^]*1 line that can't be read/);
    expect(await world.failure('x', { env, resume: linked })).toMatch(/There is no session/);
    expect(existsSync(outside)).toBe(true);
    expect(world.unexpected()).toEqual([]);
  });
});

function namesIn(entries: ReadonlyArray<Readonly<Record<string, unknown>>>): ReadonlyArray<unknown> {
  return entries.flatMap(({ uuid }) => (uuid === undefined ? [] : [uuid]));
}

/** What the model is told of the conversation, without the marks for its cache. */
function messagesIn(body: unknown): string {
  const { messages }: { readonly messages?: unknown } = Object(body);
  return JSON.stringify(messages, (name, value: unknown) => (name === 'cache_control' ? undefined : value));
}

/** What a message says, or what a call gave. */
function textOf(message: unknown): string {
  const { content }: { readonly content: unknown } = Object(message);
  if (typeof content === 'string') return content;
  const blocks: ReadonlyArray<Readonly<Partial<Record<'text' | 'content', string>>>> = Array.isArray(content)
    ? content
    : [];
  return blocks.map(({ text, content: output }) => text ?? output ?? '').join('');
}
