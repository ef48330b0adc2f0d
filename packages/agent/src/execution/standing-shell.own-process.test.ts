import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { asyncProperty, assert, string } from 'fast-check';
import { anyCharacter } from '@attractor/base/testing/any-character';
import { describe, expect, it, onTestFinished } from 'vitest';
import { defined } from '@attractor/base';
import { bundledProgram, gone, isRunning, makeFolder, runs, until } from '@attractor/base/testing';

import type { ExecutionEnvironment } from '../types/index.ts';
import { createLocalExecutionEnvironment } from './local.ts';
import { PAIRS } from './shell-order.ts';

const open = (): { readonly root: string; readonly env: ExecutionEnvironment } => {
  const root = makeFolder({ 'in.txt': 'in\n', 'sub/below.txt': 'below\n' });
  const env = createLocalExecutionEnvironment(root, 'inherit_core', {
    env: { PATH: '/usr/bin:/bin', HOME: root, LANG: 'C.UTF-8', SHLVL: '3', SECRET_TOKEN: 'x' },
  });
  onTestFinished(() => env.cleanup());
  return { root, env };
};

/** With a standing shell that waits for its first command. */
const openWarm = async () => {
  const opened = open();
  await opened.env.execCommand('true');
  return opened;
};

const output = async (env: ExecutionEnvironment, command: string, workingDir?: string): Promise<string> =>
  (await env.execCommand(command, defined({ workingDir }))).stdout;

