import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { gone, makeFolder, until } from '@attractor/base/testing';
import { superviseChild } from './child.ts';
import { isStartingElsewhere, startProgram, startProgramsElsewhere } from './start-elsewhere.ts';

function start(args: ReadonlyArray<string>, file = '/bin/sh', cwd = '/') {
  return startProgram({ file, args, cwd, env: { PATH: '/usr/bin:/bin' } });
}

function parentOf(pid: number | undefined): number {
  return Number(/^PPid:\t(\d+)/m.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8'))?.[1]);
}

describe('a program that another process starts for us', () => {
  beforeAll(async () => {
    startProgramsElsewhere();
    await until(isStartingElsewhere);
  });

  it('is not our child, and tells what it prints, how it ends and what it was given', async () => {
    const child = start(['-c', 'read line; echo "$line $PWD ${HOME-none}"; echo no >&2; exit 7'], '/bin/sh', '/tmp');
    await until(() => child.pid !== undefined);
    expect(parentOf(child.pid)).not.toBe(process.pid);
    expect(await superviseChild(child, { stdin: 'grüße\n' })).toMatchObject({
      exitCode: 7,
      stdout: 'grüße /tmp none\n',
      stderr: 'no\n',
      pipeHeld: false,
    });
  });

  it('tells every byte of a long output before its end', async () => {
    const ended = await superviseChild(start(['-c', '5000000', '/dev/zero'], '/usr/bin/head'), {
      maxOutputBytes: 8 << 20,
    });
    expect([ended.stdout.length, ended.omittedBytes, ended.exitCode]).toEqual([5_000_000, 0, 0]);
  });

  it('is ended with its whole group, by time and on request, also before it was there', async () => {
    const late = superviseChild(start(['-c', 'sleep 600 & wait']), { timeoutMs: 50 });
    expect(await late).toMatchObject({ timedOut: true, signal: 'SIGTERM', pipeHeld: false });
    const early = superviseChild(start(['-c', 'sleep 600']), { signal: AbortSignal.abort() });
    expect(await early).toMatchObject({ aborted: true, signal: 'SIGTERM' });
  });

  it.each([
    ['is not there', 'nowhere', '/', 'ENOENT'],
    ['has no folder', '/bin/true', '/nowhere/at/all', 'ENOENT'],
    ['may not be run', '/etc/passwd', '/', 'EACCES'],
    ['has a name that is none', 'a\0b', '/', 'ERR_INVALID_ARG_VALUE'],
  ])('that %s is told as such', async (_what, file, cwd, code) => {
    expect((await superviseChild(start([], file, cwd), {})).spawnError).toMatchObject({ code });
  });

  it('keeps fifty at once apart', async () => {
    const all = Array.from({ length: 50 }, (_, at) => superviseChild(start(['-c', `echo ${at}; exit ${at}`]), {}));
    const told = (await Promise.all(all)).map(({ stdout, exitCode }) => [stdout, exitCode]);
    expect(told).toEqual(Array.from({ length: 50 }, (_, at) => [`${at}\n`, at]));
  });
});

/** A process of its own that starts programs elsewhere; `body` is its text. */
function ownProcess(body: string) {
  const folder = makeFolder();
  const module = path.join(import.meta.dirname, 'start-elsewhere.ts');
  const script = `
    import { appendFileSync } from 'node:fs';
    import { superviseChild } from ${JSON.stringify(path.join(import.meta.dirname, 'child.ts'))};
    import { isStartingElsewhere, startProgram, startProgramsElsewhere } from ${JSON.stringify(module)};
    const tell = (text) => appendFileSync(${JSON.stringify(path.join(folder, 'told'))}, text + '\\n');
    const start = (command) => startProgram({ file: '/bin/sh', args: ['-c', command], cwd: ${JSON.stringify(folder)}, env: {} });
    startProgramsElsewhere();
    while (!isStartingElsewhere()) await new Promise((next) => setTimeout(next, 5));
    const helperOf = (pid) => Number(/^PPid:\\t(\\d+)/m.exec(process.getBuiltinModule('node:fs').readFileSync('/proc/' + pid + '/status', 'utf8'))[1]);
    const there = async (child) => { while (child.pid === undefined) await new Promise((next) => setTimeout(next, 5)); return child.pid; };
    ${body}`;
  const file = path.join(folder, 'own.mjs');
  writeFileSync(file, script);
  const child = spawn(process.execPath, [file], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH: '/usr/bin:/bin' },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const told = (): ReadonlyArray<string> => {
    try {
      return readFileSync(path.join(folder, 'told'), 'utf8').split('\n').slice(0, -1);
    } catch {
      return [];
    }
  };
  return { child, told, folder };
}

describe('the process that starts programs', () => {
  it('does not keep its own alive, and is gone with it', async () => {
    const { child, told } = ownProcess(`
      const one = start('read x');
      tell(String(helperOf(await there(one))));
      await superviseChild(one, {});`);
    const [code] = await new Promise<[number | null]>((resolve) => child.once('exit', (exit) => resolve([exit])));
    expect(code).toBe(0);
    await gone(Number(told()[0]));
  });

  it('lets what it started come to its end when its own is killed, and then goes', async () => {
    const { child, told, folder } = ownProcess(`
      const one = start('touch begun; sleep 1; touch done');
      tell(String(helperOf(await there(one))));
      setInterval(() => undefined, 1_000);`);
    await until(() => told().length > 0);
    child.kill('SIGKILL');
    await gone(Number(told()[0]));
    expect(existsSync(path.join(folder, 'done'))).toBe(true);
  });

  it('that is killed fails what it was doing, and the next program is started all the same', async () => {
    const { child, told } = ownProcess(`
      const one = start('exec sleep 600');
      const helper = helperOf(await there(one));
      process.kill(helper, 'SIGKILL');
      tell((await superviseChild(one, {})).spawnError.message);
      process.kill(one.pid, 'SIGKILL');
      tell((await superviseChild(start('echo again'), {})).stdout.trim());`);
    await new Promise((resolve) => child.once('exit', resolve));
    expect(told()).toEqual(['the process that starts programs has ended', 'again']);
  });
});
