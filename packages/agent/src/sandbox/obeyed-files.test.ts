import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { bundledProgram, runs, soakProgress, soakSeed, until } from '@attractor/base/testing';
import { createSandbox } from '@attractor/confine';
import { diceOf } from '@attractor/policy/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { drawObstacle, drawRound, lookOutside, openRounds, writeContents } from './test-support/obeyed-rounds.ts';
import { layTraps, makeThing, prepareObedience, THINGS } from './test-support/obeyed-things.ts';
import { bubblewrapOrSkip, git, sandboxWorld } from './test-support/sandbox-world.ts';

const LONGEST_MS = 120_000;

describe('what programs outside obey can’t come into being', () => {
  test('however it is made: it is put aside while the command runs, and git outside never obeys it', async (context) => {
    const [seed, worlds, rounds] = [soakSeed(3), runs(2, 140), runs(3, 50)];
    const tell = soakProgress({ what: 'things that programs outside obey', seed, count: worlds * rounds * ZONES });
    for (let number = 0; number < worlds; number += 1) {
      const own = seed + number;
      const { roll } = diceOf(own);
      const hooks = own % 2 === 0 ? '.git/hooks' : 'tools/hooks';
      const world = await openRounds(context, hooks);
      for (let round = 0; round < rounds; round += 1) {
        const made = drawRound(round, hooks, roll);
        const found = await world.round(made, drawObstacle(made, roll));
        expect(found, `SOAK_SEED=${String(own)}, round ${String(round)}`).toEqual([]);
        tell((number * rounds + round + 1) * ZONES);
      }
      await world.close();
    }
  });

  test('is obeyed where nothing holds it off: the traps are live', async (context) => {
    const live = [
      '.git/commondir',
      '.git/hooks/post-index-change',
      'local.config',
      's/.git/config',
      'e/.git',
      'led/.git',
      'tools/conv.sh',
    ];
    const obeyed: string[] = [];
    for (const thing of live.flatMap((name) => THINGS.find(({ at }) => at === name) ?? [])) {
      const world = await sandboxWorld(context);
      const isMarked = layTraps(world);
      prepareObedience(world.root, '.git/hooks');
      const content = writeContents(world).get(thing.text) ?? '';
      const words = makeThing(thing, 'written', { count: 0, content });
      execFileSync('/bin/bash', ['-c', words], { cwd: world.root, stdio: 'ignore' });
      for (const look of ['status', 'log -1 -p', 'update-index --refresh'])
        lookOutside(world.root, [{ thing }], look.split(' '));
      if (isMarked()) obeyed.push(thing.at);
    }
    expect(obeyed).toEqual(live);
  });
});

