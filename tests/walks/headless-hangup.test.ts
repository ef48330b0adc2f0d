import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ANYWHERE, makeFolder, startAttractor, until } from './attractor.ts';
import { makeExecWorld } from './exec-world.ts';
import { linesOf, makeWorld } from './headless-world.ts';

/** Gives a program a terminal; part of every Debian. */
const TERMINAL = '/usr/bin/script';
const COMMAND = path.resolve(import.meta.dirname, '../../packages/cli/dist/attractor.js');

const STOPPED = { type: 'result', is_error: true, terminal_reason: expect.stringMatching(/^aborted_/) };

/** A command of the model that tells who it is and stays. */
const STAYS = { toolCalls: [{ use: 'shell', command: 'echo $$ > pid; sleep 600' }] };

describe('SIGHUP ends in order, with exit code 129', () => {
  test('attractor -p: with a result line, and with the commands that it had started', async () => {
    const world = await makeWorld([STAYS, { expect: { toolResult: 'interrupted' }, text: 'Gone on.' }]);
    const lines = ['--allowed-tools', 'Bash', '--output-format', 'stream-json'];
    const running = world.open(['-p', 'Go.', ...lines]);
    running.child.stdin?.end();
    const pid = await pidIn(world.folder);
    running.child.kill('SIGHUP');
    const ended = await running.ended;
    expect(ended).toMatchObject({ code: 129, stderr: '' });
    expect(linesOf(ended).at(-1)).toMatchObject(STOPPED);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  test('attractor exec: with a result line', async () => {
    const world = await makeExecWorld({ turns: [{ text: 'x', fault: { kind: 'stall', headers: 'held' } }] });
    const running = world.start(['--output-format', 'json']);
    await until(() => world.simulator.requests()[0], 'the first request');
    running.child.kill('SIGHUP');
    const ended = await running.ended;
    expect(ended.code).toBe(129);
    expect(linesOf(ended)).toEqual([expect.objectContaining({ ...STOPPED, session_id: world.sessionId() })]);
  });

  test('attractor run', async () => {
    const world = await makeWorld([{ text: 'x', delayMs: 600_000 }]);
    const git = ['-C', world.folder, '-c', 'user.name=a', '-c', 'user.email=a@b'];
    execFileSync('git', ['init', '-q', world.folder]);
    execFileSync('git', [...git, 'commit', '-q', '--allow-empty', '-m', 'first']);
    const flags = world.args().filter((flag) => flag !== '--allow-unsandboxed');
    const running = startAttractor(['run', 'Answer 42', '--yes', ...flags, ...ANYWHERE], {
      home: world.home,
      cwd: world.folder,
      env: { ANTHROPIC_API_KEY: 'none' },
    });
    await until(() => world.requests()[0], 'the first request');
    running.child.kill('SIGHUP');
    expect(await running.ended).toMatchObject({ code: 129 });
  });

  test.runIf(existsSync(TERMINAL))(
    'a terminal that is closed: nobody can be told any more, but nothing goes on',
    async () => {
      const world = await makeWorld([STAYS, { text: 'x' }]);
      const code = path.join(makeFolder(), 'code');
      const line = [process.execPath, COMMAND, ...world.args('-p', 'Go.', '--allowed-tools', 'Bash')].join(' ');
      const terminal = spawn(TERMINAL, ['-qec', passingOn(line, code), '/dev/null'], {
        cwd: world.folder,
        env: { PATH: '/usr/bin:/bin', HOME: world.home, SHELL: '/bin/bash', TERM: 'xterm', ANTHROPIC_API_KEY: 'none' },
      });
      onTestFinished(() => void terminal.kill('SIGKILL'));
      const pid = await pidIn(world.folder);
      terminal.kill('SIGKILL');
      const told = await until(() => wholeLine(code), 'the exit code');
      expect(told).toBe('129');
      expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    },
  );
});

/** What a shell does when its terminal goes: passes the hangup on. Here it also notes how the command then ends. */
function passingOn(line: string, code: string): string {
  return `trap 'kill -HUP $pid; wait $pid; echo $? > ${code}' HUP; ${line} & pid=$!; wait $pid`;
}

function pidIn(folder: string): Promise<number> {
  return until(() => {
    const line = wholeLine(path.join(folder, 'pid'));
    return line === undefined ? undefined : Number(line);
  }, 'the command of the model');
}

function wholeLine(file: string): string | undefined {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return text.endsWith('\n') ? text.trim() : undefined;
}
