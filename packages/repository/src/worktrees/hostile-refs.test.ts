import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder, must } from '@attractor/store/testing';
import { git, makeRepository } from '../test-support/git-world.ts';
import { readCommits, readDiffStat } from '../git/change.ts';
import { rescueLeftovers } from './rescue.ts';
import { ensureWorktree } from './worktree.ts';
import { openRepository } from '../git/open-repository.ts';

const author = { name: 'Attractor Agent', email: 'agent@attractor.invalid' };

describe('T16: refs that look like options', () => {
  it('are refused by every function that takes a ref, and write nothing', async () => {
    const repository = must(await openRepository(await makeRepository({ 'a.txt': 'one\n' })));
    const target = join(makeFolder(), 'written');
    const cwd = repository.root;
    for (const ref of [`--output=${target}`, '-p', '--all', '--exec=touch pwned', `--upload-pack=touch ${target}`]) {
      const request = { repository, taskId: 'tsk_1', branch: 'agent/one', baseBranch: 'main', author, lockReason: 'x' };
      const answers = [
        await readCommits(cwd, { from: ref, to: 'HEAD' }),
        await readCommits(cwd, { from: 'HEAD', to: ref }),
        await readDiffStat(cwd, { from: ref, to: 'HEAD' }),
        await readDiffStat(cwd, { from: 'HEAD', to: ref }),
        await ensureWorktree({ ...request, branch: ref }),
        await ensureWorktree({ ...request, baseBranch: ref }),
        await rescueLeftovers(repository, { folder: cwd, taskId: 'tsk_1', parent: ref, author }),
      ];
      expect([ref, answers.map(({ ok }) => ok)]).toEqual([ref, answers.map(() => false)]);
    }
    expect(existsSync(target)).toBe(false);
    expect(readdirSync(cwd).toSorted()).toEqual(['.git', 'a.txt']);
  });
});

it('a name with tabs and line breaks is counted under its whole name', async () => {
  const names = ['a\tb.txt', 'c\nd.txt', 'plain.txt'];
  const cwd = await makeRepository(Object.fromEntries(names.map((name) => [name, 'x\n'])));
  const none = await git(cwd, 'hash-object', '-t', 'tree', '/dev/null');
  const stat = await readDiffStat(cwd, { from: none, to: 'HEAD' });
  expect(stat.ok ? stat.value.files.map(({ path, additions }) => [path, additions]) : stat).toEqual(
    names.map((name) => [name, 1]),
  );
});