describe('what git outside obeys already can’t be changed, wherever it lies', () => {
  type Kept = { readonly name: string; readonly before: string; readonly command: string; readonly look: string };
  const hook = (at: string): string =>
    `mkdir -p ${path.dirname(at)}; (echo '#!/bin/sh'; echo '%') > ${at}; chmod +x ${at}`;
  const monitor = (at: string): string => `echo '[core] fsmonitor = %' >> ${at}`;
  const KEPT: ReadonlyArray<Kept> = [
    {
      name: 'a bare repository',
      before: 'git init -q --bare b',
      command: hook('b/hooks/update'),
      look: 'git push -q b HEAD:refs/heads/x$$',
    },
    {
      name: 'a repository that a file leads to',
      before: 'git init -q --separate-git-dir store',
      command: monitor('store/config'),
      look: 'git status',
    },
    {
      name: 'a repository that a link leads to',
      before: 'mv .git store; ln -s store .git',
      command: monitor('store/config'),
      look: 'git status',
    },
    {
      name: 'hooks behind a link',
      before: 'mkdir real; ln -s real tools; git config core.hooksPath tools/hooks',
      command: hook('real/hooks/post-index-change'),
      look: 'touch n$$; git add n$$',
    },
    {
      name: 'hooks in a folder that is moved away',
      before: 'mkdir -p tools/hooks; touch tools/hooks/x; git config core.hooksPath tools/hooks',
      command: `mv tools other; ${hook('tools/hooks/post-index-change')}`,
      look: 'touch n$$; git add n$$',
    },
    {
      name: 'a link in place of which there is a folder',
      before: 'mkdir real; ln -s real hooks; git config core.hooksPath hooks',
      command: `rm hooks; ${hook('hooks/post-index-change')}`,
      look: 'touch n$$; git add n$$',
    },
    {
      name: 'an included file, with a comment behind its name',
      before: `printf '[include]path = "../lo\\\ncal".config # mine\n' >> .git/config`,
      command: monitor('local.config'),
      look: 'git status',
    },
    {
      name: 'an included file in a folder that is moved away',
      before: 'mkdir c; touch c/c; git config include.path ../c/c',
      command: `mv c d; mkdir c; ${monitor('c/c')}`,
      look: 'git status',
    },
    {
      name: 'the last of seven files that include each other',
      before:
        'git config include.path ../c0; for n in 0 1 2 3 4 5 6; do git config -f c$n include.path c$((n + 1)); done',
      command: monitor('c7'),
      look: 'git status',
    },
    {
      name: 'a program of the workspace',
      before: 'git config diff.external "sh tools/d.sh"; mkdir tools; echo : > tools/d.sh',
      command: 'echo % > tools/d.sh',
      look: 'git diff',
    },
    {
      name: 'a submodule of a worktree',
      before: 'mkdir e',
      command: `git init -q --bare .git/worktrees/w/modules/x; git -C .git/worktrees/w/modules/x config core.bare false; ${monitor('.git/worktrees/w/modules/x/config')}; echo "gitdir: ../.git/worktrees/w/modules/x" > e/.git`,
      look: 'git -C e status',
    },
    {
      name: 'what is hidden among the objects of a submodule that is none',
      before: 'mkdir e',
      command: `echo "gitdir: ../.git/modules/a/objects/x" > e/.git; git init -q --bare .git/modules/a/objects/x; : > .git/modules/a/HEAD; git -C .git/modules/a/objects/x config core.bare false; ${monitor('.git/modules/a/objects/x/config')}`,
      look: 'git -C e status',
    },
  ];

  test('in no repository of the workspace, and all of it would be obeyed', async (context) => {
    const world = await sandboxWorld(context);
    const inEach = (words: (kept: Kept) => string): string =>
      KEPT.map((kept, at) => `(cd r${at}; ${words(kept).replaceAll('%', `${world.top}/trap${at}`)})`).join('\n');
    const outside = (words: string): void =>
      void spawnSync('/bin/bash', ['-c', words], { cwd: world.root, stdio: 'ignore' });
    const look = inEach((kept) => kept.look);
    const obeyed = (): ReadonlyArray<string> =>
      KEPT.filter((_, at) => existsSync(path.join(world.top, `MARK${at}`))).map(({ name }) => name);
    for (const at of KEPT.keys())
      writeFileSync(path.join(world.top, `trap${at}`), `#!/bin/sh\n: > '${world.top}/MARK${at}'\n`, { mode: 0o755 });
    const author = 'git -c user.name=A -c user.email=a@example.com';
    outside(
      `git init -q r; (cd r; echo one > a.txt; git add a.txt; ${author} commit -qm first; echo two > a.txt; rm -rf .git/hooks .git/info)`,
    );
    outside(`for n in {0..${KEPT.length - 1}}; do cp -r r r$n; done; ${inEach(({ before }) => before)}`);
    const command = inEach((kept) => kept.command);
    await world.run(command);
    outside(look);
    expect(obeyed()).toEqual([]);
    await world.sandbox.close();
    outside(`${command}\n${look}`);
    expect(obeyed()).toEqual(KEPT.map(({ name }) => name));
  });
});

test('a folder of git’s that a person closed can’t be changed: the kernel refuses', async (context) => {
  const around = await sandboxWorld(context);
  const closed = await sandboxWorld(context, { roots: [around.root], denyWrite: [path.join(around.root, '.git')] });
  const env = { PATH: '/usr/bin:/bin', HOME: around.home };
  const environment = createLocalExecutionEnvironment(around.root, 'inherit_core', { sandbox: closed.sandbox, env });
  const names = (): ReadonlyArray<string> =>
    readdirSync(path.join(around.root, '.git'), { recursive: true }).map(String);
  const before = names();
  const { stdout, stderr } = await environment.execCommand(
    'for f in commondir config.worktree x; do echo x > .git/$f; mkdir .git/$f; cp a.txt .git/$f; done; git log -1 --format=%s',
    LONGEST_MS,
  );
  await environment.cleanup();
  expect([stdout, stderr.match(/Read-only file system/g)?.length, names()]).toEqual(['first\n', 9, before]);
});

