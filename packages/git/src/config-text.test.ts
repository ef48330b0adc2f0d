import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '@attractor/base/testing';
import { configText } from './config-text.ts';

const ENV = { PATH: '/usr/bin:/bin', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };

function git(cwd: string, ...args: ReadonlyArray<string>): string {
  return execFileSync('/usr/bin/git', args, { cwd, env: ENV, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

function makeRepository(): string {
  const folder = makeFolder();
  git(folder, 'init', '--quiet', '-b', 'main', '--template=');
  git(folder, 'config', 'remote.origin.url', '/nowhere');
  return folder;
}

/** In each of these git finds another repository, reads further files, or could keep us waiting. */
const BENT: Readonly<Record<string, (folder: string) => void>> = {
  'there is no repository': (folder) => rmSync(path.join(folder, '.git'), { recursive: true }),
  'a HEAD that is none': (folder) => writeFileSync(path.join(folder, '.git/HEAD'), 'nothing\n'),
  'no folder of objects': (folder) => rmSync(path.join(folder, '.git/objects'), { recursive: true }),
  'an empty .git in a bare repository': (folder) => {
    renameSync(path.join(folder, '.git'), `${folder}-moved`);
    for (const name of ['HEAD', 'config', 'objects', 'refs'])
      renameSync(path.join(`${folder}-moved`, name), path.join(folder, name));
    rmSync(`${folder}-moved`, { recursive: true });
    mkdirSync(path.join(folder, '.git'));
  },
  'a file that leads to no repository': (folder) => {
    rmSync(path.join(folder, '.git'), { recursive: true });
    writeFileSync(path.join(folder, '.git'), 'gitdir: elsewhere\n');
  },
  'a file that leads by odd bytes': (folder) => {
    renameSync(path.join(folder, '.git'), path.join(folder, 'own'));
    writeFileSync(path.join(folder, '.git'), Buffer.from('gitdir: own\r\n\n'));
  },
  'a common folder of odd bytes': (folder) => writeFileSync(path.join(folder, '.git/commondir'), 'a\nb\n'),
  'a further file': (folder) => git(folder, 'config', 'include.path', '../more'),
  'a further file on a condition': (folder) => git(folder, 'config', 'includeIf.onbranch:x.path', '../more'),
  'a further file, by the worktree': (folder) =>
    writeFileSync(path.join(folder, '.git/config.worktree'), '[INCLUDE]\n\tpath = ../more\n'),
  'a link': (folder) => {
    renameSync(path.join(folder, '.git/config'), path.join(folder, 'mine'));
    symlinkSync('../mine', path.join(folder, '.git/config'));
  },
  'a pipe': (folder) => {
    rmSync(path.join(folder, '.git/config'));
    execFileSync('mkfifo', [path.join(folder, '.git/config')]);
  },
  'more than anybody writes': (folder) => writeFileSync(path.join(folder, '.git/config'), '#\n'.repeat(100_000)),
};

describe('the text of a configuration', () => {
  it('is that of the repository in this very folder', () => {
    const folder = makeRepository();
    expect(configText(folder)).toBe(`${readFileSync(path.join(folder, '.git/config'), 'utf8')}\0`);
    mkdirSync(path.join(folder, 'below'));
    expect(configText(path.join(folder, 'below'))).toBeNull();
  });

  it('is that of the repository and of the worktree, for a worktree', () => {
    const folder = makeRepository();
    git(folder, '-c', 'user.name=A', '-c', 'user.email=a@a.test', 'commit', '--quiet', '--allow-empty', '-m', 'first');
    git(folder, 'config', 'extensions.worktreeConfig', 'true');
    git(folder, 'worktree', 'add', '--quiet', 'tree');
    const tree = path.join(folder, 'tree');
    git(tree, 'config', '--worktree', 'diff.external', '/bin/evil');
    const texts = ['.git/config', '.git/worktrees/tree/config.worktree'].map((file) =>
      readFileSync(path.join(folder, file), 'utf8'),
    );
    expect(configText(tree)).toBe(texts.join('\0'));
    expect(texts[1]).toContain('evil');
  });

  it('is that of the repository that git is told to use, wherever it stands', () => {
    const [folder, other] = [makeRepository(), makeRepository()];
    git(other, 'config', 'diff.external', '/bin/evil');
    expect(configText(folder, path.join(other, '.git'))).toBe(configText(other));
    expect(configText(folder, path.join(other, 'none'))).toBeNull();
  });

  it.each(Object.entries(BENT))('is left to git where there is %s', (_what, bend) => {
    const folder = makeRepository();
    expect(configText(folder)).not.toBeNull();
    bend(folder);
    expect(configText(folder)).toBeNull();
  });
});
