import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { until } from '@attractor/base/testing';
import { createSandbox } from '@attractor/confine';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { bubblewrapOrSkip, git, sandboxWorld, type SandboxWorld } from './test-support/sandbox-world.ts';

/** A way to make something that a program outside obeys. `at`: what must not be there, while the command still runs. */
type Trap = {
  readonly name: string;
  readonly before?: (world: SandboxWorld) => void;
  readonly command: string;
  readonly at: string;
};

const EVIL = '#!/bin/sh\\ntouch /tmp/evil';

const TRAPS: ReadonlyArray<Trap> = [
  { name: 'commondir', command: 'echo ../x > .git/commondir', at: '.git/commondir' },
  { name: 'commondir, renamed into place', command: 'echo ../x > c; mv c .git/commondir', at: '.git/commondir' },
  { name: 'commondir, a hard link', command: 'echo ../x > .git/c; ln .git/c .git/commondir', at: '.git/commondir' },
  { name: 'commondir, a link', command: 'ln -s /etc/passwd .git/commondir', at: '.git/commondir' },
  { name: 'config.worktree', command: 'echo "[core] fsmonitor=x" > .git/config.worktree', at: '.git/config.worktree' },
  {
    name: 'attributes, where there was no info folder',
    before: ({ root }) => rm(root, '.git/info'),
    command: 'mkdir .git/info; echo "* filter=x" > .git/info/attributes',
    at: '.git/info/attributes',
  },
  {
    name: 'a hook, where there was no folder of hooks',
    before: ({ root }) => rm(root, '.git/hooks'),
    command: `mkdir .git/hooks; printf '${EVIL}' > .git/hooks/post-commit; chmod +x .git/hooks/post-commit`,
    at: '.git/hooks/post-commit',
  },
  {
    name: 'a folder of hooks, made elsewhere and moved',
    before: ({ root }) => rm(root, '.git/hooks'),
    command: `mkdir h; printf '${EVIL}' > h/post-commit; chmod +x h/post-commit; mv h .git/hooks`,
    at: '.git/hooks/post-commit',
  },
  {
    name: 'a submodule that names a program',
    command: 'git init -q --bare m; git -C m config core.fsmonitor ./x; mkdir -p .git/modules; mv m .git/modules/m',
    at: '.git/modules/m/config',
  },
  {
    name: 'the folder that core.hooksPath names',
    before: ({ root }) => git(root, 'config', 'core.hooksPath', 'tools/hooks'),
    command: `mkdir -p tools/hooks; printf '${EVIL}' > tools/hooks/post-commit`,
    at: 'tools/hooks',
  },
  {
    name: 'the file that include.path names',
    before: ({ root }) => git(root, 'config', 'include.path', '../local.config'),
    command: 'echo "[core] fsmonitor=x" > local.config',
    at: 'local.config',
  },
  {
    name: 'the steps of a rebase',
    command: 'mkdir .git/rebase-merge; echo "exec touch /tmp/evil" > .git/rebase-merge/git-rebase-todo',
    at: '.git/rebase-merge/git-rebase-todo',
  },
  { name: 'alternates', command: 'echo /root > .git/objects/info/alternates', at: '.git/objects/info/alternates' },
  {
    name: 'a worktree of another repository',
    command: 'mkdir -p .git/worktrees/w; echo /x > .git/worktrees/w/commondir',
    at: '.git/worktrees/w/commondir',
  },
  {
    name: 'a remote of the old kind',
    command: 'mkdir -p .git/remotes; echo "URL: ext::x" > .git/remotes/o',
    at: '.git/remotes/o',
  },
  { name: 'an editor’s settings', command: 'mkdir .vscode; echo {} > .vscode/tasks.json', at: '.vscode' },
  { name: 'the same, moved into place', command: 'mkdir v; echo {} > v/tasks.json; mv v .vscode', at: '.vscode' },
  {
    name: 'the same, deep down',
    command: 'mkdir -p x/y/z/.vscode; echo {} > x/y/z/.vscode/tasks.json',
    at: 'x/y/z/.vscode',
  },
  {
    name: 'the same, in a folder that is renamed into place',
    command: 'mkdir -p /tmp/n/.idea; cp -r /tmp/n k; mv k l',
    at: 'l/.idea',
  },
  { name: 'in other letters', command: 'echo x > .EnvRC', at: '.EnvRC' },
  {
    name: 'a program of a new repository',
    command: 'git init -q s; git -C s config core.fsmonitor ./x',
    at: 's/.git/config',
  },
  {
    name: 'a hook of a new repository',
    command: `git init -q s; printf '${EVIL}' > s/.git/hooks/pre-commit`,
    at: 's/.git/hooks/pre-commit',
  },
  { name: 'a bare repository', command: 'git init -q --bare b; git -C b config core.sshCommand ./x', at: 'b/config' },
  { name: 'a .git file that leads elsewhere', command: 'mkdir e; echo "gitdir: /root/x" > e/.git', at: 'e/.git' },
  { name: 'a .git that is a link', command: 'mkdir e f; ln -s ../f e/.git', at: 'e/.git' },
];

