import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { makeFolder, until } from '@attractor/base/testing';
import { expect, it, onTestFinished } from 'vitest';
import { leftRunning } from './left-running.ts';

it('finds a program that was started in a folder of the run and whose starter has ended', async () => {
  const folder = makeFolder();
  const starter = spawn('/bin/sh', ['-c', 'sleep 1000 & echo $!; wait'], { env: { HOME: folder } });
  const [text] = await once(starter.stdout, 'data');
  const pid = Number(String(text));
  onTestFinished(() => void process.kill(pid));
  expect(leftRunning(folder)).toEqual([]);
  starter.kill('SIGKILL');
  await until(() => leftRunning(folder).length === 1);
  expect(leftRunning(folder)).toEqual([{ pid, line: 'sleep 1000' }]);
});
