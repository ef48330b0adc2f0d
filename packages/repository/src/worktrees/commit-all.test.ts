import { execFileSync } from 'node:child_process';
import { renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeRepository } from '../test-support/git-world.ts';
import { commitAll } from './commit-all.ts';

const git = (cwd: string, ...args: ReadonlyArray<string>): string =>
  execFileSync('git', args, { cwd, encoding: 'utf8' }).trimEnd();

const leaving = {
  message: 'Work',
  runId: 'run_1',
  author: { name: 'Ada', email: 'ada@example.invalid' },
  isWanted: true,
} as const;

describe('what a run left in its worktree', () => {
  it('is committed at once if nothing was since the work began, and never without a change', async () => {
    const path = await makeRepository({ 'a.txt': 'a\n' });
    const began = git(path, 'rev-parse', 'HEAD');
    let changes = 0;
    const beforeChange = async (): Promise<void> => void (changes += 1);
    const commit = () => commitAll(path, { ...leaving, began, beforeChange });

    expect(await commit()).toEqual({ ok: true, value: began });
    writeFileSync(join(path, 'b.txt'), 'b\n');
    const first = await commit();
    expect(first).toEqual({ ok: true, value: git(path, 'rev-parse', 'HEAD') });
    expect(git(path, 'log', '--format=%s', `${began}..HEAD`)).toBe('Work');
    expect(git(path, 'status', '--porcelain')).toBe('');

    const before = changes;
    expect(await commit()).toEqual(first);
    expect(changes).toBe(before);
    writeFileSync(join(path, 'c.txt'), 'c\n');
    await commit();
    expect(git(path, 'rev-list', '--count', `${began}..HEAD`)).toBe('2');
  });

  it('is found where the repository has git overlook it', async () => {
    const path = await makeRepository({ 'a.txt': 'a\n' });
    const before = new Date('2020-01-01');
    utimesSync(join(path, 'a.txt'), before, before);
    git(path, 'update-index', '--refresh');
    git(path, 'config', 'status.showUntrackedFiles', 'no');
    writeFileSync(join(path, 'b.txt'), 'b\n');
    expect(await commitAll(path, leaving)).toMatchObject({ ok: true });
    expect(git(path, 'show', 'HEAD:b.txt')).toBe('b');
    git(path, 'config', 'core.checkStat', 'minimal');
    git(path, 'config', 'core.trustCtime', 'false');
    writeFileSync(join(path, 'new.txt'), 'b\n');
    utimesSync(join(path, 'new.txt'), before, before);
    renameSync(join(path, 'new.txt'), join(path, 'a.txt'));
    expect(git(path, 'status', '--porcelain')).toBe('');
    expect(await commitAll(path, leaving)).toMatchObject({ ok: true });
    expect(git(path, 'show', 'HEAD:a.txt')).toBe('b');
  });

  it('stays as it is if that is not wanted, and says why it could not be committed', async () => {
    const path = await makeRepository({ 'a.txt': 'a\n' });
    const began = git(path, 'rev-parse', 'HEAD');
    writeFileSync(join(path, 'b.txt'), 'b\n');
    expect(await commitAll(path, { ...leaving, began, isWanted: false })).toEqual({ ok: true, value: began });
    writeFileSync(join(path, '.git', 'index.lock'), '');
    expect(await commitAll(path, { ...leaving, began })).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('index.lock') },
    });
    expect(git(path, 'rev-parse', 'HEAD')).toBe(began);
  });
});
