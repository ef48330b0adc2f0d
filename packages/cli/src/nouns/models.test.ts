import { createServer } from 'node:http';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '@attractor/base/testing';
import { expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../test-support/run-command.ts';

const TABLE = {
  models: [{ id: 'mine-9', provider: 'openai', contextWindow: 9000, prices: [{ input: 1, output: 2 }] }],
};

it('a table is fetched, counts, is fetched again from where it came, and is taken back', async () => {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    response.end(JSON.stringify(TABLE));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/models.json`;
  const home = makeFolder({});
  const models = (...args: ReadonlyArray<string>) => runCommand(['models', ...args], { env: { ATTRACTOR_HOME: home } });
  expect((await models('refresh', '--from', url)).stdout).toContain(`1 models from ${url} are used now`);
  const listed = await models('list', '--provider', 'openai');
  expect(listed.stdout).toMatch(/openai +mine-9 +9,000 +1 +2/);
  expect(listed.stderr).toContain(`from ${url}`);
  expect((await models('refresh', '--json')).exit).toBe(0);
  expect(asked).toBe(2);
  writeFileSync(join(home, 'models.json'), '{ "models": 7 }');
  const damaged = await models('list', '--provider', 'openai');
  expect(damaged.stdout).not.toContain('mine-9');
  expect(damaged.stderr).toMatch(/models\.json is not used: .*attractor models reset/);
  expect((await models('reset')).stdout).toContain('is used again');
  expect(existsSync(join(home, 'models.json'))).toBe(false);
});
