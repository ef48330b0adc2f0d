import { closeSync, existsSync, fstatSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeFolder } from '@attractor/base/testing';
import { createLocalExecutionEnvironment, type LocalEnvironmentOptions } from './local.ts';

const TOKEN = `ghp_${'a1B2c3D4e5F6g7H8i9'.repeat(2)}`;

function world(options: LocalEnvironmentOptions = {}) {
  const env = createLocalExecutionEnvironment(makeFolder({}), 'inherit_core', { maxOutputBytes: 1_000, ...options });
  onTestFinished(() => env.cleanup());
  const keptIn = (stderr: string): string => /in (\/\S+\.txt):/.exec(stderr)?.[1] ?? '';
  return { env, keptIn };
}

describe('an output that is longer than what is kept in memory', () => {
  it('stands whole in a file that can be read in parts and searched, and that nobody else can read', async () => {
    const { env, keptIn } = world();
    const { stdout, stderr } = await env.execCommand('seq 1 20000');
    expect(stdout).toMatch(/^1\n2\n[^]*omitted[^]*\n20000\n$/);
    expect(stderr).toMatch(/^\[All of stdout is in /);
    const file = keptIn(stderr);
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(20_001);
    expect([statSync(file).mode & 0o777, statSync(path.dirname(file)).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(await env.readFile(file, 9_999, 2)).toMatch(/10000\s*[^\n]*10000\n.*10001/);
    expect(await env.grep('^12345$', file)).toMatch(/:12345:12345$/);
  });

  it('keeps stdout and stderr apart, and says nothing of one that is short', async () => {
    const { env, keptIn } = world();
    const { stderr } = await env.execCommand('echo short; seq 1 5000 >&2');
    expect(stderr).toMatch(/\[All of stderr is in \S+-stderr\.txt/);
    expect(stderr).not.toMatch(/stdout/);
    expect(readFileSync(keptIn(stderr), 'utf8')).toMatch(/^1\n2\n[^]*\n5000\n$/);
  });

  it('is kept without secrets, also where one is spread over pieces', async () => {
    const { env, keptIn } = world();
    const command = `seq 1 3000; printf '${TOKEN.slice(0, 12)}'; sleep 0.1; echo '${TOKEN.slice(12)}'; seq 1 3000`;
    const { stderr } = await env.execCommand(command);
    const text = readFileSync(keptIn(stderr), 'utf8');
    expect(text).toContain('[redacted:github-token]');
    expect(text).not.toContain(TOKEN.slice(12));
  });

  it('of a command that left something behind is closed once, and nothing else in its stead', async () => {
    const { env, keptIn } = world();
    const { stderr } = await env.execCommand('seq 1 5000; sleep 300 &', 60_000);
    const held = openSync('/dev/null', 'r');
    await wait(100);
    expect(fstatSync(held).isCharacterDevice()).toBe(true);
    closeSync(held);
    expect(readFileSync(keptIn(stderr), 'utf8').split('\n')).toHaveLength(5_001);
  });

  it('is cut at 64 MB, and says so', async () => {
    const { env, keptIn } = world();
    const { stdout, stderr } = await env.execCommand('head -c 70000000 /dev/zero; echo; echo last', 60_000);
    expect(stdout).toMatch(/last\n$/);
    expect(stderr).toMatch(/The first 64 MB of stdout/);
    expect(statSync(keptIn(stderr)).size).toBe(64 << 20);
  });

  it('is gone after the environment is, unless the folder was given', async () => {
    const own = world();
    const { stderr } = await own.env.execCommand('seq 1 5000');
    await own.env.cleanup();
    expect(existsSync(path.dirname(own.keptIn(stderr)))).toBe(false);

    const outputFolder = path.join(makeFolder({}), 'deep/outputs');
    const given = world({ outputFolder });
    for (let round = 0; round < 18; round++) await given.env.execCommand(`seq ${round} 5000`);
    await given.env.cleanup();
    expect(readdirSync(outputFolder)).toHaveLength(16);
    const again = world({ outputFolder });
    const [oldest = ''] = readdirSync(outputFolder).toSorted();
    expect(await again.env.readFile(path.join(outputFolder, oldest), 0, 1)).toMatch(/\b2$/);
  });

  it('that can not be kept is no failure of the command', async () => {
    const blocked = path.join(makeFolder({ file: 'x' }), 'file', 'outputs');
    const { env } = world({ outputFolder: blocked });
    expect(await env.execCommand('seq 1 5000; exit 3')).toMatchObject({ exitCode: 3, stderr: '' });
  });

  it('opens no other file outside the root', async () => {
    const outputFolder = makeFolder({ 'out.txt': 'kept\n', 'deep/x.txt': 'x\n' });
    const { env } = world({ outputFolder });
    await expect(env.readFile(path.join(outputFolder, '../escape.txt'))).rejects.toMatchObject({ code: 'outside' });
    await expect(env.readFile(path.join(outputFolder, 'deep/x.txt'))).rejects.toMatchObject({ code: 'outside' });
    await expect(env.writeFile(path.join(outputFolder, 'out.txt'), 'x')).rejects.toMatchObject({ code: 'outside' });
  });
});
