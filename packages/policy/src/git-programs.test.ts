import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '@attractor/base/testing';
import { whyGitAsks } from './git-programs.ts';
import { policyOf } from './test-support/rules.ts';

const git = (cwd: string, ...args: ReadonlyArray<string>): string =>
  execFileSync('/usr/bin/git', ['-c', 'user.name=t', '-c', 'user.email=t@t.test', ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: '/usr/bin:/bin', HOME: cwd, GIT_CONFIG_NOSYSTEM: '1' },
  });

const repository = (): string => {
  const root = makeFolder({ 'a.txt': 'x\n', 'sub/b.txt': 'y\n' });
  git(root, 'init', '-q', '-b', 'main');
  git(root, 'add', '.');
  git(root, 'commit', '-qm', 'first');
  return root;
};

const decide = async (root: string, command = 'git status'): Promise<string> =>
  (await policyOf({}, { root }).judge({ toolName: 'shell', args: { command } })).decision;

describe('git that only reads', () => {
  it('is allowed unasked in an ordinary repository, its folders and its worktrees', async () => {
    const root = repository();
    git(root, 'remote', 'add', 'origin', 'https://example.test/process.git');
    git(root, 'config', 'branch.clean.remote', 'origin');
    git(root, 'config', 'core.fsmonitor', 'false');
    git(root, 'worktree', 'add', '-q', '-b', 'other', join(root, 'tree'));
    for (const folder of [root, join(root, 'sub'), join(root, 'tree')]) {
      expect([folder, await whyGitAsks({ folder, folders: [folder], variables: { PATH: '/usr/bin:/bin' } })]).toEqual([
        folder,
        null,
      ]);
      expect(await decide(folder)).toBe('allow');
    }
    expect(await decide(root, 'git diff && git log -p -1')).toBe('allow');
    expect(await decide(makeFolder({}))).toBe('allow');
  });

  it('asks where the repository names a program, and git alone would have run it', async () => {
    const root = repository();
    const trap = join(root, 'trap.sh');
    writeFileSync(trap, `#!/bin/sh\ntouch '${root}/marker'\n`);
    chmodSync(trap, 0o755);
    git(root, 'config', 'core.fsmonitor', trap);
    expect(await decide(root)).toBe('ask');
    expect(
      (await policyOf({}, { root }).judge({ toolName: 'shell', args: { command: 'git status' } })).reason,
    ).toContain('fsmonitor');
    git(root, 'status');
    expect(existsSync(join(root, 'marker'))).toBe(true);
  });

  it.each([
    ['[diff "x"]\n\ttextconv = ./evil'],
    ['[diff]external=./evil'],
    ['[diff "x"] command = ./evil'],
    ['[filter "x"]\n\tclean = ./evil'],
    ['[filter "x"]\n  PROCESS = ./evil'],
    ['[core]\n\thooksPath = hooks'],
    ['[core] fsmonitor'],
    ['[core]\n\tfsmonitor = true; and\n\tfsmonitor = ./evil\n'],
    ['[include]\n\tpath = ../evil'],
    ['[includeIf "gitdir:/"]\r\n\tpath=../evil\r\n'],
    ['[gpg]\n\tprogram = ./evil'],
    ['[log]\n\tshowSignature'],
    ['[core]\n\tworktree = /etc'],
    ['[remote "o"]\n\tpromisor = true'],
    ['[hook "x"]\n\tcommand = ./evil'],
  ])('asks because of %j', async (text) => {
    const root = repository();
    writeFileSync(join(root, '.git/config'), `[core]\n\trepositoryformatversion = 0\n\tbare = false\n${text}\n`);
    expect(await decide(root)).toBe('ask');
    expect(await decide(join(root, 'sub'))).toBe('ask');
  });

  it('asks in a bare repository, beside a hook that reading runs, and where git files can’t be read', async () => {
    const bare = makeFolder({ 'sub/HEAD': 'ref: refs/heads/main', 'sub/config': '[core]\n\tfsmonitor = ./evil\n' });
    for (const name of ['objects', 'refs']) mkdirSync(join(bare, 'sub', name));
    expect(await decide(join(bare, 'sub'))).toBe('ask');
    const hooked = repository();
    writeFileSync(join(hooked, '.git/hooks/post-index-change'), '#!/bin/sh\n');
    expect(await decide(hooked)).toBe('ask');
    const broken = makeFolder({ '.git': 'gitdir: nowhere' });
    mkdirSync(join(broken, 'nowhere/config'), { recursive: true });
    expect(await decide(broken)).toBe('ask');
  });

  it('is allowed beside submodules while none of them names a program, wherever the index keeps them', async () => {
    const parent = repository();
    const sub = join(parent, 'sub');
    git(sub, 'init', '-q');
    git(sub, 'add', '.');
    git(sub, 'commit', '-qm', 'inner');
    git(parent, 'rm', '-rq', '--cached', 'sub');
    git(parent, 'add', 'sub');
    expect(await decide(parent)).toBe('allow');
    git(sub, 'config', 'core.fsmonitor', './evil');
    expect(await decide(parent)).toBe('ask');
    git(parent, 'update-index', '--index-version', '4');
    expect(await decide(parent)).toBe('ask');
    git(parent, 'update-index', '--split-index');
    expect(await decide(parent)).toBe('ask');
  });

  it('asks where git finds another repository than the one in sight, here, after cd and by -C', async () => {
    const root = repository();
    git(root, 'init', '-q', '--bare', join(root, 'tests/data'));
    git(join(root, 'tests/data'), 'config', 'diff.external', './evil');
    mkdirSync(join(root, 'tests/fx'));
    writeFileSync(join(root, 'tests/fx/HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(join(root, 'tests/fx/commondir'), '../data');
    for (const command of ['cd tests/fx && git show HEAD', 'git -C tests/fx show HEAD', 'cd tests/fx; git show HEAD'])
      expect([command, await decide(root, command)]).toEqual([command, 'ask']);
    expect(await decide(join(root, 'tests/fx'), 'git show HEAD')).toBe('ask');
    for (const command of ['cd sub && git status', 'git -C sub log -1', 'cd sub; git status', 'git -C . -C sub diff'])
      expect([command, await decide(root, command)]).toEqual([command, 'allow']);
    for (const command of [
      'git -C .. status',
      'cd -P sub && git status',
      'git -C "$X" status',
      'cd nowhere && git log',
    ])
      expect([command, await decide(root, command)]).toEqual([command, 'ask']);
  });

  it('asks where the repository lies elsewhere and does not know this folder', async () => {
    const other = repository();
    const root = makeFolder({ 'x/.git': `gitdir: ${other}/.git\n` });
    expect(await decide(join(root, 'x'), 'git log -p')).toBe('ask');
    expect(await decide(root, 'cd x && git log -p')).toBe('ask');
  });

  it('asks where another part of the command may make what git would find', async () => {
    const root = repository();
    const judge = async (command: string): Promise<string> =>
      (
        await policyOf({ allow: ['Edit', 'Bash(echo *)', 'Bash(cp *)', 'Bash(npm test)'] }, { root }).judge({
          toolName: 'shell',
          args: { command },
        })
      ).decision;
    expect(await judge('echo ../evil > sub/commondir; cd sub && git status')).toBe('ask');
    expect(await judge('cp -r a.txt sub && cd sub && git status')).toBe('ask');
    expect(await judge('echo hi > sub/b.txt && git -C sub status')).toBe('allow');
    expect(await judge('cp -r a.txt sub && git status')).toBe('allow');
    expect(await judge('npm test && git -C sub status')).toBe('allow');
  });

  it('sees a change that came between two commands', async () => {
    const root = repository();
    expect(await decide(root)).toBe('allow');
    git(root, 'config', 'diff.x.textconv', './evil');
    expect(await decide(root, 'git diff')).toBe('ask');
  });
});

describe('a folder of hooks that the repository names', () => {
  const edit = async (root: string, file: string): Promise<string> =>
    (await policyOf({}, { root, mode: 'acceptEdits' }).judge({ toolName: 'write_file', args: { file_path: file } }))
      .decision;

  it('is changed only after asking, by tools and by commands', async () => {
    const root = repository();
    expect(await edit(root, 'tools/git/pre-commit')).toBe('allow');
    git(root, 'config', 'core.hooksPath', 'tools/git');
    expect(await edit(root, 'tools/git/pre-commit')).toBe('ask');
    expect(await edit(root, './tools/../tools/git/deep/x')).toBe('ask');
    expect(await decide(root, 'echo x > tools/git/pre-commit')).toBe('ask');
    expect(await edit(root, 'tools/other')).toBe('allow');
    expect(await edit(root, 'a.txt')).toBe('allow');
    expect(await decide(root, 'ls tools/git')).toBe('allow');
  });

  it('is asked about like a file of the workspace that a setting has git run', async () => {
    const root = repository();
    git(root, 'config', 'filter.Some.Name.clean', 'node tools/clean.js %f');
    git(root, 'config', 'alias.x', '!./x.sh; cd sub && ls');
    for (const file of ['tools/clean.js', 'x.sh']) expect([file, await edit(root, file)]).toEqual([file, 'ask']);
    for (const file of ['tools/other.js', 'sub/b.txt']) expect([file, await edit(root, file)]).toEqual([file, 'allow']);
  });

  it('is the last one named, and counts from the top of the working tree, in quotes as well', async () => {
    const root = repository();
    writeFileSync(join(root, '.git/config'), '[core]\n\thooksPath = old\n[core] hookspath = "my hooks"\n');
    expect(await edit(root, 'my hooks/pre-push')).toBe('ask');
    expect(await edit(root, 'old/pre-push')).toBe('allow');
    expect(await edit(join(root, 'sub'), 'my hooks/pre-push')).toBe('allow');
  });
});
