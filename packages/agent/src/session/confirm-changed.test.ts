import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '@attractor/base/testing';
import { createMemoryJournal } from '@attractor/journal';
import { createPolicy } from '@attractor/policy';
import { changedSince, examineTrust, readSetup, trustRepository } from '@attractor/settings';
import { expect, it, onTestFinished } from 'vitest';
import type { Approve, SessionOptions } from '../contract/session.ts';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { openSessionHooks } from '../open/session-hooks.ts';
import { createAnthropicProfile } from '../profiles/anthropic.ts';
import { call, createScriptedClient, type Script } from '../testing/scripted-client.ts';
import { createSession, resumeSession } from './session.ts';

type Request = Parameters<Approve>[0];

/** A repository with a trusted hook, whose script was edited since. */
async function makeWorld(script: string) {
  const home = makeFolder();
  const hooks = { PreToolUse: [{ hooks: [{ type: 'command', command: 'sh ./scripts/h.sh' }] }] };
  const root = makeFolder({
    '.git/HEAD': '',
    '.claude/settings.json': JSON.stringify({ hooks }),
    'scripts/h.sh': 'touch first\n',
    'a.txt': 'alpha\n',
  });
  expect(await trustRepository(examineTrust(root, { home }), { home })).toMatchObject({ ok: true });
  const setup = await readSetup({ home, userHome: home, folder: root, env: process.env });
  writeFileSync(path.join(root, 'scripts/h.sh'), script);
  const environment = createLocalExecutionEnvironment(root);
  const journal = createMemoryJournal();
  const open = (replies: Script, more: Partial<SessionOptions> = {}) => {
    const opened = openSessionHooks({ definitions: setup.hooks, cwd: root, environment, sandbox: null });
    if (opened === null) throw new Error('the repository has hooks');
    onTestFinished(opened.close);
    const options: SessionOptions = {
      client: createScriptedClient(replies),
      environment,
      hooks: opened,
      journal,
      profile: createAnthropicProfile(),
      config: { model: 'scripted', provider: 'scripted' },
      policy: createPolicy({ rules: [], mode: 'acceptEdits', root, home: '/nowhere', sandboxed: false }),
      ...more,
    };
    const session = journal.read().length === 0 ? createSession(options) : resumeSession({ ...options, journal });
    onTestFinished(() => session.close());
    return session;
  };
  const has = (name: string): boolean => existsSync(path.join(root, name));
  return { root, home, setup, open, has, journal };
}

const DONE = { text: 'Done.' };
const read = (): ReturnType<typeof call> => call('read_file', { file_path: 'a.txt' });
const results = (session: ReturnType<typeof createSession>): ReadonlyArray<string> =>
  session.history().flatMap((turn) => (turn.kind === 'tool_results' ? turn.results.map(({ output }) => output) : []));

it('a changed script of a trusted hook is asked about with all that changed, once, and runs if a person lets it', async () => {
  const { root, open, has } = await makeWorld('touch second\n');
  const asked: Request[] = [];
  const approve: Approve = async (request) => {
    asked.push(request);
    return { decision: 'approve', contentHash: request.contentHash };
  };
  const session = open([{ calls: [read(), read()] }, { calls: [read()] }, DONE], { approve });
  await session.submit('go');
  expect(asked).toEqual([
    expect.objectContaining({
      toolName: 'trust',
      command: null,
      shown: 'sh ./scripts/h.sh\nscripts/h.sh (changed)\n  -touch first\n  +touch second',
      reason: 'scripts/h.sh changed since a person trusted it, and the PreToolUse hook would run it',
      suggestions: [],
    }),
  ]);
  expect(has('second')).toBe(true);
  expect(results(session)).toEqual(Array.from({ length: 3 }, () => expect.stringContaining('alpha')));

  writeFileSync(path.join(root, 'scripts/h.sh'), 'touch third\n');
  const again = open([{ calls: [read()] }, DONE], {
    approve: async (request) => {
      asked.push(request);
      return { decision: 'reject' };
    },
  });
  await again.submit('go on');
  expect([asked.length, has('third')]).toEqual([2, false]);
});

it('a refusal counts for the same bytes after a restart too, and what the hook guards stays refused', async () => {
  const { open, has } = await makeWorld('touch second\n');
  const asked: Request[] = [];
  const approve: Approve = async (request) => {
    asked.push(request);
    return { decision: 'reject' };
  };
  const first = open([{ calls: [read()] }, DONE], { approve });
  await first.submit('go');
  await first.close();
  const resumed = open([{ calls: [read()] }, DONE], { approve });
  await resumed.submit('go on');
  expect([asked.length, has('second')]).toEqual([1, false]);
  expect(results(resumed).every((output) => output.includes('`attractor trust grant`'))).toBe(true);
});

it('where nobody can be asked, or the change can not be shown, it is refused with the command that trusts it', async () => {
  for (const [script, approve] of [
    ['touch second\n', undefined],
    [
      'touch second\0\n',
      async () => {
        throw new Error('nobody is asked about what can not be seen');
      },
    ],
  ] as const) {
    const { open, has } = await makeWorld(script);
    const session = open([{ calls: [read()] }, DONE], approve === undefined ? {} : { approve });
    await session.submit('go');
    expect(results(session)[0]).toContain('trust it with `attractor trust grant`');
    expect(has('second')).toBe(false);
  }
});

it('a server whose program changed is asked about before its tool is called', async () => {
  const { root, home, setup, open } = await makeWorld('touch first\n');
  writeFileSync(path.join(root, 'scripts/h.sh'), 'touch first\n');
  const trusted = new Map(setup.loaded.trust.files.map((file) => [file.path, file.sha256] as const));
  writeFileSync(path.join(root, 'server.mjs'), 'run()\n');
  const accepted = new Map<string, string>();
  const changed = () => changedSince(['node', 'server.mjs'], { root, trusted, home, accepted });
  const asked: string[] = [];
  const tool = {
    definition: { name: 'mcp__own__go', description: 'goes', parameters: { type: 'object', properties: {} } },
    executor: async () => 'went',
    readOnly: true,
    changed,
  };
  const session = open([{ calls: [call('mcp__own__go', {})] }, { calls: [call('mcp__own__go', {})] }, DONE], {
    toolSources: [{ list: () => [tool] }],
    approve: async (request) => {
      asked.push(`${request.toolName}: ${request.reason}`);
      return { decision: 'approve' };
    },
  });
  await session.submit('go');
  expect(asked.filter((one) => one.startsWith('trust'))).toEqual([
    'trust: server.mjs changed since a person trusted it, and the server of mcp__own__go would run it',
  ]);
  expect(results(session)).toEqual(['went', 'went']);
});
