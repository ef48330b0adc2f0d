import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { defined } from '@attractor/base';
import { measure } from '../test-support/measure.ts';
import { bundledProgram, gone, isRunning, makeFolder, runs, until } from '@attractor/base/testing';

import type { ExecResult } from '../types/index.ts';
import { superviseChild } from '@attractor/system';
import { createLocalExecutionEnvironment } from './local.ts';

const world = (files: Readonly<Record<string, string>> = {}) => {
  const root = makeFolder(files);
  return { root, env: createLocalExecutionEnvironment(root) };
};

/** The first command of an environment is our own child; once that has run, a standing shell starts those that follow. */
const WAYS = ['started by us', 'started by the standing shell'] as const;

const worldFor = async (way: (typeof WAYS)[number]) => {
  const { root, env } = world({ 'warm.txt': 'warm\n' });
  if (way === 'started by the standing shell') await env.execCommand('true');
  return { root, env };
};

/** So long as what is left behind would sleep. */
const SLEPT_MS = 300_000;

/** A command that goes on when another has written down who it is. */
const ONCE_STARTED = 'until [ -s pid ]; do sleep 0.05; done';

/** Gives more and more time to what has to get somewhere before its time is over. */
async function withTimeFor<Result>(run: (limitMs: number) => Promise<Result | null>): Promise<Result> {
  for (let limitMs = 300; ; limitMs *= 4) {
    const result = await run(limitMs);
    if (result !== null) return result;
  }
}

const pidIn = (root: string, file: string): number => Number(readFileSync(path.join(root, file), 'utf8'));

/** Started first and looked at last, since it takes more than ten seconds. */
let slow: Promise<ReadonlyArray<ExecResult>>;
beforeAll(() => {
  const env = createLocalExecutionEnvironment(tmpdir());
  const asked: (number | undefined)[] = [undefined, 60_000, 9_999_999];
  slow = Promise.all(asked.map((timeoutMs) => env.execCommand('sleep 11', timeoutMs)));
});

describe('the working directory', () => {
  it('that is replaced between two commands is the new one for the second; one that is gone is said to be', async () => {
    const { root, env } = world({ name: 'old' });
    expect((await env.execCommand('cat name')).stdout).toBe('old');
    renameSync(root, `${root}-moved`);
    onTestFinished(() => rmSync(`${root}-moved`, { recursive: true, force: true }));
    await expect(env.execCommand('cat name')).rejects.toThrow(/folder|found|exist/i);
    mkdirSync(root);
    writeFileSync(path.join(root, 'name'), 'new');
    expect((await env.execCommand('cat name')).stdout).toBe('new');
    await env.cleanup();
  });
});

describe.each(WAYS)('a command that leaves something behind, %s,', (way) => {
  it.each([
    ['in the background', 'sleep 300 & echo $! > pid; echo done'],
    ['in a session of its own', `setsid bash -c "echo \\$\\$ > pid; exec sleep 300" & ${ONCE_STARTED}; echo done`],
    ['as a daemon of a daemon', `(setsid bash -c "echo \\$\\$ > pid; exec sleep 300" &); ${ONCE_STARTED}; echo done`],
    ['that ignores TERM', '(trap "" TERM; exec sleep 300) & echo $! > pid; echo done'],
  ])('%s returns soon, keeps its output, and ends and lists the rest', async (_, command) => {
    const { root, env } = await worldFor(way);
    const result = await env.execCommand(command, 60_000);
    expect(result).toMatchObject({ stdout: 'done\n', exitCode: 0, timedOut: false });
    expect(result.stderr).toMatch(/left processes running in the background; they were stopped: .*sleep 300 \(\d+\)/);
    expect(result.durationMs).toBeLessThan(SLEPT_MS);
    await gone(pidIn(root, 'pid'));
  });

  it('silently, in a session of its own, is looked after without being waited for', async () => {
    const { root, env } = await worldFor(way);
    const result = await env.execCommand(
      `setsid bash -c "echo \\$\\$ > pid; exec sleep 300" >/dev/null 2>&1 & ${ONCE_STARTED}`,
    );
    expect(result.stderr).toBe('');
    await gone(pidIn(root, 'pid'));
  });

  it('and is killed itself, loses it to whoever runs a command next', async () => {
    const { root, env } = await worldFor(way);
    const owner = spawn(
      process.execPath,
      [
        bundledProgram(path.join(import.meta.dirname, '../test-support/memory-child.ts')),
        root,
        'command',
        'setsid sleep 300 & echo $! > pid; wait',
      ],
      { stdio: 'ignore' },
    );
    onTestFinished(() => void owner.kill('SIGKILL'));
    await until(() => existsSync(path.join(root, 'pid')) && pidIn(root, 'pid') > 0);
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    expect(isRunning(pidIn(root, 'pid'))).toBe(true);
    await env.execCommand('true');
    await gone(pidIn(root, 'pid'));
  });

  it('leaves alone what belongs to another command that still runs', async () => {
    const { root, env } = await worldFor(way);
    const other = createLocalExecutionEnvironment(root);
    const running = other.execCommand('setsid bash -c "echo \\$\\$ > pid; sleep 1; echo finished" & wait', 60_000);
    await until(() => existsSync(path.join(root, 'pid')));
    await env.execCommand('sleep 300 & echo one');
    await env.cleanup();
    expect((await running).stdout).toBe('finished\n');
  });
});

