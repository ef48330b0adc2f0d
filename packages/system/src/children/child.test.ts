import { execFileSync, spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { gone, isRunning, makeFolder, until } from '@attractor/base/testing';

import { type Leaving, type LeftChild, signalGroup, superviseChild } from './child.ts';
import { isOrphaned, ownMark } from './survivors.ts';

/** A command that is followed by a clock of the test's own. `there`: once it has made a file of this name. */
function start(command: string, timeoutMs: number, leaving?: Leaving) {
  const root = makeFolder();
  const child = spawn('/bin/bash', ['-c', command], { cwd: root, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => signalGroup(child.pid, 'SIGKILL'));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const ended = superviseChild(child, { timeoutMs, leaving });
  const at = (name: string): string => path.join(root, name);
  return { pid: child.pid ?? 0, ended, at, there: (name: string) => until(() => existsSync(at(name))) };
}

describe('a command that takes too long', () => {
  it('is asked to end, with its whole group, at its time and not before (AC4.5)', async () => {
    const inner = `bash -c 'trap "touch asked; exit" TERM; touch ready; while :; do sleep 0.05; done'`;
    const { ended, at, there } = start(`${inner} & wait`, 5_000);
    await there('ready');
    vi.advanceTimersByTime(4_999);
    await wait(100);
    expect(existsSync(at('asked'))).toBe(false);
    vi.advanceTimersByTime(1);
    await there('asked');
    expect(await ended).toMatchObject({ timedOut: true, signal: 'SIGTERM' });
  });

  it('and does not end when it is asked to is killed two seconds later, and not before (AC4.5)', async () => {
    const { pid, ended, there } = start(`trap '' TERM; touch ready; while :; do sleep 0.05; done`, 5_000);
    await there('ready');
    vi.advanceTimersByTime(5_000 + 1_999);
    await wait(200);
    expect(isRunning(pid)).toBe(true);
    vi.advanceTimersByTime(1);
    await gone(pid);
    expect(await ended).toMatchObject({ timedOut: true, signal: 'SIGKILL' });
  });
});

it('goes on without a limit of time once whoever waited has left it, and is heard from then on', async () => {
  const leaving = new AbortController();
  const taken: LeftChild[] = [];
  const heard: string[] = [];
  const take = (left: LeftChild) => {
    taken.push(left);
    return (chunk: Uint8Array) => void heard.push(Buffer.from(chunk).toString());
  };
  const { pid, ended, at, there } = start(
    'echo before; touch ready; until [ -e go ]; do sleep 0.05; done; echo after; exit 3',
    5_000,
    { signal: leaving.signal, take },
  );
  await there('ready');
  leaving.abort();
  vi.advanceTimersByTime(60_000);
  writeFileSync(at('go'), '');
  expect(await taken[0]?.ended).toEqual({ exitCode: 3, signal: null });
  expect(taken[0]).toMatchObject({ pid });
  expect(`${taken[0]?.said}${heard.join('')}`).toBe('before\nafter\n');
  expect(await ended).toMatchObject({ timedOut: false, aborted: false, exitCode: 3 });
});

it('has left nothing behind if its pipes were closed while we were busy with something else', async () => {
  const child = spawn('/bin/bash', ['-c', 'sleep 0.2 & echo said'], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = superviseChild(child, {});
  child.once('exit', () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 800));
  expect(await ended).toMatchObject({ exitCode: 0, stdout: 'said\n', pipeHeld: false });
});

describe('a process whose owner can’t be looked at', () => {
  it('is no orphan: nothing is ended because no further file can be opened', () => {
    const [space, pid, start] = ownMark().split('-');
    expect([ownMark(), `${space}-${pid}-1`, `${space}-${pid}-`, `1-${pid}-${start}`].map(isOrphaned)).toEqual([
      false,
      true,
      false,
      false,
    ]);
    const script = `
      import { openSync } from 'node:fs';
      const { isOrphaned } = await import(process.argv[1]);
      const before = isOrphaned(process.argv[2]);
      try { for (;;) openSync('/dev/null'); } catch {}
      const whenFull = isOrphaned(process.argv[2]);
      process.exit(before || whenFull ? 1 : 0);`;
    const module = path.join(import.meta.dirname, 'survivors.ts');
    const words = ['ulimit -n 200; exec "$@"', 'x', process.execPath, '--input-type=module', '-e', script];
    execFileSync('/bin/bash', ['-c', ...words, module, ownMark()], { env: { PATH: '/usr/bin:/bin' } });
  });
});
