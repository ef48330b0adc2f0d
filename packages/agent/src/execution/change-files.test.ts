import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { bundledProgram, makeFolder, makeMemoryFolder, runs } from '@attractor/base/testing';

import type { FileChange } from '../types/index.ts';
import { lockFiles, lockFolder, lockKey } from '@attractor/system';
import { createLocalExecutionEnvironment } from './local.ts';

const CHILD = path.join(import.meta.dirname, '../test-support/change-files-child.ts');

const world = (files: Readonly<Record<string, string>> = {}) => {
  const root = makeFolder(files);
  const env = createLocalExecutionEnvironment(root);
  const change = async (...changes: FileChange[]): Promise<unknown> => {
    try {
      await env.changeFiles?.(changes);
      return null;
    } catch (error) {
      return error;
    }
  };
  return { root, env, change, at: (name: string) => path.join(root, name) };
};

/** Every file below the folder with mode and content; links by their target. */
const treeOf = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true })
    .map(String)
    .toSorted()
    .map((name) => {
      const stats = lstatSync(path.join(folder, name));
      if (stats.isSymbolicLink()) return `${name} -> ${readlinkSync(path.join(folder, name))}`;
      const content = stats.isFile() ? readFileSync(path.join(folder, name), 'base64') : '';
      return `${name} ${stats.mode.toString(8)} ${stats.uid} ${content}`;
    });

/** Node knows no extended attributes; where this does not either, they are not looked at. */
const PYTHON = ['python3'].filter((program) => spawnSync(program, ['-c', 'import os; os.listxattr("/")']).status === 0);

describe('changing a file', () => {
  it('keeps mode, owner, and the link through which it was named', async () => {
    const { env, at } = world({ 'dir/run.sh': 'old' });
    chmodSync(at('dir/run.sh'), 0o4751);
    if (process.getuid?.() === 0) chownSync(at('dir/run.sh'), 1234, 2345);
    chmodSync(at('dir/run.sh'), 0o4751);
    const before = statSync(at('dir/run.sh'));
    symlinkSync('dir', at('link'));
    symlinkSync('run.sh', at('dir/alias'));

    await env.writeFile('link/alias', 'new');

    const after = statSync(at('dir/run.sh'));
    expect([after.mode, after.uid, after.gid]).toEqual([before.mode, before.uid, before.gid]);
    expect(readFileSync(at('dir/run.sh'), 'utf8')).toBe('new');
    expect([readlinkSync(at('link')), readlinkSync(at('dir/alias'))]).toEqual(['dir', 'run.sh']);
  });

  it.each(PYTHON)(
    'keeps extended attributes and the access list, as %s sees them, through an edit and a move',
    async (program) => {
      const python = (code: string, file: string): string =>
        spawnSync(program, ['-c', `import sys; p = sys.argv[1]\n${code}`, file], { encoding: 'utf8' }).stdout;
      const { root, env } = world({ 'a.txt': 'old\n' });
      const file = path.join(root, 'a.txt');
      const made = python(
        `
import os, struct
os.chmod(p, 0o640)
entries = [(1, 6, -1), (2, 4, 1234), (4, 4, -1), (16, 4, -1), (32, 0, -1)]
os.setxattr(p, 'user.origin', b'here')
os.setxattr(p, 'system.posix_acl_access', struct.pack('<I', 2) + b''.join(struct.pack('<HHi', *one) for one in entries))
print({name: os.getxattr(p, name) for name in sorted(os.listxattr(p))})`,
        file,
      );
      expect(made).toContain('posix_acl_access');
      const look = 'import os; print({name: os.getxattr(p, name) for name in sorted(os.listxattr(p))})';
      await env.writeFile('a.txt', 'new\n');
      expect([readFileSync(file, 'utf8'), python(look, file)]).toEqual(['new\n', made]);
      expect(statSync(file).mode & 0o777).toBe(0o640);
      await env.changeFiles?.([{ kind: 'move', path: 'a.txt', to: 'sub/b.txt', content: 'moved\n' }]);
      expect(python(look, path.join(root, 'sub/b.txt'))).toBe(made);
    },
  );

  it('never writes through a hard link: the other name keeps the old content', async () => {
    const { env, at } = world({ 'inside/a.txt': 'old' });
    const outside = path.join(makeFolder(), 'precious.txt');
    writeFileSync(outside, 'precious');
    linkSync(outside, at('inside/b.txt'));
    await env.writeFile('inside/b.txt', 'changed');
    expect([readFileSync(outside, 'utf8'), readFileSync(at('inside/b.txt'), 'utf8')]).toEqual(['precious', 'changed']);
  });

  it('refuses when the content is not what was expected, however alike the files look', async () => {
    const { env, at } = world({ 'a.txt': 'one' });
    const version = (await env.fileVersion?.('a.txt')) ?? '';
    const { atime, mtime } = statSync(at('a.txt'));
    writeFileSync(at('a.txt'), 'two');
    utimesSync(at('a.txt'), atime, mtime);
    await expect(env.writeFile('a.txt', 'three', { expectedVersion: version })).rejects.toMatchObject({
      code: 'changed',
    });
    expect(readFileSync(at('a.txt'), 'utf8')).toBe('two');
  });

  it('takes a mere touch for no change', async () => {
    const { env, at } = world({ 'a.txt': 'one' });
    const version = (await env.fileVersion?.('a.txt')) ?? '';
    utimesSync(at('a.txt'), 1, 1);
    await env.writeFile('a.txt', 'two', { expectedVersion: version });
    expect(readFileSync(at('a.txt'), 'utf8')).toBe('two');
  });

  it('notices changes of a file too long to be hashed', async () => {
    const { env, at } = world({ 'big.txt': 'x'.repeat(3 << 20) });
    const version = (await env.fileVersion?.('big.txt')) ?? '';
    await env.writeFile('big.txt', 'y'.repeat(3 << 20), { expectedVersion: version });
    await expect(env.writeFile('big.txt', 'z', { expectedVersion: version })).rejects.toMatchObject({
      code: 'changed',
    });
    expect(statSync(at('big.txt')).size).toBe(3 << 20);
  });
});

