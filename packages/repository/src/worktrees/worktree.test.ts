import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { git, makeRepository } from '../test-support/git-world.ts';
import { makeFolder, must, runs } from '@attractor/store/testing';
import type { Repository } from '../git/repository.ts';
import { ensureWorktree, unlockWorktree, type Worktree, type WorktreeRequest } from './worktree.ts';
import { openRepository } from '../git/open-repository.ts';

const author = { name: 'Attractor Agent', email: 'agent@attractor.invalid' };

async function world(): Promise<{ readonly repository: Repository; readonly request: WorktreeRequest }> {
  const repository = must(await openRepository(await makeRepository({ 'a.txt': 'one\n' })));
  return {
    repository,
    request: { repository, taskId: 'tsk_1', branch: 'agent/one-1', baseBranch: 'main', author, lockReason: 'test' },
  };
}

const make = async (request: WorktreeRequest): Promise<Worktree> => must(await ensureWorktree(request));

describe('a worktree', () => {
  it('is made beside the checkout, on its own branch, locked, and the checkout does not see it', async () => {
    const { repository, request } = await world();
    const worktree = await make(request);
    expect(worktree).toMatchObject({
      path: join(repository.root, '.agent-worktrees/tsk_1'),
      created: true,
      rescued: null,
      baseCommit: worktree.head,
    });
    expect(await git(worktree.path, 'branch', '--show-current')).toBe('agent/one-1');
    expect(await git(repository.root, 'status', '--porcelain')).toBe('');
    expect(await git(repository.root, 'branch', '--show-current')).toBe('main');
    expect(await git(repository.root, 'worktree', 'list', '--porcelain')).toContain('locked test');
    await unlockWorktree(repository, worktree.path);
    expect(await git(repository.root, 'worktree', 'list', '--porcelain')).not.toContain('locked');
  });

  it('is used again with its commits', async () => {
    const { request } = await world();
    const first = await make(request);
    writeFileSync(join(first.path, 'b.txt'), 'b\n');
    await git(first.path, 'add', '--all');
    await git(first.path, 'commit', '--quiet', '-m', 'b');
    const again = await make(request);
    expect(again).toMatchObject({ path: first.path, created: false, rescued: null, baseCommit: first.head });
    expect(again.head).not.toBe(first.head);
  });

  it('is clean when it is handed out again, and what lay in it is kept under a ref', async () => {
    const { repository, request } = await world();
    const { path } = await make(request);
    writeFileSync(join(path, 'a.txt'), 'changed\n');
    writeFileSync(join(path, 'new.txt'), 'new\n');
    // Of a process that was killed in it.
    const scratch = join(repository.gitFolder, 'attractor-rescue-tsk_1');
    mkdirSync(scratch);
    writeFileSync(join(scratch, 'index.lock'), '');
    const again = await make(request);
    expect(existsSync(scratch)).toBe(false);
    expect(again.rescued).toBe('refs/attractor/rescue/tsk_1/1');
    expect(await git(path, 'status', '--porcelain')).toBe('');
    expect(await git(repository.root, 'show', `${again.rescued ?? ''}:a.txt`)).toBe('changed');
    expect(await git(repository.root, 'show', `${again.rescued ?? ''}:new.txt`)).toBe('new');
    writeFileSync(join(path, 'more.txt'), 'more\n');
    expect((await make(request)).rescued).toBe('refs/attractor/rescue/tsk_1/2');
  });

  it.each([
    ['its folder was removed by hand', (path: string) => rmSync(path, { recursive: true })],
    ['its link to the repository is gone', (path: string) => rmSync(join(path, '.git'))],
    [
      'its link to the repository leads elsewhere',
      (path: string) => writeFileSync(join(path, '.git'), 'gitdir: /nowhere\n'),
    ],
    ['it was moved away', (path: string) => renameSync(path, join(makeFolder(), 'moved'))],
  ])('is made anew when %s', async (_what, damage) => {
    const { request } = await world();
    const first = await make(request);
    writeFileSync(join(first.path, 'b.txt'), 'b\n');
    await git(first.path, 'add', '--all');
    await git(first.path, 'commit', '--quiet', '-m', 'b');
    damage(first.path);
    const again = await make(request);
    expect(again.created).toBe(true);
    expect(readFileSync(join(again.path, 'b.txt'), 'utf8')).toBe('b\n');
    expect(await git(again.path, 'branch', '--show-current')).toBe('agent/one-1');
  });

  it('keeps what a broken one holds before it is made anew', async () => {
    const { repository, request } = await world();
    const { path } = await make(request);
    writeFileSync(join(path, 'work.txt'), 'hours of work\n');
    rmSync(join(path, '.git'));
    const again = await make(request);
    expect(await git(repository.root, 'show', `${again.rescued ?? ''}:work.txt`)).toBe('hours of work');
    expect(existsSync(join(path, 'work.txt'))).toBe(false);
  });

  it('brings back a branch that was deleted under it, with its commits', async () => {
    const { repository, request } = await world();
    const { path } = await make(request);
    writeFileSync(join(path, 'b.txt'), 'b\n');
    await git(path, 'add', '--all');
    await git(path, 'commit', '--quiet', '-m', 'b');
    const head = await git(path, 'rev-parse', 'HEAD');
    await git(repository.root, 'update-ref', '-d', 'refs/heads/agent/one-1');
    expect((await make(request)).head).toBe(head);
  });

  it('passes an old index.lock that a dead git left, and not a young one', async () => {
    const { request } = await world();
    const { path } = await make(request);
    const lock = join(await git(path, 'rev-parse', '--absolute-git-dir'), 'index.lock');
    writeFileSync(join(path, 'a.txt'), 'changed\n');
    writeFileSync(lock, '');
    expect((await ensureWorktree(request)).ok).toBe(false);
    const old = new Date(Date.now() - 3_600_000);
    utimesSync(lock, old, old);
    expect((await make(request)).rescued).not.toBeNull();
  });

  it('says which base branch is missing', async () => {
    const { request } = await world();
    expect(await ensureWorktree({ ...request, baseBranch: 'gone' })).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('"gone"') },
    });
  });

  it('is made for each of twenty tasks that start at once on one repository', async () => {
    for (let round = 0; round < Math.min(10, runs(1)); round += 1) {
      const { repository, request } = await world();
      const made = await Promise.all(
        Array.from({ length: 20 }, (_item, index) =>
          ensureWorktree({ ...request, taskId: `tsk_${index}`, branch: `agent/${index}` }),
        ),
      );
      expect(made.filter((result) => !result.ok)).toEqual([]);
      expect((await git(repository.root, 'worktree', 'list')).split('\n')).toHaveLength(21);
    }
  });

  it('is made for each of twenty tasks that four processes start at once, time after time', async () => {
    const child = join(import.meta.dirname, '../test-support/worktree-child.ts');
    for (let round = 0; round < Math.min(10, runs(1)); round += 1) {
      const { repository } = await world();
      const codes = await Promise.all(['a', 'b', 'c', 'd'].map((name) => exitCode([child, repository.root, name])));
      expect(codes).toEqual([0, 0, 0, 0]);
      const listed = (await git(repository.root, 'worktree', 'list', '--porcelain')).split('\n');
      expect(listed.filter((line) => line.startsWith('branch refs/heads/agent/'))).toHaveLength(20);
      expect(listed.filter((line) => line.startsWith('locked'))).toHaveLength(20);
      expect(await git(repository.root, 'status', '--porcelain')).toBe('');
    }
  });
});

