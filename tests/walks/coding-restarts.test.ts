import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createApiClient } from '@attractor/api';
import { expect, test } from 'vitest';
import { attractorHere } from './attractor-here.ts';
import { ANYWHERE, makeFolder, runAttractor, startAttractor, until } from './attractor.ts';
import { fillRepository, git, startModel, walkCodingRows } from './walk-coding-rows.ts';

/** A home with a repository, and a server on it that may be killed and started again. */
async function makeWorld() {
  const home = makeFolder();
  const repository = path.join(home, 'repository');
  mkdirSync(repository);
  fillRepository(repository);
  const model = await startModel();
  const env = { ANTHROPIC_API_KEY: 'none' };
  const serve = async () => {
    const flags = ['serve', '--port', '0', ...model.flags, ...ANYWHERE];
    const { child, output, ended } = startAttractor(flags, { home, cwd: repository, env });
    const url = await until(() => /http:\/\/127\.0\.0\.1:\d+/.exec(output())?.[0], 'the address of the server');
    const token = readFileSync(path.join(home, '.attractor', 'token'), 'utf8').trim();
    return {
      client: createApiClient({ baseUrl: url, token }),
      kill: async () => {
        child.kill('SIGKILL');
        await ended;
      },
    };
  };
  expect(await attractorHere(['projects', 'create'], { home, cwd: repository, env })).toMatchObject({ code: 0 });
  const startDetached = async (...args: ReadonlyArray<string>) => {
    const flags = ['run', ...args, '--detach', ...model.flags, ...ANYWHERE];
    expect(await runAttractor(flags, { home, cwd: repository, env })).toMatchObject({ code: 0 });
  };
  return { repository, serve, startDetached, failures: model.failures };
}

test('coding sessions of every kind are begun over HTTP; at every checkpoint the server is killed, and another one is answered', async () => {
  const { repository, serve, startDetached, failures } = await makeWorld();
  let server = await serve();
  await walkCodingRows({
    client: () => server.client,
    startChecked: async ({ start: { request }, check }) => {
      await startDetached(request, '--tdd', '--check', check);
      const tasks = await server.client.tasks.list();
      return (tasks.ok ? tasks.value.find(({ title }) => title === request)?.id : null) ?? '';
    },
    allWait: async () => {
      await server.kill();
      server = await serve();
    },
    allAnswered: async () => undefined,
    git: (...args) => git(repository, ...args),
  });
  await server.kill();
  expect(failures()).toEqual([]);
});