const ZONES = new Set(THINGS.map(({ zone }) => zone)).size;

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
    `void environment.execCommand('until [ -e go ]; do sleep 0.05; done; mkdir -p .cursor s .git/rebase-merge; echo 1 > .cursor/x; echo 1 > .git/commondir; git init -q s; echo "[core] pager = x" >> s/.git/config; echo "exec x" > .git/rebase-merge/git-rebase-todo; while :; do date +%N > beat; sleep 0.05; done', 600000);`,
    // Held up, so that nothing is put aside before it is killed.
    `const { writeFileSync } = await import('node:fs');`,
    `await new Promise((resolve) => setTimeout(resolve, 1500)); writeFileSync(root + '/go', ''); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);`,
  ].join('\n');
  const file = path.resolve(import.meta.dirname, `../../../../.cache/killed-${process.pid}.ts`);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, program);
  onTestFinished(() => rmSync(file, { force: true }));
  const child = spawn(process.execPath, [bundledProgram(file)], { stdio: 'ignore' });
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

test('a folder that was removed and made anew is looked at like any other, held open or not, by a command or a person', async (context) => {
  const world = await sandboxWorld(context);
  const place = (name: string): string => path.join(world.root, name);
  const anew = (name: string): string =>
    `mkdir -p ${name}/y; touch ${name}/y/1; sleep 0.2; exec 9< ${name}; ${name === 'q' ? 'exec 9<&-;' : ''} rm -r ${name}; mkdir -p ${name}/y/.idea; echo x > ${name}/y/.idea/w.xml`;
  const { stderr } = await world.run(
    `${anew('p')}; ${anew('q')}; mkdir r; sleep 0.2; rm -r r; mkdir r; echo x > r/.mcp.json`,
  );
  expect(['p/y/.idea/w.xml', 'q/y/.idea/w.xml', 'r/.mcp.json'].filter((name) => existsSync(place(name)))).toEqual([]);
  expect(stderr).toMatch(/p\/y\/\.idea[^]*q\/y\/\.idea[^]*r\/\.mcp\.json/);
  // A moment later what changes is a person's.
  await wait(400);
  rmSync(place('p'), { recursive: true });
  mkdirSync(place('p/y/.idea'), { recursive: true });
  writeFileSync(place('p/y/.idea/mine.xml'), 'a person’s');
  expect((await world.run('touch p/y/2; sleep 0.1')).stderr).toBe('');
  expect(existsSync(place('p/y/.idea/mine.xml'))).toBe(true);
});

test('what was put aside stays where it is, in a folder in which every name counts too', async (context) => {
  const world = await sandboxWorld(context);
  const { stderr } = await world.run(
    'for d in hooks info remotes branches; do mkdir -p .git/$d; echo x > .git/$d/o 2>/dev/null; done; git init -q s; mkdir -p s/.git/hooks; echo x > s/.git/hooks/pre-push; sleep 1.2',
  );
  expect(stderr.match(/\.refused_\w+ was put aside/g)).toBeNull();
  expect((await world.run('touch s/1; sleep 0.1')).stderr).toBe('');
});

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

test('a folder of hooks that a person names during a session counts at once, while a command runs, and in a worktree', async (context) => {
  const { root, run, environment } = await sandboxWorld(context);
  await run('mkdir tools && echo x > tools/a');
  git(root, 'config', 'core.hooksPath', 'tools');
  expect((await run('echo x > tools/pre-commit')).stderr).toContain('Read-only');
  const running = environment.execCommand('touch made; until [ -e go ]; do sleep 0.02; done; rm go', LONGEST_MS);
  await until(() => existsSync(path.join(root, 'made')));
  git(root, 'config', 'core.hooksPath', 'later');
  await run('mkdir later && echo x > later/pre-commit');
  await until(() => !existsSync(path.join(root, 'later')));
  writeFileSync(path.join(root, 'go'), '');
  await running;
  git(root, 'config', 'core.hooksPath', 'hooks-of-all');
  const tree = path.join(path.dirname(root), 'tree');
  git(root, 'worktree', 'add', '-q', tree);
  const sandbox = createSandbox({ bubblewrap: await bubblewrapOrSkip(context), roots: [tree] });
  const other = createLocalExecutionEnvironment(tree, 'inherit_core', { sandbox });
  onTestFinished(async () => {
    await other.cleanup();
    await sandbox.close();
  });
  await other.execCommand('mkdir hooks-of-all && echo x > hooks-of-all/pre-commit', LONGEST_MS);
  expect(existsSync(path.join(tree, 'hooks-of-all'))).toBe(false);
});
