import { join } from 'node:path';
import { noteWorker, openStore } from '@attractor/store';
import { makeFolder } from '@attractor/store/testing';
import { expect, it } from 'vitest';
import { makeRepository, must } from '../test-support/command-world.ts';
import { runCommand } from '../test-support/run-command.ts';

it('says that nobody works only where no worker gives signs of life, here or on another machine', async () => {
  const home = makeFolder();
  const repository = join(home, 'repository');
  makeRepository(repository);
  const attractor = (...args: ReadonlyArray<string>) =>
    runCommand(args, { cwd: repository, env: { HOME: home, ATTRACTOR_HOME: home, ANTHROPIC_API_KEY: 'none' } });
  await attractor('projects', 'create', '--name', 'p');
  const start = async (title: string): Promise<string> => {
    const { stdout } = await attractor('tasks', 'create', title, '--quiet');
    return (await attractor('runs', 'start', stdout.trim(), '--mode', 'implement')).stderr;
  };
  expect(await start('first')).toBe(
    'Queued. No worker is running: it starts with `attractor serve` or `attractor worker`.\n',
  );
  const store = must(await openStore({ home }));
  const elsewhere = { id: 'w', owner: 'elsewhere', host: 'there', labels: [], concurrency: 1 };
  await store.transact((tx) => noteWorker(tx, elsewhere));
  await store.close();
  expect(await start('second')).toBe('');
});