describe('the standing shell', () => {
  it('starts every command but the first, and is replaced when it is used up', async () => {
    const { env } = open();
    const parents: number[] = [];
    const others = () => parents.filter((pid) => pid !== process.pid);
    while (new Set(others()).size < 3) parents.push(Number(await output(env, 'echo $PPID')));
    expect(parents[0]).toBe(process.pid);
    // On a busy machine a command may come before the shell has told that the one before is over: then we start it.
    expect(others().length).toBeGreaterThan(parents.length / 2);
    for (const [, commands] of Map.groupBy(others(), (pid) => pid)) expect(commands.length).toBeLessThanOrEqual(PAIRS);
  });

  it.each([
    ['variables', 'env | grep -v ^ATTRACTOR_COMMAND= | sort'],
    [
      'shell variables',
      "set | grep -Ev '^(ATTRACTOR_COMMAND|BASHPID|PPID|EPOCH.*|RANDOM|SECONDS|SRANDOM|BASH_EXECUTION_STRING)='",
    ],
    ['shell options and name', 'echo "$0 $- $SHELLOPTS $BASHOPTS $_"'],
    ['signals', "grep -E '^(Sig|Shd)(Blk|Ign|Cgt|Pnd)' /proc/self/status"],
    ['traps', 'trap; echo none'],
    ['descriptors', 'for fd in /proc/$$/fd/*; do echo "${fd##*/} $(readlink $fd | tr -d 0-9)"; done'],
    ['limits and mask', 'ulimit -a; umask; nice'],
    ['folder', 'pwd; pwd -P; echo $PWD; cat in.txt'],
    ['group', '[ "$(cut -d" " -f5 </proc/$$/stat)" = $$ ] && echo leader'],
    ['terminal', 'tty; ( : </dev/tty ) 2>&1 | grep -o "No such.*"'],
    ['jobs', 'sleep 0.01 & wait; jobs; kill -INT $$ ; echo not here'],
  ])('gives a command the same %s as we do', async (_, command) => {
    const { env } = open();
    const first = await env.execCommand(command);
    const second = await env.execCommand(command);
    expect(second).toEqual({ ...first, durationMs: second.durationMs });
    expect(first.stdout + first.exitCode).not.toBe('0');
  });

  it('hands any text on byte for byte', async () => {
    const { env } = await openWarm();
    const text = string({ unit: anyCharacter(), maxLength: 200 }).map((drawn) => drawn.replaceAll('\0', ''));
    await assert(
      asyncProperty(text, async (drawn) => {
        const command = `cat /proc/$$/cmdline; exit\n${drawn}'"\\$\\\n\u00e9`;
        expect(await output(env, command)).toBe(`/bin/bash\0--norc\0-c\0${Buffer.from(command).toString()}\0`);
      }),
      { numRuns: runs(60, 5_000) },
    );
  });

  it('enters the folder that was asked for, and tells where a command ended', async () => {
    const { root, env } = await openWarm();
    expect(await output(env, 'cat below.txt; pwd', 'sub')).toBe(`below\n${path.join(root, 'sub')}\n`);
    const moved = await env.execCommand('cd sub && cat below.txt', { tellWorkingDir: true });
    expect(moved).toMatchObject({ stdout: 'below\n', workingDir: 'sub' });
    mkdirSync(path.join(root, "a'b \n$(touch x)"));
    expect(await output(env, 'basename "$PWD"', "a'b \n$(touch x)")).toBe("a'b \n$(touch x)\n");
    expect(existsSync(path.join(root, 'x'))).toBe(false);
  });

  it('keeps the late output of what one command left behind out of the next', async () => {
    const { env } = await openWarm();
    const left = await env.execCommand('(trap "" TERM; sleep 0.3; echo late) & echo one');
    expect(left.stdout).toMatch(/^one\n(late\n)?$/);
    expect(await output(env, 'sleep 0.4; echo two')).toBe('two\n');
  });

  it('that a command kills takes that command with it, and no other', async () => {
    const { env } = await openWarm();
    const killed = await env.execCommand('echo before; kill -9 $PPID; sleep 300', 60_000);
    expect(killed).toMatchObject({ stdout: 'before\n', signal: 'SIGKILL', timedOut: false });
    for (const word of ['one', 'two', 'three']) expect(await output(env, `echo ${word}`)).toBe(`${word}\n`);
  });

  it('that ends before its last line was read has not killed its last command', async () => {
    const { root, env } = await openWarm();
    for (let pair = 1; pair < 8; pair++) await env.execCommand('true');
    const last = env.execCommand('echo $PPID > shell; until [ -e go ]; do sleep 0.01; done; exit 3', 60_000);
    await until(() => existsSync(path.join(root, 'shell')) && readFileSync(path.join(root, 'shell'), 'utf8') !== '');
    const shell = Number(readFileSync(path.join(root, 'shell'), 'utf8'));
    // Another child's end and its output come in the same turn. While the output is read, the shell ends: its end is then found first.
    const other = spawn('/bin/echo', ['x'], { stdio: ['ignore', 'pipe', 'ignore'] });
    other.stdout.once('data', () => {
      writeFileSync(path.join(root, 'go'), '');
      blockUntil(() => hasEnded(shell));
    });
    await new Promise(setImmediate);
    blockUntil(() => hasEnded(other.pid ?? 0));
    expect(await last).toMatchObject({ exitCode: 3 });
    expect(await output(env, 'echo next')).toBe('next\n');
  });

  it('lets a command be called off before it is known which process it is', async () => {
    const { root, env } = await openWarm();
    const stopper = new AbortController();
    const running = env.execCommand('trap "" INT; sleep 0.5; touch ran; sleep 300', {
      signal: stopper.signal,
      timeoutMs: 600_000,
    });
    stopper.abort();
    await expect(running).rejects.toMatchObject({ code: 'aborted' });
    await wait(600);
    expect(existsSync(path.join(root, 'ran'))).toBe(false);
    expect(await output(env, 'echo next')).toBe('next\n');
  });

  it('is not used for variables that a shell itself obeys', async () => {
    const root = makeFolder({});
    const env = createLocalExecutionEnvironment(root, 'inherit_all', { env: { PATH: '/usr/bin:/bin', TMOUT: '1' } });
    onTestFinished(() => env.cleanup());
    await env.execCommand('true');
    expect(Number(await output(env, 'echo $PPID'))).toBe(process.pid);
  });

  it('hands on variables that are called like anything of its own', async () => {
    const own = { n: '1', o: '2', attractor_order: '3' };
    const env = createLocalExecutionEnvironment(makeFolder({}), 'inherit_all', {
      env: { PATH: '/usr/bin:/bin', ...own },
    });
    onTestFinished(() => env.cleanup());
    await env.execCommand('true');
    expect(await output(env, 'echo $n $o $attractor_order')).toBe('1 2 3\n');
  });

  it('has an end with its environment, and holds up no process that is done', async () => {
    for (const how of ['cleanup', 'exit', 'kill'] as const) {
      const root = makeFolder({});
      const program = bundledProgram(path.join(import.meta.dirname, '../test-support/standing-shell-child.ts'));
      const child = spawn(process.execPath, [program, root, how], { stdio: ['ignore', 'pipe', 'inherit'] });
      const [shell] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
      if (how === 'kill') {
        expect(isRunning(Number(shell))).toBe(true);
        child.kill('SIGKILL');
      }
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      await gone(Number(shell));
    }
  });

  it('is one of few, however many environments there are', async () => {
    const shells = (): number =>
      readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && parentOf(pid) === process.pid).length;
    const before = shells();
    const all = Array.from({ length: 24 }, () => open().env);
    await Promise.all(all.map((env) => env.execCommand('true')));
    await wait(50);
    expect(shells() - before).toBeLessThanOrEqual(16);
    expect(await Promise.all(all.map((env) => output(env, 'echo here')))).toEqual(all.map(() => 'here\n'));
  });
});

/** Without a turn of the loop. */
function blockUntil(isSo: () => boolean): void {
  const nobody = new Int32Array(new SharedArrayBuffer(4));
  for (let tries = 0; tries < 60_000 && !isSo(); tries++) Atomics.wait(nobody, 0, 0, 1);
}

/** Whether nobody has learned of it yet or not. */
function hasEnded(pid: number): boolean {
  const [state = 'Z'] = fieldsOf(pid);
  return state === 'Z' || state === 'X';
}

function parentOf(pid: string): number {
  return Number(fieldsOf(pid)[1] ?? 0);
}

/** From the state on. */
function fieldsOf(pid: string | number): ReadonlyArray<string> {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}
