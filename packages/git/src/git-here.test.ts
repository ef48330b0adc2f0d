import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '@attractor/base/testing';
import { describe, expect, it } from 'vitest';
import { checkedOutSubmodules, gitHere, type GitHere } from './git-here.ts';
import { rememberWhileUnchanged } from './unchanged.ts';

const variables = { PATH: '/usr/bin:/bin', HOME: '/nobody', GIT_CONFIG_NOSYSTEM: '1' };

const git = (cwd: string, ...args: ReadonlyArray<string>): void =>
  void execFileSync('/usr/bin/git', ['-c', 'user.name=t', '-c', 'user.email=t@t.test', ...args], {
    cwd,
    stdio: 'ignore',
    env: variables,
  });

const repository = (): string => {
  const root = makeFolder({ 'a.txt': 'x\n', 'sub/b.txt': 'y\n' });
  git(root, 'init', '-q', '-b', 'main');
  git(root, 'add', '.');
  git(root, 'commit', '-qm', 'first');
  return root;
};

const here = async (folder: string): Promise<GitHere> => {
  const found = await gitHere({ folder, variables });
  if (found === null) throw new Error(`git did not answer in ${folder}`);
  return found;
};

const valueOf = ({ settings }: GitHere, key: string): string | null | undefined =>
  settings.findLast((setting) => setting.key === key)?.value;

describe('what git obeys in a folder', () => {
  it('is the repository around it, with the folder of hooks that a setting names', async () => {
    const root = repository();
    git(root, 'config', 'core.hooksPath', 'tools/git');
    const { repository: found } = await here(join(root, 'sub'));
    expect(found).toMatchObject({ top: root, gitDir: join(root, '.git'), hooks: join(root, 'tools/git') });
  });

  it('is what a committed folder of three files leads to', async () => {
    const root = repository();
    const fixture = join(root, 'tests/fx');
    mkdirSync(fixture, { recursive: true });
    git(root, 'init', '-q', '--bare', join(root, 'tests/data'));
    git(join(root, 'tests/data'), 'config', 'diff.external', './evil');
    writeFileSync(join(fixture, 'HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(join(fixture, 'commondir'), '../data');
    const found = await here(fixture);
    expect(found.repository?.commonDir).toBe(join(root, 'tests/data'));
    expect(valueOf(found, 'diff.external')).toBe('./evil');
  });

  it('is a repository around an empty .git', async () => {
    const root = makeFolder();
    git(root, 'init', '-q', '--bare', '.');
    git(root, 'config', 'core.fsmonitor', './evil');
    mkdirSync(join(root, '.git'));
    expect(valueOf(await here(root), 'core.fsmonitor')).toBe('./evil');
  });

  it('is nothing where there is none, and not known where its paths can’t be told apart', async () => {
    expect((await here(makeFolder())).repository).toBeNull();
    const odd = makeFolder();
    mkdirSync(join(odd, 'a\nb'));
    git(join(odd, 'a\nb'), 'init', '-q');
    expect(await gitHere({ folder: join(odd, 'a\nb'), variables })).toBeNull();
  });

  it('includes submodules that only a shared index tells of', async () => {
    const root = repository();
    git(join(root, 'sub'), 'init', '-q');
    git(join(root, 'sub'), 'commit', '-q', '--allow-empty', '-m', 'inner');
    git(root, 'rm', '-rq', '--cached', 'sub');
    git(root, 'add', 'sub');
    git(root, 'update-index', '--split-index');
    expect(readdirSync(join(root, '.git')).some((name) => name.startsWith('sharedindex.'))).toBe(true);
    const { repository: found } = await here(root);
    expect(found === null ? null : await checkedOutSubmodules(found, { folder: root, variables })).toEqual([
      join(root, 'sub'),
    ]);
  });

  it('names a link of the repository that leads out of it', async () => {
    const root = repository();
    expect((await here(root)).link).toBeNull();
    symlinkSync('HEAD', join(root, '.git/inner'));
    symlinkSync('/nobody/letters', join(root, '.git/info/grafts'));
    expect((await here(root)).link).toBe(join(root, '.git/info/grafts'));
  });
});

describe('an answer that is remembered', () => {
  it('is asked for again after any change of a file or folder that it depends on, and not before', async () => {
    const folder = makeFolder({ one: '1' });
    const files = [join(folder, 'one'), join(folder, 'absent'), folder];
    const past = new Date(Date.now() - 60_000);
    let asked = 0;
    // The clock of a change can't be set back: what was asked "later" is what makes it old.
    const remember = rememberWhileUnchanged<number>({ tickMs: -60_000 });
    const ask = (): Promise<number> => remember('key', async () => ({ value: (asked += 1), files }));
    expect([await ask(), await ask()]).toEqual([1, 1]);
    writeFileSync(join(folder, 'absent'), '');
    expect([await ask(), await ask()]).toEqual([2, 2]);
    utimesSync(join(folder, 'one'), past, past);
    expect([await ask(), await ask()]).toEqual([3, 3]);
    renameSync(join(folder, 'absent'), join(folder, 'other'));
    expect([await ask(), await ask()]).toEqual([4, 4]);
  });

  it('is asked for again while a file is younger than the clock of a disk can tell', async () => {
    const folder = makeFolder({ one: '1' });
    let asked = 0;
    const remember = rememberWhileUnchanged<number>();
    const ask = (): Promise<number> =>
      remember('key', async () => ({ value: (asked += 1), files: [join(folder, 'one')] }));
    expect([await ask(), await ask()]).toEqual([1, 2]);
  });
});
