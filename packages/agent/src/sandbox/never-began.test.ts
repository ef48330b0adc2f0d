import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import type { ExecResult } from '../types/index.ts';
import { sandboxWorld, type SandboxWorld } from './test-support/sandbox-world.ts';

type Run = (command: string) => Promise<ExecResult>;

/** Commands whose mounts are planned while a helper of the person listens, and made when it has gone. */
async function amongLeavingHelpers({ home, root, sandbox }: SandboxWorld): Promise<{ run: Run; leave: () => void }> {
  const helper = createServer().listen(path.join(home, 'helper.sock'));
  await once(helper, 'listening');
  let isLeaving = false;
  const environment = createLocalExecutionEnvironment(root, 'inherit_core', {
    env: { PATH: '/usr/bin:/bin', HOME: home },
    sandbox: {
      ...sandbox,
      wrap: (command) => {
        const planned = sandbox.wrap(command);
        if (isLeaving) helper.close();
        return planned;
      },
    },
  });
  onTestFinished(async () => {
    helper.close();
    await environment.cleanup();
  });
  return { run: (command) => environment.execCommand(command, 600_000), leave: () => (isLeaving = true) };
}

test('a socket that goes away while a sandbox is made costs no command', async (context) => {
  const world = await sandboxWorld(context);
  const { run, leave } = await amongLeavingHelpers(world);
  expect(await run('echo first >> ran; exit 3')).toMatchObject({ exitCode: 3 });
  leave();
  expect(await run('echo second >> ran')).toMatchObject({ exitCode: 0, stderr: '' });
  expect(readFileSync(path.join(world.root, 'ran'), 'utf8')).toBe('first\nsecond\n');
});

test('a command that ends with 1 and says what bubblewrap says runs once', async (context) => {
  const world = await sandboxWorld(context);
  const said = "bwrap: Can't create file at /home/a.sock: Read-only file system";
  const { exitCode, stderr } = await world.run(`echo ran >> ran; echo "${said}" >&2; exit 1`);
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining(said) });
  expect(readFileSync(path.join(world.root, 'ran'), 'utf8')).toBe('ran\n');
});
