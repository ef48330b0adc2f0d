import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '@attractor/store/testing';
import { describe, expect, it } from 'vitest';
import { makeRepository } from '../test-support/git-world.ts';
import { haveSameFiles, headOf } from './checked-out.ts';
import { branchTip, commitOf, commitsOf } from './commits.ts';
import { commitInFiles } from './files-of-git.ts';
import { knownRepository } from './known-repository.ts';
import { removeOldScratch } from './old-scratch.ts';
import { openRepository } from './open-repository.ts';

const git = (cwd: string, ...args: ReadonlyArray<string>): string =>
  execFileSync('git', args, { cwd, encoding: 'utf8' }).trimEnd();

async function opened(path: string) {
  const repository = await openRepository(path);
  if (!repository.ok) throw new Error(repository.error.message);
  return repository.value;
}

describe('what is checked out', () => {
  it('is told as git tells it: on a branch, detached, in a worktree, below, packed', async () => {
    const path = await makeRepository({ 'a.txt': 'a\n', 'below/b.txt': 'b\n' });
    const tree = join(makeFolder(), 'tree');
    git(path, 'worktree', 'add', '--quiet', '-b', 'agent/one', tree);
    writeFileSync(join(tree, 'a.txt'), 'other\n');
    git(tree, '-c', 'user.name=A', '-c', 'user.email=a@a.test', 'commit', '--quiet', '--all', '-m', 'two');
    const folders = [path, join(path, 'below'), tree];
    const agrees = async (): Promise<void> => {
      for (const folder of folders)
        expect(await headOf(folder)).toEqual({ ok: true, value: git(folder, 'rev-parse', 'HEAD') });
    };
    await agrees();
    git(path, 'checkout', '--quiet', '--detach');
    await agrees();
    git(path, 'pack-refs', '--all');
    git(path, 'gc', '--quiet');
    await agrees();
    expect(await headOf(makeFolder())).toMatchObject({ ok: false });
  });

  it('has the same files as another commit, or not, whether they are packed or not', async () => {
    const path = await makeRepository({ 'a.txt': 'a\n' });
    const commit = (...flags: ReadonlyArray<string>): string => {
      git(path, '-c', 'user.name=A', '-c', 'user.email=a@a.test', 'commit', '--quiet', '--allow-empty', ...flags);
      return git(path, 'rev-parse', 'HEAD');
    };
    const [first, empty] = [git(path, 'rev-parse', 'HEAD'), commit('-m', 'nothing')];
    writeFileSync(join(path, 'a.txt'), 'other\n');
    const changed = commit('--all', '-m', 'changed');
    const told = (): Promise<ReadonlyArray<boolean>> =>
      Promise.all([first, empty, changed].map((other) => haveSameFiles(path, first, other)));
    expect(await told()).toEqual([true, true, false]);
    git(path, 'gc', '--quiet');
    expect(await told()).toEqual([true, true, false]);
  });
});

describe('commits read from the files of git', () => {
  it('are those that git names; where the files do not say, git is asked', async () => {
    const path = await makeRepository({ 'a.txt': 'a\n' });
    const repository = await opened(path);
    const { gitFolder } = repository;
    const inFiles = (name: string) => commitInFiles(gitFolder, name);
    const first = git(path, 'rev-parse', 'HEAD');
    git(path, 'branch', 'agent/one');
    git(path, 'symbolic-ref', 'refs/heads/link', 'refs/heads/main');
    symlinkSync('agent/one', join(gitFolder, 'refs', 'heads', 'soft'));
    expect([inFiles(first), inFiles('refs/heads/main'), inFiles('refs/heads/agent/one')]).toEqual([
      first,
      first,
      first,
    ]);
    expect([inFiles('refs/heads/none'), inFiles('refs/attractor/merged/main')]).toEqual([null, null]);
    const asked = [
      'refs/heads/agent',
      'refs/heads/link',
      'refs/heads/soft',
      'refs/heads/../HEAD',
      'HEAD',
      'main',
      `${first}^1`,
    ];
    expect(asked.map(inFiles)).toEqual(asked.map(() => undefined));
    expect(await commitsOf(repository, asked.slice(0, 3))).toEqual([null, first, first]);

    git(path, 'pack-refs', '--all');
    expect([inFiles('refs/heads/main'), inFiles('refs/heads/none')]).toEqual([undefined, null]);
    expect([await branchTip(repository, 'main'), await branchTip(repository, 'none')]).toEqual([first, null]);

    git(path, '-c', 'user.name=A', '-c', 'user.email=a@b.test', 'commit', '-q', '--allow-empty', '-m', 'second');
    const second = git(path, 'rev-parse', 'HEAD');
    expect([inFiles('refs/heads/main'), inFiles(second)]).toEqual([second, second]);
    const object = join(gitFolder, 'objects', second.slice(0, 2), second.slice(2));
    rmSync(object);
    writeFileSync(object, '');
    expect([inFiles('refs/heads/main'), await commitOf(repository, second)]).toEqual([undefined, null]);
    const tree = git(path, 'rev-parse', `${first}^{tree}`);
    expect(inFiles(tree)).toBeUndefined();
    truncateSync(join(gitFolder, 'refs', 'heads', 'main'), 10);
    expect(inFiles('refs/heads/main')).toBeUndefined();
  });
});

describe('a repository that was opened before', () => {
  const changes: ReadonlyArray<readonly [string, (path: string) => void]> = [
    ['another configuration', (path) => appendFileSync(join(path, '.git', 'config'), '[core]\n\tbare = true\n')],
    ['settings of one worktree', (path) => writeFileSync(join(path, '.git', 'config.worktree'), '')],
    [
      'another repository in its place',
      (path) => {
        renameSync(join(path, '.git'), join(path, 'was.git'));
        mkdirSync(join(path, '.git'));
      },
    ],
    [
      'a link in its place',
      (path) => {
        renameSync(join(path, '.git'), join(path, 'was.git'));
        symlinkSync('was.git', join(path, '.git'));
      },
    ],
    ['no commit', (path) => git(path, 'symbolic-ref', 'HEAD', 'refs/heads/unborn')],
    [
      'another folder behind its path',
      (path) => {
        renameSync(path, `${path}.was`);
        mkdirSync(path);
      },
    ],
  ];

  it.each(changes)('is known, and asked about again with %s', async (_what, change) => {
    const path = await makeRepository({ 'a.txt': 'a\n' });
    expect(knownRepository(path)).toBeNull();
    const first = await opened(path);
    expect([knownRepository(path), await opened(path)]).toEqual([first, first]);
    change(path);
    expect(knownRepository(path)).toBeNull();
  });

  it('is asked about each time where its configuration leads elsewhere', async () => {
    const path = await makeRepository({ 'a.txt': 'a\n' });
    git(path, 'config', 'include.path', join(makeFolder(), 'more'));
    await opened(path);
    expect(knownRepository(path)).toBeNull();
  });
});

it('temporary folders of git commands that a kill left behind are removed once they are old, and no others', async () => {
  const folder = makeFolder();
  const names = [
    'attractor-carry-abcdef',
    'attractor-rescue-abcdef',
    'attractor-carry-ghijkl',
    'attractor-else-abcdef',
  ];
  for (const name of names) mkdirSync(join(folder, name));
  const before = new Date(Date.now() - 2 * 60 * 60_000);
  for (const name of names.filter((one) => !one.includes('ghijkl'))) utimesSync(join(folder, name), before, before);
  await removeOldScratch(folder);
  expect(readdirSync(folder).toSorted()).toEqual(['attractor-carry-ghijkl', 'attractor-else-abcdef']);
});
