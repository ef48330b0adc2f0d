import { execFile, execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { attractorHere } from './attractor-here.ts';
import { COMMAND, makeFolder, runAttractor } from './attractor.ts';

type Ran = { readonly code: number; readonly stdout: string; readonly stderr: string };

test('a command reads JSON from a pipe, ends where nothing comes, and bears a reader that goes away', async () => {
  const home = makeFolder();
  const repository = path.join(home, 'repository');
  execFileSync('git', ['init', '--quiet', '-b', 'main', repository]);
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.test'];
  execFileSync('git', [...who, '-C', repository, 'commit', '--quiet', '--allow-empty', '-m', 'first']);
  const env = { PATH: '/usr/bin:/bin', HOME: home, NODE: process.execPath, COMMAND };
  const bash = (line: string): Promise<Ran> =>
    new Promise((resolve) => {
      execFile('/bin/bash', ['-c', line], { env, cwd: repository }, (error, stdout, stderr) =>
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
      );
    });
  expect(await attractorHere(['projects', 'create', '--json'], { home, cwd: repository })).toMatchObject({ code: 0 });
  const [piped, nothing, gone, full] = await Promise.all([
    bash(`echo '{"title":"Piped"}' | "$NODE" "$COMMAND" tasks create --json`),
    bash('"$NODE" "$COMMAND" tasks create < /dev/null'),
    bash('set -o pipefail; "$NODE" "$COMMAND" completion bash | true'),
    bash('"$NODE" "$COMMAND" completion bash > /dev/full'),
  ]);
  expect(JSON.parse(piped.stdout)).toMatchObject({ title: 'Piped' });
  expect([nothing.code, nothing.stdout]).toEqual([2, '']);
  expect([gone.code, gone.stderr]).toEqual([0, '']);
  expect([full.code, full.stderr]).toEqual([
    1,
    expect.stringMatching(/^attractor: stdout can't be written: ENOSPC.*\n$/),
  ]);
});

test('a start that is refused does not wait for a pipe that stays open', async () => {
  const line = ['-p', 'hello', '--cwd', '/nowhere/at/all'];
  const { code, stderr } = await runAttractor(line, { home: makeFolder(), stdin: null });
  expect([code, stderr]).toEqual([3, expect.stringContaining('/nowhere/at/all')]);
});