describe('changing many files', () => {
  it.each(Array.from({ length: 20 }, (_, index) => index + 1))(
    'leaves nothing of the change when file %i of 20 fails',
    async (failing) => {
      const files = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`f${index + 1}`, `old ${index + 1}`]));
      const { root, change, at } = world(files);
      chmodSync(at('f3'), 0o600);
      const inodes = () => readdirSync(root).map((name) => statSync(at(name)).ino);
      const [before, inodesBefore] = [treeOf(root), inodes()];
      const changes = Array.from({ length: 20 }, (_, index): FileChange => {
        const file = `f${index + 1}`;
        if (index + 1 === failing) return { kind: 'write', path: file, content: 'new', expectedVersion: 'another' };
        if (index % 4 === 1) return { kind: 'delete', path: file };
        if (index % 4 === 2) return { kind: 'move', path: file, to: `moved/${file}/x`, content: 'new' };
        return { kind: 'write', path: index % 4 === 3 ? `made/${file}` : file, content: 'new' };
      });
      expect(await change(...changes)).toMatchObject({
        code: 'changed',
        message: expect.stringContaining(`f${failing} `),
      });
      expect(treeOf(root)).toEqual(before);
      expect(inodes()).toEqual(inodesBefore);
    },
  );

  it('takes back what was done when putting the last file in place fails', async () => {
    const { root, change } = world({ 'a.txt': 'a', 'b.txt': 'b' });
    const before = treeOf(root);
    const failed = await change(
      { kind: 'write', path: 'a.txt', content: 'A' },
      { kind: 'delete', path: 'b.txt' },
      { kind: 'write', path: 'name', content: 'x' },
      { kind: 'write', path: 'name/below', content: 'x' },
    );
    expect(failed).toBeInstanceOf(Error);
    expect(treeOf(root)).toEqual(before);
  });

  it('refuses two names of one file, a link that is moved, and anything outside', async () => {
    const { root, change, at } = world({ 'a.txt': 'a' });
    symlinkSync('a.txt', at('link'));
    const before = treeOf(root);
    const write = (name: string): FileChange => ({ kind: 'write', path: name, content: 'x' });
    expect(await change(write('a.txt'), write('link'))).toMatchObject({ code: 'invalid_path' });
    expect(await change({ kind: 'move', path: 'link', to: 'b.txt', content: null })).toMatchObject({
      code: 'not_a_file',
    });
    expect(await change(write('a.txt'), write('../x'))).toMatchObject({ code: 'outside' });
    expect(await change(write('a.txt'), write('.git/config'))).toMatchObject({ code: 'protected' });
    expect(treeOf(root)).toEqual(before);
  });

  it('moves a file of any bytes with its mode, without reading it as text', async () => {
    const { change, at } = world();
    writeFileSync(at('a.bin'), Buffer.from([0, 255, 1]));
    chmodSync(at('a.bin'), 0o711);
    const { ino } = statSync(at('a.bin'));
    expect(await change({ kind: 'move', path: 'a.bin', to: 'x/b.bin', content: null })).toBeNull();
    expect(existsSync(at('a.bin'))).toBe(false);
    expect([statSync(at('x/b.bin')).ino, statSync(at('x/b.bin')).mode & 0o777]).toEqual([ino, 0o711]);
  });

  it('stops on request before anything is in place', async () => {
    const { root, env } = world({ 'a.txt': 'a' });
    const before = treeOf(root);
    await expect(
      env.changeFiles?.([{ kind: 'write', path: 'a.txt', content: 'b' }], { signal: AbortSignal.abort() }),
    ).rejects.toMatchObject({ code: 'aborted' });
    expect(treeOf(root)).toEqual(before);
  });
});