function rm(root: string, name: string): void {
  rmSync(path.join(root, name), { recursive: true });
}

describe('what programs outside obey can’t come into being', () => {
  test.for(TRAPS)('$name', async ({ before, command, at }, context) => {
    const world = await sandboxWorld(context);
    before?.(world);
    await world.run('true');
    const running = world.run(`{ ${command}; }; touch made; until [ -e go ]; do sleep 0.02; done; rm -f go made`);
    await until(() => existsSync(path.join(world.root, 'made')));
    await until(() => !existsSync(path.join(world.root, at)));
    writeFileSync(path.join(world.root, 'go'), '');
    const { stderr } = await running;
    expect(stderr).toContain('sandbox.filesystem.allowWrite');
    expect(existsSync(path.join(world.root, at))).toBe(false);
  });
});

describe('git works as it does outside', () => {
  const WORKS: ReadonlyArray<{ readonly name: string; readonly command: string; readonly says: RegExp }> = [
    {
      name: 'a new repository in a subfolder, with its configuration and commits, in one command',
      command: `git init -q s && cd s && git config user.email x@y && echo 1 > f && git add f && git commit -qm one && git log --oneline | wc -l`,
      says: /^1\n$/,
    },
    {
      name: 'a clone of the workspace',
      command:
        'git clone -q . c && git -C c log --oneline | wc -l && git -C c switch -qc t && git -C c status --porcelain',
      says: /^1\n$/,
    },
    {
      name: 'a new worktree, and a commit in it',
      command:
        'git worktree add -q w -b w 2>&1 && cd w && echo 2 > f && git add f && git commit -qm two && git log --oneline | wc -l',
      says: /^2\n$/,
    },
    {
      name: 'a rebase that stops, and goes on',
      command: `git switch -qc t && echo t > a.txt && git commit -qam t && git switch -q main && echo m > a.txt && git commit -qam m && git switch -q t; git rebase main >/dev/null 2>&1; echo both > a.txt; git add a.txt; GIT_EDITOR=true git rebase --continue >/dev/null 2>&1; git log --format=%s`,
      says: /^t\nm\nfirst\n$/,
    },
    {
      name: 'a bare repository to push to',
      command: 'git init -q -b main --bare b && git push -q b main && git -C b log --oneline | wc -l',
      says: /^1\n$/,
    },
  ];

  test.for(WORKS)('$name', async ({ command, says }, context) => {
    const world = await sandboxWorld(context);
    const { stdout, stderr } = await world.run(command);
    expect({ stdout, stderr }).toEqual({ stdout: expect.stringMatching(says), stderr: '' });
    expect(readdirSync(world.root, { recursive: true }).filter((name) => String(name).includes('refused'))).toEqual([]);
  });

  test('a repository that is made at the top of a plain folder stays the command’s own for the session', async (context) => {
    const world = await sandboxWorld(context);
    rmSync(path.join(world.root, '.git'), { recursive: true });
    expect(await world.run('git init -q && git config user.name me')).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await world.run('git config user.email me@x && git add a.txt && git commit -qm one')).toMatchObject({
      exitCode: 0,
      stderr: '',
    });
    const { stderr } = await world.run('git config core.pager "touch evil"; echo x > .git/hooks/pre-push');
    expect(stderr).toMatch(/\.git\/config was put aside[^]*hooks\/pre-push was put aside/);
    expect(git(world.root, 'log', '--format=%s')).toBe('one\n');
  });

  test('commits of a submodule and of a nested repository, whose settings stay closed', async (context) => {
    const world = await sandboxWorld(context);
    git(world.top, 'init', '-q', '-b', 'main', 'other');
    git(path.join(world.top, 'other'), 'commit', '-q', '--allow-empty', '-m', 'o');
    git(world.root, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', '../other', 'sub');
    git(world.root, 'init', '-q', 'nested');
    const { stdout, stderr, exitCode } = await world.run(
      'for d in sub nested; do (cd $d && echo 1 > f && git add f && git commit -qm mine && git log -1 --format=%s); done',
    );
    expect({ stdout, stderr, exitCode }).toEqual({ stdout: 'mine\nmine\n', stderr: '', exitCode: 0 });
    await world.run(
      'git -C sub config core.pager evil; echo evil > .git/modules/sub/hooks/pre-push; git -C nested config core.pager evil; echo evil > nested/.git/hooks/pre-push',
    );
    for (const folder of ['.git/modules/sub', 'nested/.git']) {
      expect(readFileSync(path.join(world.root, folder, 'config'), 'utf8')).not.toContain('evil');
      expect(existsSync(path.join(world.root, folder, 'hooks/pre-push'))).toBe(false);
    }
  });

  test('a commit from a workspace that is a subfolder of a repository', async (context) => {
    const world = await sandboxWorld(context);
    const folder = path.join(world.root, 'packages');
    const inside = await sandboxWorld(context, { roots: [folder], homes: [world.home] });
    const environment = createLocalExecutionEnvironment(folder, 'inherit_core', {
      sandbox: inside.sandbox,
      env: { PATH: '/usr/bin:/bin', HOME: world.home },
    });
    const done = await environment.execCommand(
      'echo 1 > f && git add f && git commit -qm below && git log -1 --format=%s',
      60_000,
    );
    expect(done).toMatchObject({ stdout: 'below\n', exitCode: 0 });
    await environment.execCommand(
      'git config core.pager evil; echo evil > ../.git/hooks/x; echo evil > ../a.txt; echo evil > ../.git/commondir; sleep 0.1',
    );
    await environment.cleanup();
    expect(readFileSync(path.join(world.root, '.git/config'), 'utf8')).not.toContain('evil');
    expect(existsSync(path.join(world.root, '.git/hooks/x'))).toBe(false);
    expect(existsSync(path.join(world.root, '.git/commondir'))).toBe(false);
    expect(readFileSync(path.join(world.root, 'a.txt'), 'utf8')).toBe('one\n');
  });
});

