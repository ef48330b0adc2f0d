import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { until } from '@attractor/base/testing';
import { createSandbox, findSandbox, programFiles, type SandboxFound, startProgram } from '@attractor/confine';
import { systemCallFilter, without } from '@attractor/confine/testing';

import { bubblewrapOrSkip, SECRET, sandboxWorld } from './test-support/sandbox-world.ts';
import { sandboxVerdict } from '@attractor/policy';

function folder(): string {
  const made = mkdtempSync(path.join(os.tmpdir(), 'attractor-test-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

describe('finding a sandbox', () => {
  test('a program inside the workspace, or open to everybody, is passed over', async () => {
    const inside = path.join(folder(), 'bwrap');
    copyFileSync('/bin/true', inside);
    const found = await findSandbox({ roots: [path.dirname(inside)], candidates: [inside] });
    expect(found).toMatchObject({ available: false, reason: expect.stringContaining('where commands may write') });
    const open = path.join(folder(), 'bwrap');
    copyFileSync('/bin/true', open);
    chmodSync(open, 0o777);
    expect(await findSandbox({ roots: [], candidates: [open] })).toMatchObject({
      available: false,
      reason: expect.stringContaining('can be replaced by others'),
    });
  });

  test('a program of the same name on the search path is never looked at', async () => {
    expect(await findSandbox({ roots: [], candidates: ['bwrap', '/nowhere/bwrap'] })).toMatchObject({
      available: false,
    });
  });

  test('what the program says when the kernel refuses is the reason', async () => {
    const program = path.join(folder(), 'bwrap');
    writeFileSync(
      program,
      '#!/bin/sh\necho "bwrap: No permissions to create new namespace: Operation not permitted" >&2\nexit 1\n',
    );
    chmodSync(program, 0o755);
    expect(await findSandbox({ roots: [], candidates: [program] })).toMatchObject({
      available: false,
      reason: 'bwrap: No permissions to create new namespace: Operation not permitted',
      remedy: expect.stringContaining('user namespaces'),
    });
  });

  test('an older program is asked for what it knows', async () => {
    const program = path.join(folder(), 'bwrap');
    writeFileSync(
      program,
      '#!/bin/sh\nfor w; do case $w in --disable-userns|--size) echo "bwrap: Unknown option $w" >&2; exit 1;; esac; done\n',
    );
    chmodSync(program, 0o755);
    const found = await findSandbox({ roots: [], candidates: [program] });
    expect(found).toEqual({ available: true, path: program, lacks: ['--disable-userns', '--size'] });
    expect(without(['--a', '--size', '1', '--b'], ['--size'])).toEqual(['--a', '--b']);
  });
});

describe('who may start without a sandbox', () => {
  const none: SandboxFound = { available: false, reason: 'bwrap: the kernel said no', remedy: 'Fix it.' };
  const some: SandboxFound = { available: true, path: '/usr/bin/bwrap', lacks: [] };
  const ask = (
    mode: 'default' | 'bypassPermissions',
    interactive: boolean,
    sandbox: SandboxFound = none,
    allowUnsandboxed = false,
  ) => sandboxVerdict({ mode, interactive, sandbox, allowUnsandboxed });

  test('an unattended run, and bypassPermissions anywhere, are refused in one line with the reason', () => {
    for (const verdict of [ask('default', false), ask('bypassPermissions', false), ask('bypassPermissions', true)]) {
      expect(verdict).toMatchObject({
        kind: 'refused',
        message: expect.stringMatching(/^[^\n]*the kernel said no[^\n]*--allow-unsandboxed[^\n]*$/),
      });
    }
  });

  test('a person at a terminal is told once; one who allowed it is not', () => {
    expect(ask('default', true)).toMatchObject({
      kind: 'unsandboxed',
      notice: expect.stringContaining('the kernel said no'),
    });
    expect(ask('bypassPermissions', false, none, true)).toEqual({ kind: 'unsandboxed', notice: null });
    expect(ask('bypassPermissions', false, some)).toEqual({ kind: 'sandboxed' });
  });
});

describe('commands inside', () => {
  test('a command is asked to end first, and may tidy up', async (context) => {
    const world = await sandboxWorld(context);
    const { timedOut, exitCode } = await world.environment.execCommand(
      `trap 'echo tidied > tidied; exit 7' TERM; touch ready; while :; do sleep 0.05; done`,
      1_500,
    );
    expect({ timedOut, exitCode }).toEqual({ timedOut: true, exitCode: 7 });
    expect(existsSync(path.join(world.root, 'tidied'))).toBe(true);
  });

  test('one that does not listen is killed, with all that it started', async (context) => {
    const world = await sandboxWorld(context);
    const { timedOut, stdout } = await world.environment.execCommand(
      `trap '' TERM; (trap '' TERM; setsid sleep ${nap(0)}) & echo begun; sleep ${nap(0)}`,
      700,
    );
    expect({ timedOut, stdout }).toEqual({ timedOut: true, stdout: 'begun\n' });
    await until(() => !isAsleep(0));
  });

  test('what goes on in the background ends with the command', async (context) => {
    const world = await sandboxWorld(context);
    const { stdout } = await world.run(`setsid sleep ${nap(1)} >/dev/null 2>&1 & echo done`);
    expect(stdout).toBe('done\n');
    await until(() => !isAsleep(1));
  });

  test('exit codes, output and working directory are those of the command', async (context) => {
    const world = await sandboxWorld(context);
    mkdirSync(path.join(world.root, 'sub'));
    const ended = await world.environment.execCommand('pwd; echo err >&2; exit 3', { workingDir: 'sub' });
    expect(ended).toMatchObject({ exitCode: 3, stdout: `${world.root}/sub\n`, stderr: 'err\n' });
  });

  test('an abort ends it', async (context) => {
    const world = await sandboxWorld(context);
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 300);
    await expect(world.environment.execCommand(`sleep ${nap(2)}`, { signal: controller.signal })).rejects.toThrow(
      'stopped on request',
    );
    await until(() => !isAsleep(2));
  });

  test('a command beside the conversation runs inside as well, and ends when asked', async (context) => {
    const world = await sandboxWorld(context);
    const out: string[] = [];
    const running = await world.environment.startCommand?.(`cat ~/.netrc; echo begun; sleep ${nap(3)}`, {
      onOutput: (chunk) => void out.push(Buffer.from(chunk).toString()),
    });
    await until(() => out.join('').includes('begun'));
    expect(out.join('')).not.toContain(SECRET);
    await running?.kill();
    await until(() => !isAsleep(3));
  });
});

describe('what a sandbox leaves on the host', () => {
  test('nothing, neither while a command runs nor afterwards, and not in a folder without a repository', async (context) => {
    const world = await sandboxWorld(context);
    const plain = path.join(world.beside, 'plain');
    mkdirSync(plain);
    const bubblewrap = await bubblewrapOrSkip(context);
    const second = createSandbox({ bubblewrap, roots: [plain], homes: [world.home] });
    const other = createLocalExecutionEnvironment(plain, 'inherit_core', {
      sandbox: second,
      env: { PATH: '/usr/bin:/bin' },
    });
    for (const [root, run] of [
      [world.root, world.run],
      [plain, (command: string) => other.execCommand(command, 60_000)],
    ] as const) {
      const before = readdirSync(root, { recursive: true }).toSorted();
      const running = run('ls -A; touch begun; until [ -e go ]; do sleep 0.02; done; rm go begun');
      await until(() => existsSync(path.join(root, 'begun')));
      expect(
        readdirSync(root, { recursive: true })
          .filter((name) => name !== 'begun')
          .toSorted(),
      ).toEqual(before);
      writeFileSync(path.join(root, 'go'), '');
      const { stdout, stderr } = await running;
      expect({ stdout: stdout.split('\n').filter(Boolean).toSorted(), stderr }).toEqual({
        stdout: readdirSync(root).toSorted(),
        stderr: '',
      });
      expect(readdirSync(root, { recursive: true }).toSorted()).toEqual(before);
    }
    await other.cleanup();
    await second.close();
  });

  test('its own folder is for its owner alone, and is removed (T17)', async (context) => {
    const world = await sandboxWorld(context);
    const { args, release } = world.sandbox.wrap({ argv: ['/bin/true'], cwd: world.root });
    const own = path.dirname(args[1] ?? '');
    expect(statSync(own).mode & 0o777).toBe(0o700);
    for (const name of ['launch', 'filter', 'empty'].filter((each) => existsSync(path.join(own, each)))) {
      expect(statSync(path.join(own, name)).mode & 0o077).toBe(0);
    }
    release();
    await world.sandbox.close();
    expect(existsSync(own)).toBe(false);
  });
});

test('its own folder is closed to commands even when it lies in the workspace; the whole file system is not a workspace', async (context) => {
  const bubblewrap = await bubblewrapOrSkip(context);
  const root = folder();
  const sandbox = createSandbox({ bubblewrap, roots: [root], homes: [], scratch: root });
  const environment = createLocalExecutionEnvironment(root, 'inherit_core', {
    sandbox,
    env: { PATH: '/usr/bin:/bin' },
  });
  const { args, release } = sandbox.wrap({ argv: ['/bin/true'], cwd: root });
  const launcher = args[1] ?? '';
  const own = path.dirname(launcher);
  const before = readFileSync(launcher, 'utf8');
  await environment.execCommand(`echo evil > '${launcher}'; rm -rf '${own}'; mv '${own}' ./moved-away`);
  expect(readFileSync(launcher, 'utf8')).toBe(before);
  release();
  await environment.cleanup();
  await sandbox.close();
  expect(() => createSandbox({ bubblewrap, roots: ['/'] })).toThrow('whole file system');
});

test('commands die with the process that started them', async (context) => {
  const bubblewrap = await bubblewrapOrSkip(context);
  const root = folder();
  const sandbox = createSandbox({ bubblewrap, roots: [root] });
  const { file, args, release } = sandbox.wrap({ argv: ['/bin/sleep', nap(4)], cwd: root });
  const child = spawn(file, args, { stdio: 'ignore' });
  await until(() => isWatched(4));
  child.kill('SIGKILL');
  await until(() => !isAsleep(4));
  expect(child.killed).toBe(true);
  release();
  await sandbox.close();
});

test('file tools have the limits of commands: secrets of a home that is the workspace stay closed', async (context) => {
  const bubblewrap = await bubblewrapOrSkip(context);
  const { home } = await sandboxWorld(context);
  const sandbox = createSandbox({ bubblewrap, roots: [home], homes: [home] });
  const environment = createLocalExecutionEnvironment(home, 'inherit_core', {
    sandbox,
    env: { PATH: '/usr/bin:/bin', HOME: home },
  });
  writeFileSync(path.join(home, 'plain.txt'), `${SECRET} in plain sight\n`);
  const { stdout } = await environment.execCommand(
    'cat .ssh/* .aws/* .netrc; echo evil > .zshenv; echo evil >> .bashrc; cat .bashrc',
  );
  expect(stdout).toBe('true\n');
  for (const file of ['.ssh/id_ed25519', '.aws/credentials', '.netrc', '.bash_history']) {
    await expect(environment.readFile(file)).rejects.toThrow('secrets');
    await expect(environment.writeFile(file, 'x')).rejects.toThrow(/secrets|protected/);
  }
  await expect(environment.changeFiles?.([{ kind: 'write', path: '.aws/credentials', content: '' }])).rejects.toThrow(
    'secrets',
  );
  expect((await environment.grep('CANARY', '.')).split('\n')).toEqual([expect.stringContaining('plain.txt:1:')]);
  expect((await environment.listDirectory('.')).map(({ name }) => name)).not.toContain('.ssh');
  expect(await environment.readText('.claude/skills/s/SKILL.md')).toBe('a skill\n');
  await environment.cleanup();
  await sandbox.close();
  expect(existsSync(path.join(home, '.zshenv'))).toBe(false);
});

test('the filter is whole instructions for the machines it is made for, and nothing for others', () => {
  expect((systemCallFilter('arm64')?.length ?? 1) % 8).toBe(0);
  expect((systemCallFilter('x64')?.length ?? 1) % 8).toBe(0);
  expect(systemCallFilter('mips')).toBeNull();
});

/** As long as nobody else sleeps: told apart by the number. */
const nap = (which: number): string => `${process.pid}.${which}`;

const isAsleep = (which: number): boolean => sleepers(which).length > 0;

/** The first process inside ties its life to bubblewrap's after it has started the command, and then only waits for it. */
function isWatched(which: number): boolean {
  return sleepers(which).some((pid) => {
    const parent = /^PPid:\s*(\d+)$/m.exec(readOr(`/proc/${pid}/status`))?.[1];
    // Some kernels tell nobody where a process waits: 0.
    return ['do_wait', '0'].includes(readOr(`/proc/${parent}/wchan`));
  });
}

/** Bubblewrap's own command line ends with the same words, so the first word counts as well. */
function sleepers(which: number): ReadonlyArray<string> {
  const lines = new Set([`sleep\0${nap(which)}\0`, `/bin/sleep\0${nap(which)}\0`]);
  return readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && lines.has(readOr(`/proc/${pid}/cmdline`)));
}

function readOr(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

test('a program that a person keeps below /tmp runs with the files beside it, and can change none of them', async (context) => {
  const world = await sandboxWorld(context);
  const [kept, other] = [folder(), folder()];
  const script = path.join(kept, 'run.sh');
  writeFileSync(path.join(kept, 'beside'), 'as it was');
  writeFileSync(script, `cat ${kept}/beside; echo changed > ${kept}/beside; ls ${other}`);
  const argv = ['/bin/sh', script] as const;
  const wrapped = world.sandbox.wrap({ argv, cwd: world.root, readable: programFiles(argv) });
  const { file, args, env, release } = wrapped;
  const { stdout, stderr } = spawnSync(file, args, { encoding: 'utf8', env: { PATH: '/usr/bin:/bin', ...env } });
  release();
  expect(stdout).toBe('as it was');
  expect(stderr).toContain('Read-only');
  expect(stderr).toContain('No such file');
  expect(readFileSync(path.join(kept, 'beside'), 'utf8')).toBe('as it was');
});

test('a program below /tmp finds the packages above it, and is found by its name alone', async (context) => {
  const world = await sandboxWorld(context);
  const kept = folder();
  for (const place of ['dist', 'node_modules/dep', 'node_modules/.bin'])
    mkdirSync(path.join(kept, place), { recursive: true });
  writeFileSync(path.join(kept, 'node_modules/dep/index.js'), "module.exports = 'of a package';");
  writeFileSync(path.join(kept, 'dist/run.js'), '#!/usr/bin/env node\nconsole.log(require("dep"));');
  chmodSync(path.join(kept, 'dist/run.js'), 0o755);
  symlinkSync('../../dist/run.js', path.join(kept, 'node_modules/.bin/tool'));
  const PATH = [path.join(kept, 'node_modules/.bin'), path.dirname(process.execPath), '/usr/bin', '/bin'].join(':');
  const said = async (argv: readonly [string, ...string[]]): Promise<string> => {
    const { child, end } = startProgram({
      argv,
      readable: programFiles(argv),
      cwd: world.root,
      env: { PATH },
      inherited: {},
      sandbox: world.sandbox,
      mark: 'tmp',
    });
    const words: string[] = [];
    child.stdout?.on('data', (text: Buffer) => words.push(text.toString()));
    child.stderr?.on('data', (text: Buffer) => words.push(text.toString()));
    await new Promise((resolve) => child.once('close', resolve));
    await end({ askAfterMs: 1, killAfterMs: 1 });
    return words.join('');
  };
  expect(await said([process.execPath, path.join(kept, 'dist/run.js')])).toBe('of a package\n');
  expect(await said(['tool'])).toBe('of a package\n');
});
