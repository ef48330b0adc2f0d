import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { runGit } from '@attractor/git';
import { describe, expect, test } from 'vitest';
import { makeFolder } from './attractor.ts';
import { GIT_TRAPS, type HostileRepository, makeHostileRepository, PROGRAM_KEYS } from './hostile-repository.ts';

const ada = { name: 'Ada', email: 'ada@example.invalid' };

/** Every git command that the product uses, and others that it may. */
const COMMANDS: ReadonlyArray<ReadonlyArray<string>> = [
  ['status', '--short', '--branch'],
  ['status', '--porcelain', '--untracked-files=all'],
  ['log', '-p', '-3'],
  ['show', 'HEAD~1'],
  ['diff'],
  ['diff', '--numstat', '-z', '--no-renames', 'HEAD~1', 'HEAD'],
  ['diff-index', '-p', 'HEAD'],
  ['cat-file', '-p', 'far:far.txt'],
  ['rev-list', '--objects', 'HEAD'],
  ['blame', 'answer.js'],
  ['grep', 'answer'],
  ['stash', 'list'],
  ['check-ignore', '--no-index', '--quiet', '--', 'x'],
  ['add', '--all', '--', '.'],
  ['commit', '--quiet', '-m', 'second'],
  ['tag', '-a', 'v1', '-m', 'tagged'],
  ['ls-remote', 'git://127.0.0.1:1/x'],
  ['ls-remote', 'ssh://127.0.0.1:1/x'],
  ['fetch', 'origin'],
  ['push', 'origin', 'main'],
  ['fetch', 'far'],
  ['archive', 'HEAD', 'answer.js'],
  ['worktree', 'add', '--quiet', '-b', 'side', '../side'],
  ['read-tree', '-m', '-u', 'HEAD'],
  ['checkout', '-q', '-b', 'other', 'HEAD~1'],
  ['merge', '--quiet', '--no-edit', 'main'],
  ['rebase', 'main'],
  ['submodule', 'status'],
  ['reset', '--hard', '--quiet', 'HEAD'],
  ['clean', '-fd', '--quiet'],
];

function changed(repository: HostileRepository): HostileRepository {
  for (const name of ['answer.js', 'notes.txt', 'a.included', 'sub/file.txt'])
    appendFileSync(path.join(repository.root, name), 'changed\n');
  return repository;
}

describe('git in a repository full of traps', () => {
  test(`G-W3, T18: runs none of the programs that ${PROGRAM_KEYS.length} keys, hooks, attributes, submodules and remotes name`, async () => {
    const { root, markers } = changed(makeHostileRepository(makeFolder(), GIT_TRAPS));
    expect(PROGRAM_KEYS.length).toBeGreaterThanOrEqual(25);
    const host = { PATH: `${path.join(root, 'bin')}:.:/usr/bin:/bin`, HOME: root };
    const inside = await runGit(['status'], { cwd: path.join(root, 'docs/nested'), host });
    expect(inside).toMatchObject({ exitCode: 128, stderr: expect.stringContaining('bare repository') });
    for (const args of COMMANDS) {
      await runGit(args, { cwd: root, author: ada, host, timeoutMs: 600_000 });
      expect([args.join(' '), markers()]).toEqual([args.join(' '), []]);
    }
    const log = await runGit(['log', '--oneline'], { cwd: root, host });
    expect(log.stdout).toContain('second');
    expect(markers()).toEqual([]);
  });

  test('the traps are live: git as a person runs it falls into them', () => {
    const model = makeHostileRepository(makeFolder(), GIT_TRAPS);
    const seen = new Set<string>();
    for (const line of [
      'status',
      'diff --no-ext-diff',
      'add notes.txt',
      'tag -a x -m x',
      'blame answer.js',
      'cat-file -p far:far.txt',
      'fetch far',
      'ls-remote origin',
      'ls-remote ssh://127.0.0.1:1/x',
      'ls-remote git://127.0.0.1:1/x',
      'st',
      'read-tree HEAD',
    ]) {
      const { root, markers } = changed(model);
      const env = { PATH: '/usr/bin:/bin', HOME: root, GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b.test' };
      spawnSync('git', line.split(' '), { cwd: root, env, stdio: 'ignore', timeout: 600_000 });
      for (const marker of markers()) seen.add(marker);
    }
    expect([...seen]).toEqual(
      expect.arrayContaining([
        'core.fsmonitor',
        'filter.evil.process',
        'filter.plain.clean',
        'gpg.program',
        'diff.evil.textconv',
        'lazy-fetch',
        'ext-remote',
        'core.sshCommand',
        'core.gitProxy',
        'alias.st',
        'hook-post-index-change',
      ]),
    );
  });

  test('T4: names that look like shell text are only names', async () => {
    const { root, git } = makeHostileRepository(makeFolder(), []);
    const nasty = [
      '$(touch pwned)',
      '`touch pwned`',
      '"; touch pwned; "',
      "'; touch pwned; '",
      '| touch pwned',
      '\u3000$(touch pwned)',
    ];
    git('config', 'user.name', nasty.join('\n'));
    git('config', 'user.email', '$(touch pwned)@example.test');
    git('config', 'remote.$(touch pwned).url', '$(touch pwned)');
    for (const [index, name] of nasty.entries()) {
      git('update-ref', `refs/heads/x${index}${name.replaceAll(/[\s~^:?*[\\]/g, '')}`, 'HEAD');
      git('update-ref', `refs/tags/x${index}${name.replaceAll(/[\s~^:?*[\\]/g, '')}`, 'HEAD');
      appendFileSync(path.join(root, name.replaceAll('/', '')), 'x');
    }
    const person = { name: nasty.join(' '), email: nasty.join('') };
    for (const args of [
      ['add', '--all'],
      ['commit', '-q', '-m', nasty.join('\n')],
      ['status', '--short', '--branch'],
      ['log', '-p', '--all'],
      ['branch', '-a'],
      ['for-each-ref'],
    ]) {
      const { exitCode, stderr } = await runGit(args, { cwd: root, author: person });
      expect({ args, stderr, exitCode }).toMatchObject({ exitCode: 0 });
    }
    expect(existsSync(path.join(root, 'pwned'))).toBe(false);
    expect(readdirSync(root)).toHaveLength(nasty.length + 3);
  });
});