function exitCode(args: ReadonlyArray<string>): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    child.once('error', reject);
    child.once('close', resolve);
  });
}

describe('a repository', () => {
  it('is refused with what to do: no repository, no commit, bare, relative', async () => {
    const empty = makeFolder();
    expect(await openRepository(empty)).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('git init') },
    });
    await git(empty, 'init', '--quiet');
    expect(await openRepository(empty)).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('no commit yet') },
    });
    const bare = makeFolder();
    await git(bare, 'init', '--quiet', '--bare');
    expect((await openRepository(bare)).ok).toBe(false);
    expect(await openRepository('here')).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('absolute') },
    });
  });
});

describe('a repository with links where worktrees and their exclusion go', () => {
  it.each([
    [
      'info/exclude is a link',
      (path: string, out: string) => replace(join(path, '.git/info/exclude'), join(out, 'file')),
    ],
    ['info is a link', (path: string, out: string) => replace(join(path, '.git/info'), out)],
    ['the lock is a link', (path: string, out: string) => replace(join(path, '.git/attractor.lock'), join(out, 'new'))],
    ['.agent-worktrees is a link', (path: string, out: string) => replace(join(path, '.agent-worktrees'), out)],
  ])('is refused with one line, and nothing is written through them: %s', async (_what, plant) => {
    const { repository, request } = await world();
    const out = makeFolder();
    writeFileSync(join(out, 'file'), 'mine\n');
    plant(repository.root, out);
    const made = await ensureWorktree(request);
    expect(made).toMatchObject({ ok: false, error: { code: 'unavailable' } });
    expect(readdirSync(out)).toEqual(['file']);
    expect(readFileSync(join(out, 'file'), 'utf8')).toBe('mine\n');
  });

  function replace(file: string, target: string): void {
    rmSync(file, { recursive: true, force: true });
    mkdirSync(dirname(file), { recursive: true });
    symlinkSync(target, file);
  }
});
