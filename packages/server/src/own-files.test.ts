import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readServerRecord, writeServerRecord } from './server-record.ts';
import { readOrMakeToken } from './token-file.ts';

async function newHome(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'attractor-server-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'home');
}

const modeOf = async (file: string): Promise<number> => (await stat(file)).mode & 0o777;

it('the home folder, the token and the record of the server are for their owner alone', async () => {
  const home = await newHome();
  expect(await readOrMakeToken(home)).toMatchObject({ ok: true });
  const record = { url: 'http://127.0.0.1:1', pid: process.pid };
  await writeServerRecord(home, record);
  expect(await readServerRecord(home)).toEqual(record);
  expect(await modeOf(home)).toBe(0o700);
  for (const name of ['token', 'server.json']) expect([name, await modeOf(join(home, name))]).toEqual([name, 0o600]);
});

it('a token that others could read is theirs no longer once it is read', async () => {
  const home = await newHome();
  await readOrMakeToken(home);
  await writeFile(join(home, 'token'), 'x'.repeat(43));
  await chmod(join(home, 'token'), 0o644);
  expect(await readOrMakeToken(home)).toEqual({ ok: true, value: 'x'.repeat(43) });
  expect(await modeOf(join(home, 'token'))).toBe(0o600);
});