describe('holds across processes', () => {
  it('makes a second change of the same file wait for the first', async () => {
    const { env, at } = world({ 'a.txt': 'a' });
    const held = await lockFiles([at('a.txt')]);
    let done = false;
    const writing = env.writeFile('a.txt', 'b').then(() => (done = true));
    await wait(60);
    expect(done).toBe(false);
    held.release();
    await writing;
    expect(readFileSync(at('a.txt'), 'utf8')).toBe('b');
  });

  it('takes over from an owner that died', async () => {
    const { env, at } = world({ 'a.txt': 'a' });
    const { pid } = spawnSync(process.execPath, ['--version']);
    const lock = path.join(lockFolder(), `${lockKey(at('a.txt'))}.lock`);
    writeFileSync(lock, JSON.stringify({ pid, started: '1', token: 'dead' }));
    await env.writeFile('a.txt', 'b');
    expect(readFileSync(at('a.txt'), 'utf8')).toBe('b');
    expect(existsSync(lock)).toBe(false);
  });

  it('loses no edit of two processes that edit one file, and shows readers whole files only', async () => {
    const count = runs(20, 2_000);
    const root = makeMemoryFolder();
    const file = path.join(root, 'shared.txt');
    writeFileSync(file, 'END\n');
    const children = ['a', 'b'].map((name) =>
      spawn(process.execPath, [bundledProgram(CHILD), 'add-lines', root, name, `${count}`]),
    );
    const ends = children.map((child) => once(child, 'exit'));
    while (children.some((child) => child.exitCode === null && child.signalCode === null)) {
      expect(readFileSync(file, 'utf8')).toMatch(/^(?:[ab]\d+\n)*END\n$/);
      await wait(1);
    }
    expect((await Promise.all(ends)).map(([code]) => code)).toEqual([0, 0]);
    const lines = readFileSync(file, 'utf8').split('\n').slice(0, -2);
    for (const name of ['a', 'b']) {
      expect(lines.filter((line) => line.startsWith(name))).toEqual(
        Array.from({ length: count }, (_, i) => `${name}${i}`),
      );
    }
    expect(readdirSync(root)).toEqual(['shared.txt']);
  });
});

