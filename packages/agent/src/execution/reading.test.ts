import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  closeSync,
  openSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { measure } from '../test-support/measure.ts';
import { makeFolder, makeMemoryFolder } from '@attractor/base/testing';
import { createLocalExecutionEnvironment } from './local.ts';

const MEGABYTE = 1 << 20;

const world = (files: Readonly<Record<string, string>> = {}) => {
  const root = makeFolder({ 'warm.txt': 'warm\n', ...files });
  return { root, env: createLocalExecutionEnvironment(root) };
};

describe('reading part of a huge file', () => {
  it('costs the memory of the lines asked, at the beginning, in the middle and past two gigabytes', async () => {
    // A hole in a file on a disk would be read into the memory of the system.
    const root = makeMemoryFolder();
    writeFileSync(path.join(root, 'warm.txt'), 'warm\n');
    const file = path.join(root, 'big.txt');
    writeFileSync(file, 'first\nsecond\n');
    truncateSync(file, 2 * 1024 ** 3);
    appendFileSync(file, '\nbefore the last\nlast\n');
    const start = await measure(root, ['read', 'big.txt', '0', '2']);
    expect(start).toMatchObject({ start: '     1\tfirst\n     2\tsecond' });
    const end = await measure(root, ['read', 'big.txt', '3', '2']);
    expect(end).toMatchObject({ start: '     4\tbefore the last\n     5\tlast' });
    expect(Math.max(start.grownBytes, end.grownBytes)).toBeLessThan(30e6);
  });

  it('answers a line of 100 MB, and two gigabytes at once, with what to do, in bounded memory', async () => {
    const { root } = world();
    fill(path.join(root, 'line.txt'), 'x'.repeat(MEGABYTE));
    fill(path.join(root, 'lines.txt'), `${'x'.repeat(1_023)}\n`.repeat(1_024));
    const line = await measure(root, ['read', 'line.txt', '0', '10']);
    expect(line.start).toMatch(/^EnvironmentError: Line 1 of line.txt alone is longer than .* cut -b/);
    const lines = await measure(root, ['read', 'lines.txt', '0', 'Infinity']);
    expect(lines.start).toMatch(/^EnvironmentError: lines.txt is too large .* offset and limit/);
    expect(Math.max(line.grownBytes, lines.grownBytes)).toBeLessThan(100e6);
  });

  it('stops between two pieces when asked to', async () => {
    const { root, env } = world({ 'big.txt': 'x' });
    truncateSync(path.join(root, 'big.txt'), 2 * 1024 ** 3);
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 5);
    await expect(env.readFile('big.txt', 5, 1, { signal: controller.signal })).rejects.toMatchObject({
      code: 'aborted',
    });
  });
});

describe('reading what is not a text file', () => {
  it.each([
    ['a folder', 'folder', 'not_a_file', 'list it instead'],
    ['a named pipe', 'pipe', 'not_a_file', 'a named pipe'],
    ['a link to a named pipe', 'pipe-link', 'not_a_file', 'a named pipe'],
    ['a socket', 'socket', 'not_a_file', 'a socket'],
    ['a device', 'device', 'not_a_file', 'a device'],
    ['a missing file', 'missing', 'not_found', 'does not exist'],
    ['a link to nothing', 'dangling', 'not_found', 'does not exist'],
    ['a link to itself', 'circle', 'invalid_path', 'too many links'],
    ['a binary file', 'binary', 'binary', 'binary file'],
    ['a file that turns binary later', 'later', 'binary', 'binary file'],
    ['a file in another encoding', 'latin1', 'binary', 'line 2'],
    ['a path through a file', 'warm.txt/x', 'not_a_directory', 'warm.txt'],
  ])('%s is answered at once with what it is', async (_, name, code, hint) => {
    const { root, env } = world({ 'folder/x': '' });
    spawnSync('mkfifo', [path.join(root, 'pipe')]);
    spawnSync('mknod', [path.join(root, 'device'), 'c', '1', '5']);
    symlinkSync('pipe', path.join(root, 'pipe-link'));
    symlinkSync('nothing', path.join(root, 'dangling'));
    symlinkSync('circle', path.join(root, 'circle'));
    const server = createServer().listen(path.join(root, 'socket'));
    onTestFinished(() => void server.close());
    writeFileSync(path.join(root, 'binary'), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1]));
    writeFileSync(path.join(root, 'later'), `${'text\n'.repeat(4_000)}\0`);
    writeFileSync(path.join(root, 'latin1'), Buffer.from('one\nf\xfcr\n', 'latin1'));
    await expect(env.readFile(name)).rejects.toMatchObject({ code, message: expect.stringContaining(hint) });
    const editable = name === 'later';
    expect(await env.readText(name).catch((error: { code: string }) => error.code)).toEqual(
      editable ? expect.any(String) : code,
    );
  });

  it('shows the good lines of a file that has bad ones', async () => {
    const { root, env } = world();
    writeFileSync(path.join(root, 'mixed'), Buffer.from('one\nf\xfcr\nthree\n', 'latin1'));
    expect(await env.readFile('mixed', 2, 1)).toBe('     3\tthree');
  });

  it('what may not be read says so, to whoever may not', () => {
    const root = makeFolder({ 'warm.txt': 'warm\n', 'secret.txt': 'x', 'closed/x.txt': 'x', 'hidden/x.txt': 'x' });
    chmodSync(root, 0o755);
    chmodSync(path.join(root, 'secret.txt'), 0);
    chmodSync(path.join(root, 'closed'), 0o711);
    chmodSync(path.join(root, 'hidden'), 0);
    const program = path.join(import.meta.dirname, '../test-support/nobody-child.ts');
    const ended = spawnSync(process.execPath, [program, root], { encoding: 'utf8' });
    expect(JSON.parse(ended.stdout)).toEqual({
      file: 'permission',
      folder: 'permission',
      inFolder: 'permission',
      throughFolder: '     1\tx',
      write: 'permission',
      command: 'permission',
    });
  });
});

function fill(file: string, megabyte: string): void {
  const fd = openSync(file, 'w');
  for (let count = 0; count < 100; count++) writeSync(fd, megabyte);
  closeSync(fd);
}
