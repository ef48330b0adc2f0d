import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '@attractor/base/testing';
import { examineTrust, type HookRun, readSetup, trustRepository } from '@attractor/settings';
import { expect, it } from 'vitest';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { openSessionHooks } from './session-hooks.ts';
import { openSessionServers } from './session-servers.ts';

const HOOK = '#!/bin/sh\ntouch ran\n';

async function makeWorld(command: object, event = 'PreToolUse') {
  const home = makeFolder();
  const hooks = { [event]: [{ hooks: [{ type: 'command', ...command }] }] };
  const root = makeFolder({
    '.git/HEAD': '',
    '.claude/settings.json': JSON.stringify({ hooks }),
    '.mcp.json': JSON.stringify({ mcpServers: { own: { command: 'node', args: ['server.mjs'] } } }),
    'scripts/h.sh': HOOK,
    'server.mjs': 'process.exit(1)',
    'README.md': 'x',
  });
  const trust = () => trustRepository(examineTrust(root, { home }), { home });
  expect(await trust()).toMatchObject({ ok: true });
  const setup = await readSetup({ home, userHome: home, folder: root, env: process.env });
  const environment = createLocalExecutionEnvironment(root);
  const session = openSessionHooks({
    definitions: setup.hooks,
    cwd: root,
    outputFolder: makeFolder(),
    environment,
    sandbox: null,
  });
  const runs: HookRun[] = [];
  const fire = (workingDir = '.') =>
    session?.fire(
      event === 'Stop' ? 'Stop' : 'PreToolUse',
      { tool_name: 'Bash' },
      {
        signal: new AbortController().signal,
        workingDir,
        onRun: (run) => void runs.push(run),
      },
    );
  return { home, root, trust, setup, fire, runs };
}

const COMMANDS = [
  { command: 'sh ./scripts/h.sh' },
  { command: 'sh', args: ['scripts/h.sh'] },
  { command: 'sh "$CLAUDE_PROJECT_DIR"/scripts/h.sh' },
];

it.each(COMMANDS)(
  'S8: a trusted hook with a script that was edited since does not run, and what it guards is refused: %j',
  async (command) => {
    const { root, fire, runs } = await makeWorld(command);
    expect((await fire())?.block).toBeNull();
    expect(existsSync(path.join(root, 'ran'))).toBe(true);
    writeFileSync(path.join(root, 'scripts/h.sh'), 'touch evil\n');
    expect((await fire())?.block).toMatch(
      /scripts\/h\.sh changed since a person trusted it: .*`attractor trust grant`\.\nWhat changed:\nscripts\/h\.sh \(changed\)\n  -#!\/bin\/sh\n  -touch ran\n  \+touch evil$/,
    );
    expect(existsSync(path.join(root, 'evil'))).toBe(false);
    expect(runs.at(-1)).toMatchObject({ status: 'error', problem: expect.stringContaining('scripts/h.sh changed') });
  },
);

it('a person who trusts what changed, here or in a worktree of it, lets it run from then on', async () => {
  const { home, root, trust, fire, setup } = await makeWorld({ command: 'sh ./scripts/h.sh' });
  writeFileSync(path.join(root, 'scripts/h.sh'), 'touch second\n');
  expect((await fire())?.block).toMatch(/changed since a person trusted it/);
  expect(await trust()).toMatchObject({ ok: true });
  expect((await fire())?.block).toBeNull();
  expect(existsSync(path.join(root, 'second'))).toBe(true);

  const git = (...args: ReadonlyArray<string>) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: root, stdio: 'pipe' });
  rmSync(path.join(root, '.git'), { recursive: true });
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-qm', 'first');
  const worktree = path.join(makeFolder(), 'tree');
  git('worktree', 'add', '-q', worktree);
  writeFileSync(path.join(worktree, 'scripts/h.sh'), 'touch third\n');
  const session = openSessionHooks({
    definitions: setup.hooks,
    cwd: worktree,
    outputFolder: makeFolder(),
    environment: createLocalExecutionEnvironment(worktree),
    sandbox: null,
  });
  const inTree = () =>
    session?.fire(
      'PreToolUse',
      { tool_name: 'Bash' },
      { signal: new AbortController().signal, workingDir: '.', onRun: () => undefined },
    );
  expect((await inTree())?.block).toContain(`in ${worktree} see`);
  expect(await trustRepository(examineTrust(worktree, { home }), { home })).toMatchObject({ ok: true });
  expect((await inTree())?.block).toBeNull();
  expect(existsSync(path.join(worktree, 'third'))).toBe(true);
  writeFileSync(path.join(worktree, 'scripts/h.sh'), 'touch fourth\n');
  expect((await inTree())?.block).toMatch(/changed since a person trusted it/);
});

it('a hook that guards nothing is left out alone: the work goes on', async () => {
  const { root, fire } = await makeWorld({ command: 'sh ./scripts/h.sh' }, 'Stop');
  appendFileSync(path.join(root, 'scripts/h.sh'), 'touch evil\n');
  expect((await fire())?.block).toBeNull();
  expect(existsSync(path.join(root, 'ran'))).toBe(false);
});

it('a script of the same name in the folder that the agent went to was never trusted', async () => {
  const { root, fire } = await makeWorld({ command: 'sh ./scripts/h.sh' });
  const sub = path.join(root, 'sub/scripts');
  mkdirSync(sub, { recursive: true });
  writeFileSync(path.join(sub, 'h.sh'), 'touch evil\n');
  expect((await fire('sub'))?.block).toMatch(/sub\/scripts\/h\.sh changed/);
  expect(existsSync(path.join(root, 'sub/evil'))).toBe(false);
});

it('after a change the repository is asked about again, with the difference; the old bytes bring the trust back', async () => {
  const { root, home } = await makeWorld({ command: 'sh ./scripts/h.sh' });
  writeFileSync(path.join(root, 'scripts/h.sh'), 'touch evil\n');
  const changed = examineTrust(root, { home });
  expect(changed.state).toBe('changed');
  expect(changed.difference.map(({ path: name, change }) => [name, change])).toEqual([['scripts/h.sh', 'changed']]);
  writeFileSync(path.join(root, 'scripts/h.sh'), HOOK);
  writeFileSync(path.join(root, 'README.md'), 'another');
  expect(examineTrust(root, { home }).state).toBe('trusted');
});

it('a server of the repository with a changed program is not started', async () => {
  const { root, setup, home } = await makeWorld({ command: 'sh ./scripts/h.sh' });
  const log = path.join(root, 'started');
  writeFileSync(
    path.join(root, 'server.mjs'),
    `import fs from 'node:fs'; fs.writeFileSync(${JSON.stringify(log)}, 'x')`,
  );
  const trusted = new Map(setup.loaded.trust.files.map((file) => [file.path, file.sha256]));
  const { mcp } = openSessionServers({
    settings: setup.servers,
    disabled: [],
    trusted,
    cwd: root,
    sandbox: null,
    home,
    version: '0',
  });
  expect(await mcp.ready()).toMatchObject([
    { problem: { message: expect.stringContaining('server.mjs changed since') } },
  ]);
  await mcp.close();
  expect(existsSync(log)).toBe(false);
});
