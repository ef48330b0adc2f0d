import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { createClient } from '@attractor/llm';
import { startSimulator, type ScriptInput, type Simulator } from '@attractor/simulator';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openJournal } from '@attractor/journal';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { createAnthropicProfile } from '../profiles/anthropic.ts';
import type { SessionOptions } from '../contract/session.ts';
import { createSession, resumeSession } from './session.ts';
import { follow, makeSession } from '../test-support/session-world.ts';
import { call } from '../testing/scripted-client.ts';
import { makeFolder } from '@attractor/base/testing';
import type { DeliveredEvent } from '../types/index.ts';
import { ALL_KINDS, type Planted } from '@attractor/redact/testing';

/** One secret of each kind, the same in every run. */
const KINDS: ReadonlyArray<Planted> = Object.values(ALL_KINDS).flatMap((planted, seed) =>
  fc.sample(planted, { numRuns: 1, seed: seed + 1 }),
);

/** Of no known shape: only the host knows that they are secret. */
const HOST = {
  ACME_API_KEY: 'canary one/two+three',
  ACME_DB_PASSWORD: 'tr0ub4dor & "three"',
  ACME_TOKEN: 'plum-Walrus-77',
};

const THINKING = 'thought-Canary_4711';
const SPOKEN = `ghp_${'Canary7'.repeat(5)}A`;
const ARGUMENT = `glpat-${'Canary8'.repeat(4)}`;
const TYPED = `sk-ant-api03-${'Canary9'.repeat(13)}AA`;
const STEERED = `xoxb-1234567890-${'Canary5'.repeat(3)}`;
const LATER = 'later-Canary_3141';
const DOCUMENT = `AIza${'Canary6'.repeat(5)}`;
const COMMITTED = `npm_${'Canary3'.repeat(5)}A`;
const ADDRESS = 'userinfo-Canary-1618';
const THROWN = `Canary2718${'x9Y'.repeat(8)}`;
const ANSWERED = `dapi${'0badcafe'.repeat(4)}`;
const LARGE = `hf_${'LargeCanary'.repeat(3)}A`;

const CANARIES: ReadonlyArray<string> = [
  ...KINDS.map(({ secret }) => secret),
  ...Object.values(HOST),
  ...Object.values(HOST).map((value) => encodeURIComponent(value)),
  ...Object.values(HOST).map((value) => Buffer.from(value).toString('base64').replace(/=+$/, '')),
].concat(THINKING, SPOKEN, ARGUMENT, TYPED, STEERED, LATER, DOCUMENT, COMMITTED, ADDRESS, THROWN, ANSWERED, LARGE);

/** The canaries that the text holds, as they are or as JSON writes them. */
function found(text: string): ReadonlyArray<string> {
  return CANARIES.filter((canary) => text.includes(canary) || text.includes(JSON.stringify(canary).slice(1, -1)));
}

const FILES = {
  'secrets.txt': KINDS.map(({ text }) => `${text}\n`).join('\n'),
  'large.log': `${'a line of the log\n'.repeat(1500)}${LARGE}\n`,
  'AGENTS.md': `# Project\n\nThe maps key is ${DOCUMENT}, use it.\n`,
};

const SCRIPT: NonNullable<ScriptInput['turns']> = [
  {
    thinking: { text: `The password is password="${THINKING}", I must not tell.`, always: true },
    text: `I will use ${SPOKEN} for that.`,
    deltaChars: 3,
    toolCalls: [
      { use: 'read', path: 'secrets.txt' },
      { use: 'read', path: 'large.log' },
    ],
  },
  { toolCalls: [{ use: 'write', path: 'config.ini', content: `token: ${ARGUMENT}\n` }] },
  { toolCalls: [{ use: 'shell', command: 'cat secrets.txt; cat secrets.txt >&2; cat config.ini; git log' }] },
  { toolCalls: [{ use: 'shell', command: `git ls-remote https://ada:${ADDRESS}@127.0.0.1:1/x.git` }] },
  { toolCalls: [{ use: 'grep', pattern: '.*', path: 'secrets.txt' }] },
  { toolCalls: [{ name: 'leak', args: {} }] },
  { toolCalls: [{ name: 'throw', args: {} }] },
  { text: 'Done.' },
  { text: 'And later.' },
  { fault: { kind: 'status', status: 400, message: `bad key ${ANSWERED}`, times: 'forever' }, text: 'x' },
];

/** The tools of a careless author: one tells the host's secrets, one fails with a request's headers in its error. */
function carelessProfile(): SessionOptions['profile'] {
  const profile = createAnthropicProfile();
  const parameters = { type: 'object', properties: {} };
  const forms = Object.entries(HOST).map(([name, value]) => [
    `${name} is ${value}`,
    `https://example.test/?q=${encodeURIComponent(value)}`,
    Buffer.from(`ada:${value}`).toString('base64'),
    Buffer.from(value).toString('base64'),
  ]);
  profile.toolRegistry.register({
    definition: { name: 'leak', description: 'Tells.', parameters },
    executor: async (_args, _environment, context) => {
      for (const piece of JSON.stringify(forms).match(/.{1,5}/g) ?? []) context?.onOutput?.(piece);
      return JSON.stringify(forms);
    },
  });
  profile.toolRegistry.register({
    definition: { name: 'throw', description: 'Fails.', parameters },
    executor: async () => {
      throw Object.assign(new Error(`401: {"headers":{"Authorization":"Basic ${THROWN}"}}`), { cause: THROWN });
    },
  });
  return profile;
}

