import { makeFolder, sharedDatabase } from '@attractor/store/testing';
import { expect, it } from 'vitest';
import { runCommand } from '../test-support/run-command.ts';

async function look(databaseUrl: string) {
  const home = makeFolder();
  const env = { HOME: home, ATTRACTOR_HOME: home, ATTRACTOR_DATABASE_URL: databaseUrl };
  const { exit, stdout } = await runCommand(['doctor', '--json'], { env });
  const line = stdout.split('\n').find((text) => text.includes('"database"')) ?? '{}';
  const finding: unknown = JSON.parse(line);
  return { exit, line, finding };
}

it('looks at the database that ATTRACTOR_DATABASE_URL names, and says what is wrong with it', async () => {
  const wrong = await look('postgres://ada:hunter2@127.0.0.1:1/attractor');
  const found = expect.stringContaining('Check that PostgreSQL runs there');
  const remedy = expect.stringContaining('ATTRACTOR_DATABASE_URL');
  expect(wrong).toMatchObject({ exit: 1, finding: { state: 'missing', found, remedy } });
  expect(wrong.line).not.toContain('hunter2');
  const well = await look(await sharedDatabase());
  expect(well.finding).toMatchObject({ state: 'well', found: expect.stringMatching(/^postgres:.*, PostgreSQL \d/) });
});