test('what a killed process left is put aside by the next one, and what a person made since is not', async (context) => {
  const world = await sandboxWorld(context);
  const records = path.join(world.top, 'records');
  const program = [
    `import { createSandbox, findSandbox } from '@attractor/confine';`,
    `import { createLocalExecutionEnvironment } from '@attractor/agent';`,
    `const found = await findSandbox({ roots: [] });`,
    `const [root, records, home] = ${JSON.stringify([world.root, records, world.home])};`,
    `const sandbox = createSandbox({ bubblewrap: found, roots: [root], records, homes: [home] });`,
    `const environment = createLocalExecutionEnvironment(root, 'inherit_core', { sandbox });`,
    `for (let n = 0; n < 3; n++) await environment.execCommand('true', 60000);`,
    `void environment.execCommand('until [ -e go ]; do :; done; mkdir -p .cursor s .git/rebase-merge; echo 1 > .cursor/x; echo 1 > .git/commondir; git init -q s; echo "[core] pager = x" >> s/.git/config; echo "exec x" > .git/rebase-merge/git-rebase-todo; while :; do date +%N > beat; sleep 0.05; done', 600000);`,
    // Held up, so that nothing is put aside before it is killed.
    `const { existsSync, writeFileSync } = await import('node:fs');`,
    `await new Promise((resolve) => setTimeout(resolve, 1500)); writeFileSync(root + '/go', ''); while (true) existsSync(root);`,
  ].join('\n');
  const file = path.resolve(import.meta.dirname, `../../../../.cache/killed-${process.pid}.ts`);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, program);
  onTestFinished(() => rmSync(file, { force: true }));
  const child = spawn(process.execPath, [file], { stdio: 'ignore' });
  await until(() => existsSync(path.join(world.root, 'beat')));
  child.kill('SIGKILL');
  await until(() => isQuiet(path.join(world.root, 'beat')));
  expect(existsSync(path.join(world.root, '.git/commondir'))).toBe(true);
  mkdirSync(path.join(world.root, '.zed'));
  utimesSync(
    path.join(records, readdirSync(records)[0] ?? ''),
    new Date(),
    new Date(statSync(path.join(world.root, 'beat')).mtimeMs - 4_500),
  );
  writeFileSync(path.join(world.root, '.zed/settings.json'), 'a person’s');
  const bubblewrap = await bubblewrapOrSkip(context);
  const next = createSandbox({ bubblewrap, roots: [world.root], homes: [world.home], records });
  const lines = await next.refused();
  await next.close();
  expect(lines.map((line) => /sandbox: (\S+)/.exec(line)?.[1]).toSorted()).toEqual([
    '.cursor',
    '.git/commondir',
    '.git/rebase-merge/git-rebase-todo',
    's/.git/config',
  ]);
  expect(existsSync(path.join(world.root, '.zed/settings.json'))).toBe(true);
  expect(readdirSync(records)).toEqual([]);
});