describe('a process that dies in the middle', () => {
  it('leaves all or nothing after the next one looked, whichever change of the disk it died before', async () => {
    const stride = runs(6, 1);
    let endings = 0;
    for (let nth = stride, isDone = false; !isDone; nth += stride) {
      const { root, env, at } = world({ 'a.txt': 'old\n', 'b.txt': 'old\n', 'c.txt': 'old\n' });
      chmodSync(at('c.txt'), 0o640);
      const before = treeOf(root);
      isDone = spawnSync(process.execPath, [bundledProgram(CHILD), 'die-at', root, `${nth}`]).signal === null;
      await env.initialize();
      const after = treeOf(root);
      if (after.length === before.length) expect(after).toEqual(before);
      else expect(after.map((line) => line.split(' ')[0])).toEqual(['a.txt', 'made', 'made/c.txt', 'made/d.txt']);
      expect(new Set(after.filter((line) => line.includes('.txt')).map((line) => line.split(' ')[3])).size).toBe(1);
      endings++;
    }
    expect(endings).toBeGreaterThan(3);
  });

  it('leaves a change that the next one takes back whole, or finds whole', async () => {
    const parts = 6;
    const root = makeMemoryFolder();
    for (let index = 0; index < parts; index++) {
      mkdirSync(path.join(root, `part-${index}`));
      writeFileSync(path.join(root, `part-${index}/file.txt`), 'generation 0\n');
    }
    for (let kill = 0; kill < runs(3, 300); kill++) {
      const child = spawn(process.execPath, [bundledProgram(CHILD), 'rewrite-all', root, `${parts}`], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(child.stdout, 'data');
      await wait(Math.random() * 40);
      child.kill('SIGKILL');
      await once(child, 'exit');
      await createLocalExecutionEnvironment(root).initialize();
      const contents = Array.from({ length: parts }, (_, index) =>
        readFileSync(path.join(root, `part-${index}/file.txt`), 'utf8'),
      );
      expect(new Set(contents).size).toBe(1);
      const names = readdirSync(root, { recursive: true }).map(String);
      expect(names.filter((name) => name.includes('.attractor-'))).toEqual([]);
    }
  });

  it('keeps what a person changed before the next process came', async () => {
    const { root, env, at } = world({ 'a.txt': 'old', 'b.txt': 'old' });
    const left = (file: string, name: string) => ({
      file: at(file),
      temporary: `.attractor-${name}.tmp`,
      backup: `.attractor-${name}.old`,
      existed: true,
    });
    writeFileSync(at('.attractor-aa.old'), 'old');
    writeFileSync(at('.attractor-bb.old'), 'old');
    writeFileSync(at('a.txt'), 'new');
    writeFileSync(at('b.txt'), 'new');
    const after = await env.fileVersion?.('a.txt');
    writeFileSync(at('b.txt'), 'a person');
    const [first] = [lockKey(at('a.txt')), lockKey(at('b.txt'))].toSorted();
    const record = path.join(lockFolder(), `${lockKey(root).slice(0, 8)}-${first}.json`);
    const steps = [
      { ...left('a.txt', 'aa'), after },
      { ...left('b.txt', 'bb'), after },
    ];
    writeFileSync(record, JSON.stringify({ root, steps, madeFolders: [], committed: false }));
    await env.initialize();
    expect([readFileSync(at('a.txt'), 'utf8'), readFileSync(at('b.txt'), 'utf8')]).toEqual(['old', 'a person']);
    expect(readdirSync(root).toSorted()).toEqual(['a.txt', 'b.txt']);
    expect(existsSync(record)).toBe(false);
  });

  it('obeys no record that names what a tool may not change', async () => {
    const { root, env, at } = world({ '.git/config': 'theirs', '.git/.attractor-aa.old': 'evil' });
    const outside = makeFolder({ 'x.txt': 'precious', '.attractor-bb.old': 'evil' });
    const key = lockKey(at('.git/config'));
    const record = path.join(lockFolder(), `${lockKey(root).slice(0, 8)}-${key}.json`);
    const step = (file: string, backup: string, after: unknown) => ({
      file,
      backup,
      after,
      temporary: '.attractor-cc.tmp',
      existed: true,
    });
    const steps = [
      step(at('.git/config'), '.attractor-aa.old', await env.fileVersion?.('.git/config')),
      step(path.join(outside, 'x.txt'), '.attractor-bb.old', 'Ad8xdFA0MmMLLQmeUMPJxHGX_EZrW1qLYEDmWsQ4jfo'),
    ];
    writeFileSync(record, JSON.stringify({ root, steps, madeFolders: [], committed: false }));
    await env.initialize();
    expect(readFileSync(at('.git/config'), 'utf8')).toBe('theirs');
    expect(readdirSync(outside).toSorted()).toEqual(['.attractor-bb.old', 'x.txt']);
  });
});

describe('swaps between check and use', () => {
  it('never lead a change outside', async () => {
    const { root, env, at } = world({ 'dir/a.txt': 'old' });
    const outside = makeFolder({ 'a.txt': 'canary' });
    symlinkSync(outside, at('trap'));
    const over = new AbortController();
    const swap = async (): Promise<void> => {
      while (!over.signal.aborted) {
        renameSync(at('dir'), at('kept'));
        renameSync(at('trap'), at('dir'));
        await wait(0);
        renameSync(at('dir'), at('trap'));
        renameSync(at('kept'), at('dir'));
        await wait(0);
      }
    };
    const swapper = swap();
    for (let round = 0; round < runs(30, 3_000); round++) {
      await env.writeFile('dir/a.txt', `round ${round}`).catch(() => null);
      await env.changeFiles?.([{ kind: 'write', path: 'dir/b.txt', content: 'b' }]).catch(() => null);
      await env.deleteFile('dir/b.txt').catch(() => null);
    }
    over.abort();
    await swapper;
    expect(readdirSync(outside)).toEqual(['a.txt']);
    expect(readFileSync(path.join(outside, 'a.txt'), 'utf8')).toBe('canary');
    expect(readdirSync(root).toSorted()).toEqual(['dir', 'trap']);
  });
});

/** A small disk needs a name space of one's own; where the system allows none, there is no such disk to fill. */
const ownDisks = spawnSync('unshare', ['-Urm', 'true']).status === 0 ? ['full-disk', 'read-only-disk'] : [];

describe('a disk that can not be written', () => {
  const run = (way: string, root: string, wrapper: ReadonlyArray<string>) => {
    const [program, ...args] = [...wrapper, process.execPath, bundledProgram(CHILD), way, root];
    const { stdout, stderr } = spawnSync(program ?? '', args, { encoding: 'utf8' });
    expect(stderr).toBe('');
    const result: { answers: { output: string; isError: boolean }[]; left: string[]; kept: string } =
      JSON.parse(stdout);
    return result;
  };
  const words: Readonly<Record<string, RegExp>> = { 'full-disk': /no space left/, 'read-only-disk': /read-only/ };

  it.each(ownDisks)('%s: every tool says so and leaves nothing', (way) => {
    const { answers, left, kept } = run(way, makeFolder(), ['unshare', '-Urm']);
    for (const answer of answers) {
      expect(answer).toMatchObject({ isError: true, output: expect.stringMatching(words[way] ?? /^$/) });
    }
    expect(left.filter((name) => name !== 'ballast')).toEqual(['a.txt']);
    expect(kept).toBe('old\n');
  });

  it.runIf(process.getuid?.() === 0)('files of somebody else: every tool says so and leaves nothing', () => {
    const root = makeFolder({ 'a.txt': 'old\n' });
    chmodSync(root, 0o755);
    const { answers, left, kept } = run('no-permission', root, []);
    for (const answer of answers)
      expect(answer).toMatchObject({ isError: true, output: expect.stringContaining('permi') });
    expect([left, kept]).toEqual([['a.txt'], 'old\n']);
  });
});
