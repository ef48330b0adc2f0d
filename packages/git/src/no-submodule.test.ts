import { execFileSync } from 'node:child_process';
import { renameSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '@attractor/base/testing';
import { describe, expect, it } from 'vitest';
import { listsNoSubmodule } from './no-submodule.ts';

const SETTINGS = ['user.name=Ada', 'user.email=ada@example.test', 'protocol.file.allow=always'];

function git(cwd: string, ...args: ReadonlyArray<string>): void {
  execFileSync('git', [...SETTINGS.flatMap((setting) => ['-c', setting]), ...args], { cwd, stdio: 'ignore' });
}

function makeRepository(): string {
  const cwd = makeFolder({ 'a.txt': 'one\n', 'below/b.txt': 'two\n' });
  git(cwd, 'init', '-b', 'main');
  git(cwd, 'add', '--all');
  git(cwd, 'commit', '-m', 'first');
  return cwd;
}

describe('an index', () => {
  it('surely lists no submodule in a plain repository, a new one and a worktree', () => {
    const cwd = makeRepository();
    const worktree = path.join(makeFolder(), 'tree');
    git(cwd, 'worktree', 'add', '-b', 'other', worktree);
    const empty = makeFolder();
    git(empty, 'init');
    const copied = { cwd: worktree, variables: { GIT_INDEX_FILE: path.join(cwd, '.git/index') } };
    const places = [{ cwd }, { cwd: worktree }, { cwd: empty }, copied];
    expect(places.map(listsNoSubmodule)).toEqual(places.map(() => true));
  });

  it.each([['2'], ['4']])('may list one where there is one, in version %s and beside any other entry', (version) => {
    const cwd = makeRepository();
    git(cwd, 'submodule', 'add', makeRepository(), 'inner');
    git(cwd, 'update-index', '--index-version', version);
    expect(listsNoSubmodule({ cwd })).toBe(false);
  });

  it('may list one where entries stand elsewhere, or git may find another index', () => {
    const shared = makeRepository();
    git(shared, 'update-index', '--split-index');
    const linked = makeRepository();
    renameSync(path.join(linked, '.git/index'), path.join(linked, '.git/real'));
    symlinkSync('real', path.join(linked, '.git/index'));
    const plain = makeRepository();
    const places = [
      { cwd: shared },
      { cwd: linked },
      { cwd: path.join(plain, 'below') },
      { cwd: plain, variables: { GIT_INDEX_FILE: path.join(shared, '.git/index') } },
      { cwd: plain, variables: { GIT_INDEX_FILE: '.git/index' } },
      { cwd: plain, variables: { GIT_DIR: path.join(shared, '.git') } },
    ];
    expect(places.map(listsNoSubmodule)).toEqual(places.map(() => false));
  });
});