function isQuiet(file: string): boolean {
  return Date.now() - statSync(file).mtimeMs > 1_000;
}

test('a command that makes the same thing again and again is ended', async (context) => {
  const world = await sandboxWorld(context);
  const { exitCode, stderr } = await world.environment.execCommand(
    'while :; do echo x > .git/commondir; done 2>/dev/null',
    60_000,
  );
  expect({ exitCode, stderr }).toEqual({ exitCode: 137, stderr: expect.stringContaining('more.]') });
  await until(() => !existsSync(path.join(world.root, '.git/commondir')));
  await world.sandbox.close();
  expect(existsSync(path.join(world.root, '.git/commondir'))).toBe(false);
});

test('what a person allows is left alone', async (context) => {
  const world = await sandboxWorld(context);
  const allowed = await sandboxWorld(context, {
    roots: [world.root],
    allowWrite: [path.join(world.root, '.vscode'), world.beside],
  });
  const environment = createLocalExecutionEnvironment(world.root, 'inherit_core', {
    sandbox: allowed.sandbox,
    env: { PATH: '/usr/bin:/bin' },
  });
  const { stderr } = await environment.execCommand(
    'mkdir .vscode && echo {} > .vscode/tasks.json && echo new > ../beside/b.txt',
    60_000,
  );
  await environment.cleanup();
  expect(stderr).toBe('');
  expect(existsSync(path.join(world.root, '.vscode/tasks.json'))).toBe(true);
  expect(readFileSync(path.join(world.beside, 'b.txt'), 'utf8')).toBe('new\n');
});
