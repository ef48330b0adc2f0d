import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withLock } from './lock.mjs';

const LOCK_MODULE = join(import.meta.dirname, 'lock.mjs');

describe('the preparation lock', () => {
  let folder;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'attractor-lock-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('lets one process in at a time and leaves nothing behind', async () => {
    const log = join(folder, 'log');
    const program = join(folder, 'worker.mjs');
    writeFileSync(
      program,
      `import { appendFileSync } from 'node:fs';
       import { withLock } from ${JSON.stringify(LOCK_MODULE)};
       await withLock(${JSON.stringify(join(folder, 'the.lock'))}, { pollMs: 5 }, async () => {
         appendFileSync(${JSON.stringify(log)}, 'in\\n');
         await new Promise((done) => setTimeout(done, 30));
         appendFileSync(${JSON.stringify(log)}, 'out\\n');
       });`,
    );
    const ends = await Promise.all(Array.from({ length: 6 }, () => once(fork(program), 'exit')));
    expect(ends.map(([code]) => code)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(readFileSync(log, 'utf8')).toBe('in\nout\n'.repeat(6));
    expect(readdirSync(folder).toSorted()).toEqual(['log', 'worker.mjs']);
  });

  it('takes over from an owner that died', async () => {
    const lock = join(folder, 'the.lock');
    const dead = spawnSync('true').pid;
    mkdirSync(lock);
    writeFileSync(join(lock, 'owner.json'), JSON.stringify({ pid: dead, birth: '1', token: 'gone' }));
    expect(await withLock(lock, {}, async () => 'done')).toBe('done');
    expect(existsSync(lock)).toBe(false);
  });

  it('takes over when the number of a dead owner now belongs to another process', async () => {
    const lock = join(folder, 'the.lock');
    mkdirSync(lock);
    writeFileSync(join(lock, 'owner.json'), JSON.stringify({ pid: process.pid, birth: '1', token: 'gone' }));
    expect(await withLock(lock, {}, async () => 'done')).toBe('done');
  });

  it('is released when the work fails', async () => {
    const lock = join(folder, 'the.lock');
    const failing = withLock(lock, {}, async () => {
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(existsSync(lock)).toBe(false);
  });
});