describe.each(WAYS)('a command that takes too long, %s,', (way) => {
  it('gets TERM and may tidy up', async () => {
    const { env } = await worldFor(way);
    const command = 'trap "echo tidied; exit 7" TERM; echo started; while :; do sleep 0.05; done';
    const result = await withTimeFor(async (limitMs) => {
      const ended = await env.execCommand(command, limitMs);
      return ended.stdout.startsWith('started') ? ended : null;
    });
    expect(result).toMatchObject({ timedOut: true, stdout: 'started\ntidied\n', exitCode: 7 });
  });

  it('is ended with everything it started, in and out of its group, on abort and on timeout', async () => {
    const command =
      'setsid bash -c "trap \\"\\" TERM; echo \\$\\$ > pid1; while :; do sleep 0.1; done" & sleep 300 & echo $! > pid2; wait';
    const begun = (root: string): boolean =>
      ['pid1', 'pid2'].every((file) => existsSync(path.join(root, file)) && pidIn(root, file) > 0);
    const aborted = await worldFor(way);
    const controller = new AbortController();
    const running = aborted.env.execCommand(command, { signal: controller.signal, timeoutMs: 600_000 });
    const outcome = running.catch((error: Error) => error);
    await until(() => begun(aborted.root));
    controller.abort();
    expect(await outcome).toMatchObject({ code: 'aborted' });
    const late = await worldFor(way);
    const ended = await withTimeFor(async (limitMs) => {
      const result = await late.env.execCommand(command, limitMs);
      return begun(late.root) ? result : null;
    });
    expect(ended).toMatchObject({ timedOut: true });
    for (const { root } of [aborted, late]) for (const file of ['pid1', 'pid2']) await gone(pidIn(root, file));
  });

  it('never runs when it was called off before', async () => {
    const { root, env } = await worldFor(way);
    await expect(env.execCommand('touch ran', { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'aborted',
    });
    expect(existsSync(path.join(root, 'ran'))).toBe(false);
  });
});

describe.each(WAYS)('how a command ended is told truthfully, %s,', (way) => {
  it.each([
    ['exit 0', { exitCode: 0 }],
    ['exit 200', { exitCode: 200 }],
    ['kill -SEGV $$', { exitCode: 139, signal: 'SIGSEGV' }],
    ['kill -KILL $$', { exitCode: 137, signal: 'SIGKILL' }],
    ['no-such-program-at-all', { exitCode: 127 }],
    ['/etc/passwd', { exitCode: 126 }],
    ['if', { exitCode: 2 }],
  ])('%s', async (command, expected) => {
    const { env } = await worldFor(way);
    const { exitCode, signal } = await env.execCommand(`ulimit -c 0; ${command}`);
    expect({ exitCode, ...defined({ signal }) }).toEqual(expected);
  });

  it('a shell that is not there is an outcome, not a throw', async () => {
    const outcome = await superviseChild(spawn('/nowhere/bash', ['-c', 'true'], { detached: true }), {});
    expect(outcome).toMatchObject({ exitCode: 127, spawnError: { code: 'ENOENT' } });
  });

  it('a command line that is too long says what to do', async () => {
    const { env } = await worldFor(way);
    await expect(env.execCommand(`: ${'x'.repeat(3_000_000)}`)).rejects.toMatchObject({
      code: 'too_large',
      message: expect.stringContaining('write it to a file'),
    });
  });

  it('too many open files is an error to try again', () => {
    const root = makeFolder({ 'warm.txt': 'warm\n' });
    const program = bundledProgram(path.join(import.meta.dirname, '../test-support/few-files-child.ts'));
    const ended = spawnSync('prlimit', ['--nofile=64', process.execPath, program, root], { encoding: 'utf8' });
    expect(JSON.parse(ended.stdout)).toEqual({ code: 'failed', retryable: true, after: 'alive\n' });
  });
});

/** One GiB in a soak (SOAK=1). */
const LONG_OUTPUT_MIB = runs(128, 1024);

describe('output', () => {
  it(`of ${LONG_OUTPUT_MIB} MiB costs at most 50 MB`, async () => {
    const root = makeFolder({ 'warm.txt': 'warm\n' });
    const command = `echo first; head -c ${LONG_OUTPUT_MIB}M /dev/zero; echo; echo last`;
    const { grownBytes, length, start, end } = await measure(root, ['command', command]);
    expect(start?.startsWith('first\n')).toBe(true);
    expect(end).toMatch(/\nlast\n$/);
    expect(length).toBeLessThan(1_100_000);
    expect(grownBytes).toBeLessThan(50e6);
  });

  it('that never ends is cut off when asked to', async () => {
    const { root, env } = world();
    const controller = new AbortController();
    const running = env.execCommand('echo $$ > pid; exec yes', {
      timeoutMs: 600_000,
      signal: controller.signal,
      onOutput: () => controller.abort(),
    });
    await expect(running).rejects.toMatchObject({ code: 'aborted' });
    await gone(pidIn(root, 'pid'));
  });

  it('is reported in few pieces, and complete at the end', async () => {
    const { env } = world();
    const pieces: string[] = [];
    const { stdout } = await env.execCommand('for i in $(seq 10000); do echo "line $i"; done', {
      timeoutMs: 600_000,
      onOutput: (text) => pieces.push(text),
    });
    expect(stdout.split('\n')).toHaveLength(10_001);
    expect(pieces.length).toBeLessThan(1_000);
    expect(pieces.length).toBeGreaterThan(0);
    expect(stdout.endsWith(pieces.at(-1)?.slice(-50) ?? '?')).toBe(true);
  });

  it('keeps characters whole that arrive in pieces, to the onlooker too', async () => {
    const { env } = world();
    const pieces: string[] = [];
    const { stdout } = await env.execCommand(
      String.raw`for i in 1 2 3; do printf '\xf0\x9f'; sleep 0.08; printf '\x98\x80'; sleep 0.08; done; printf '\xf0\x9f'`,
      { onOutput: (text) => pieces.push(text) },
    );
    expect(stdout).toBe('😀😀😀\ufffd');
    expect(pieces.join('').replaceAll('\ufffd', '')).toBe('😀😀😀');
  });

  it('of 64 commands at once stays apart, and stopping one stops no other', async () => {
    const { env } = world();
    const controller = new AbortController();
    const commands = Array.from({ length: 64 }, (_, index) =>
      env.execCommand(`echo start ${index}; sleep ${index === 13 ? 300 : 0.5}; echo end ${index}`, {
        timeoutMs: 600_000,
        ...(index === 13 ? { signal: controller.signal } : {}),
      }),
    );
    setTimeout(() => controller.abort(), 200);
    const results = await Promise.allSettled(commands);
    expect(results.map(({ status }) => status)).toEqual(
      results.map((_, index) => (index === 13 ? 'rejected' : 'fulfilled')),
    );
    results.forEach((result, index) => {
      if (result.status === 'fulfilled') expect(result.value.stdout).toBe(`start ${index}\nend ${index}\n`);
    });
  });
});

describe.each(WAYS)('a command that wants a person, %s,', (way) => {
  it.each([
    ['reads its input', 'cat; read line; echo "got nothing"', 'got nothing\n'],
    [
      'asks for a password',
      'sudo -n true 2>/dev/null; ( : < /dev/tty ) 2>/dev/null || echo no terminal',
      'no terminal\n',
    ],
    ['opens a pager', 'git --no-optional-locks --help >/dev/null 2>&1; $PAGER < /dev/null; echo $GIT_EDITOR', 'true\n'],
  ])('%s and goes on without', async (_, command, expected) => {
    const { env } = await worldFor(way);
    expect((await env.execCommand(command)).stdout).toBe(expected);
  });
});

describe('the time a command may take', () => {
  it('is ten seconds unless told otherwise, and ten minutes at most (AC4.4)', async () => {
    const [byDefault, longer, longest] = await slow;
    expect([byDefault?.timedOut, longer?.timedOut, longest?.timedOut]).toEqual([true, false, false]);
    expect(byDefault?.stderr).toContain('after 10000 ms');
  });
});