function filesBelow(folder: string): ReadonlyArray<string> {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file).isFile());
}

function bodiesOf(simulator: Simulator): ReadonlyArray<{ readonly messages: ReadonlyArray<unknown> }> {
  return simulator.requests().map(({ body }) => body as { messages: ReadonlyArray<unknown> });
}

describe('secrets planted everywhere in a session on the wire', () => {
  it('are in no journal, side file, event, error, log or request, and the resumed session sends the same bytes', async () => {
    for (const [name, value] of Object.entries(HOST)) vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    const printed: string[] = [];
    for (const stream of [process.stdout, process.stderr]) {
      const spy = vi.spyOn(stream, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
      onTestFinished(() => spy.mockRestore());
    }
    const root = makeFolder(FILES);
    const state = makeFolder();
    const git = (...args: ReadonlyArray<string>): unknown =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.test', ...args], { cwd: root, stdio: 'ignore' });
    git('init', '-q');
    git('commit', '-q', '--allow-empty', '-m', `use ${COMMITTED}`);

    const simulator = await startSimulator({ script: { turns: SCRIPT } });
    onTestFinished(() => simulator.close());
    const client = createClient({
      configuration: { providers: { anthropic: { apiKey: 'sk-test', baseUrl: simulator.baseUrls.anthropic } } },
      retry: { baseMs: 1, maxRetries: 1 },
    });
    onTestFinished(() => client.close());
    const file = path.join(state, 'session.jsonl');
    const options = (): SessionOptions & { readonly journal: ReturnType<typeof openJournal> } => ({
      client,
      profile: carelessProfile(),
      environment: createLocalExecutionEnvironment(root, 'inherit_all'),
      journal: openJournal(file),
      config: { provider: 'anthropic', model: 'claude-sonnet-4-5', workingDirectory: root },
    });

    const events: DeliveredEvent[] = [];
    const session = createSession(options());
    const following = follow(session, events);
    session.steer(`use ${STEERED}`);
    await session.submit(`My key is ${TYPED}, and ${JSON.stringify(HOST)}`);
    expect(session.error()).toBeNull();
    const history = session.history();
    await session.close();
    await following;
    const live = bodiesOf(simulator);
    expect(live).toHaveLength(8);

    const back = resumeSession(options());
    const followingBack = follow(back, events);
    expect(back.history()).toEqual(history);
    await back.submit(`password: ${LATER}`);
    await back.submit('once more');
    await followingBack;
    const resumed = bodiesOf(simulator).slice(live.length);

    expect(simulator.failures()).toEqual([]);
    expect(String(back.error())).toContain('bad key');
    expect(resumed.length).toBeGreaterThanOrEqual(2);
    const sent = JSON.stringify(live.at(-1)?.messages).replaceAll(/,"cache_control":\{[^}]*\}/g, '');
    const again = JSON.stringify(resumed[0]?.messages).replaceAll(/,"cache_control":\{[^}]*\}/g, '');
    expect(again.startsWith(sent.slice(0, -1))).toBe(true);

    expect(readFileSync(path.join(root, 'config.ini'), 'utf8')).toBe(`token: ${ARGUMENT}\n`);
    const stored = filesBelow(state);
    expect(stored.some((name) => name.includes('blobs'))).toBe(true);
    for (const name of stored) expect([name, found(readFileSync(name, 'utf8'))]).toEqual([name, []]);
    const error = back.error();
    const shown = {
      requests: JSON.stringify(simulator.requests()),
      events: JSON.stringify(events),
      deltas: events.map((event) => ('text' in event ? event.text : '')).join(''),
      history: JSON.stringify(back.history()),
      error: `${String(error)} ${error?.stack} ${JSON.stringify(error)} ${JSON.stringify(error?.cause)}`,
      logs: printed.join(''),
    };
    for (const [sink, text] of Object.entries(shown)) expect([sink, found(text)]).toEqual([sink, []]);
    expect(CANARIES.length).toBeGreaterThan(90);
    expect(shown.events).toContain('[redacted:github-token]');
  });
});

describe('a mask that the model writes back', () => {
  it('is refused where it would replace the secret, and the secret stays', async () => {
    const env = `TOKEN=${SPOKEN}\nPORT=1\n`;
    const { root, session } = makeSession(
      [
        { calls: [call('read_file', { file_path: '.env.local' })] },
        { calls: [call('write_file', { file_path: '.env.local', content: 'TOKEN=[redacted:token]\nPORT=2\n' })] },
        { calls: [call('shell', { command: 'echo TOKEN=[redacted:token] > .env.local' })] },
        { calls: [call('edit_file', { file_path: '.env.local', old_string: 'PORT=1', new_string: 'PORT=2' })] },
        { text: 'Done.' },
      ],
      { files: { '.env.local': env } },
    );
    await session.submit('set the port to 2');
    const results = session.history().flatMap((turn) => (turn.kind === 'tool_results' ? turn.results : []));
    expect(results.map(({ isError }) => isError)).toEqual([false, true, true, false]);
    expect(results[0]?.output).toContain('[redacted:');
    expect(results[1]?.output).toContain('stands for a secret');
    expect(readFileSync(path.join(root, '.env.local'), 'utf8')).toBe(`TOKEN=${SPOKEN}\nPORT=2\n`);
  });
});
