import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '@attractor/base/testing';
import { checkoutsAround, findGit } from './git-path.ts';
import { largeFilesProblem, runGit } from './run-git.ts';

const ada = { name: 'Ada $(touch pwned) `L', email: 'ada@example.test', date: '2026-01-02T03:04:05Z' };

async function makeRepository(files: Readonly<Record<string, string>> = { 'a.txt': 'one\n' }): Promise<string> {
  const cwd = makeFolder(files);
  for (const args of [
    ['init', '-b', 'main'],
    ['add', '--all'],
    ['commit', '-m', 'first'],
  ]) {
    const result = await runGit(args, { cwd, author: ada });
    expect({ args, stderr: result.stderr, exitCode: result.exitCode }).toMatchObject({ exitCode: 0 });
  }
  return cwd;
}

describe('runGit', () => {
  it('commits with the author and committer it is given, whatever they contain', async () => {
    const cwd = await makeRepository();
    const bob = { name: 'Bob', email: 'bob@example.test' };
    await runGit(['commit', '--allow-empty', '-m', '$(touch pwned)'], { cwd, author: ada, committer: bob });
    const log = await runGit(['log', '-1', '--format=%an|%ae|%aI|%cn|%s'], { cwd });
    expect(log.stdout.trim()).toBe(
      'Ada $(touch pwned) `L|ada@example.test|2026-01-02T03:04:05+00:00|Bob|$(touch pwned)',
    );
    expect(existsSync(path.join(cwd, 'pwned'))).toBe(false);
  });

  it('fetches beside a worktree that another process is just making', async () => {
    const [cwd, from] = [await makeRepository(), await makeRepository({ 'b.txt': 'b\n' })];
    const entry = path.join(cwd, '.git/worktrees/new');
    mkdirSync(entry, { recursive: true });
    const made = { commondir: '../..', gitdir: path.join(cwd, 'new/.git'), HEAD: '0'.repeat(40) };
    for (const [name, text] of Object.entries(made)) writeFileSync(path.join(entry, name), `${text}\n`);
    const fetch = () => runGit(['fetch', '--quiet', '--', from, 'main'], { cwd });
    const first = fetch();
    setTimeout(() => writeFileSync(path.join(entry, 'HEAD'), 'ref: refs/heads/main\n'), 300);
    expect(await first).toMatchObject({ exitCode: 0 });
  });

  it('answers a refusal of git with its exit code and words, not with a throw', async () => {
    const result = await runGit(['rev-parse', '--verify', 'nothing'], { cwd: makeFolder() });
    expect(result.exitCode).not.toBe(0);
    expect(result.failure).toBeUndefined();
    expect(result.stderr).toContain('fatal');
  });

  it('says what is wrong when the folder is missing or git is not there', async () => {
    const gone = await runGit(['status'], { cwd: path.join(makeFolder(), 'gone') });
    expect(gone).toMatchObject({ failure: 'not_started', stderr: expect.stringMatching(/^the folder .*gone is gone/) });
  });

  it('reads the commits themselves, whatever the repository puts in their place', async () => {
    const cwd = await makeRepository({ 'a.txt': 'one\n' });
    const commit = async (text: string): Promise<void> => {
      writeFileSync(path.join(cwd, 'a.txt'), text);
      await runGit(['commit', '--quiet', '--all', '--message', text.trim()], { cwd, author: ada });
    };
    for (const text of ['two\n', 'three\n']) await commit(text);
    const told = () => runGit(['log', '--format=%s', '--patch'], { cwd });
    const before = await told();
    expect(before.stdout.match(/^(?:two|three)$/gm)).toHaveLength(2);

    const [last = '', , first = ''] = (await runGit(['rev-list', 'HEAD'], { cwd })).stdout.split('\n');
    const host = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' };
    execFileSync('git', ['replace', 'HEAD', first], { cwd, env: host });
    execFileSync('git', ['config', 'log.showRoot', 'false'], { cwd, env: host });
    expect(execFileSync('git', ['log', '-p'], { cwd, env: host, encoding: 'utf8' })).not.toContain('three');
    expect(await told()).toEqual(before);
    execFileSync('git', ['replace', '-d', last], { cwd, env: host });
    mkdirSync(path.join(cwd, '.git/info'), { recursive: true });
    writeFileSync(path.join(cwd, '.git/info/grafts'), `${last} ${first}\n`);
    expect(execFileSync('git', ['log', '-p'], { cwd, env: host, encoding: 'utf8' })).not.toMatch(/^ +two$/m);
    expect(await told()).toEqual(before);
  });

  it('runs no program that the repository names', async () => {
    const cwd = await makeRepository({
      'a.txt': 'one\n',
      '.gitattributes': '*.txt filter=evil diff=evil merge=evil\n',
    });
    const evil = path.join(makeFolder(), 'evil');
    const marker = path.join(makeFolder(), 'marker');
    writeFileSync(evil, `#!/bin/sh\ntouch '${marker}'\ncat\n`);
    chmodSync(evil, 0o755);
    mkdirSync(path.join(cwd, '.git/hooks'), { recursive: true });
    for (const hook of ['pre-commit', 'post-commit', 'post-checkout', 'post-index-change', 'reference-transaction']) {
      writeFileSync(path.join(cwd, '.git/hooks', hook), readFileSync(evil), { mode: 0o755 });
    }
    const keys = [
      'core.fsmonitor',
      'core.pager',
      'core.editor',
      'core.sshCommand',
      'diff.external',
      'diff.evil.textconv',
      'diff.evil.command',
      'filter.evil.clean',
      'filter.evil.smudge',
      'filter.evil.process',
      'merge.evil.driver',
      'gpg.program',
      'core.askPass',
      'credential.helper',
      'pager.log',
      'core.alternateRefsCommand',
    ];
    for (const key of keys) await runGit(['config', key, evil], { cwd });
    await runGit(['config', 'commit.gpgSign', 'true'], { cwd });
    writeFileSync(path.join(cwd, 'a.txt'), 'two\n');
    for (const args of [
      ['status', '--short'],
      ['diff'],
      ['add', 'a.txt'],
      ['commit', '-m', 'second'],
      ['log', '-p'],
      ['show'],
      ['checkout', '-b', 'side', 'HEAD~1'],
      ['stash', 'list'],
      ['worktree', 'add', path.join(makeFolder(), 'wt'), 'main'],
    ]) {
      const result = await runGit(args, { cwd, author: ada });
      expect({ args, stderr: result.stderr, exitCode: result.exitCode }).toMatchObject({ exitCode: 0 });
    }
    expect(existsSync(marker)).toBe(false);
  });

  it('asks for the configuration once for each text of it, and obeys a new one at once', async () => {
    const cwd = await makeRepository({ 'a.txt': 'one\n', '.gitattributes': '*.txt filter=evil\n' });
    const bin = makeFolder();
    const [asked, marker] = [path.join(bin, 'asked'), path.join(bin, 'marker')];
    writeFileSync(path.join(bin, 'git'), `#!/bin/sh\necho "$2" >> '${asked}'\nexec /usr/bin/git "$@"\n`, {
      mode: 0o755,
    });
    const status = async (folder = cwd): Promise<ReadonlyArray<string>> => {
      writeFileSync(asked, '');
      writeFileSync(path.join(folder, 'a.txt'), String(Math.random()));
      await runGit(['status', '--short'], { cwd: folder, host: { PATH: `${bin}:/usr/bin:/bin` } });
      return readFileSync(asked, 'utf8').trim().split('\n');
    };
    await status();
    expect(await status()).toEqual(['status']);
    const other = await makeRepository({ 'a.txt': 'one\n' });
    expect(await status(other)).toEqual(['status']);
    await runGit(['config', 'filter.evil.clean', `touch '${marker}'; cat`], { cwd });
    expect([await status(), await status(other), await status()]).toEqual([
      ['config', 'status'],
      ['status'],
      ['status'],
    ]);
    expect(existsSync(marker)).toBe(false);
  });

  it('takes nothing from inherited GIT_ variables', async () => {
    const cwd = await makeRepository();
    const other = await makeRepository({ 'b.txt': 'b' });
    const result = await runGit(['rev-parse', '--absolute-git-dir', '--show-toplevel'], {
      cwd,
      host: { PATH: '/usr/bin:/bin', GIT_DIR: path.join(other, '.git'), GIT_WORK_TREE: other },
    });
    expect(result.stdout.trim().split('\n')).toEqual([path.join(cwd, '.git'), cwd]);
  });

  it('stops at the timeout and on abort', async () => {
    const cwd = await makeRepository();
    const waits = ['cat-file', '--batch'];
    const hanging = runGit(['-c', 'alias.wait=!sleep 60', 'wait'], { cwd, timeoutMs: 300 });
    expect((await hanging).failure).toBe('timeout');
    const aborted = await runGit(waits, { cwd, signal: AbortSignal.abort() });
    expect(aborted.failure).toBe('aborted');
  });

  it('reads from the stdin it is given and reports cut output', async () => {
    const cwd = await makeRepository({ 'big.txt': 'x'.repeat(10_000) });
    const hash = await runGit(['hash-object', '--stdin'], { cwd, stdin: 'one\n' });
    expect(hash.stdout.trim()).toBe('5626abf0f72e58d7a153368ba57db4c673c0e171');
    const cut = await runGit(['cat-file', '-p', 'HEAD:big.txt'], { cwd, maxOutputBytes: 1000 });
    expect(cut.truncated).toBe(true);
  });

  it('never takes a git program from a checkout around, or from the one that this is a worktree of', async () => {
    const cwd = await makeRepository({ 'bin/git': '#!/bin/sh\n', 'deep/a.txt': 'a' });
    chmodSync(path.join(cwd, 'bin/git'), 0o755);
    const side = path.join(makeFolder(), 'side');
    await runGit(['worktree', 'add', '-q', side], { cwd });
    for (const folder of [cwd, path.join(cwd, 'deep'), side])
      expect(findGit(`${path.join(cwd, 'bin')}:/usr/bin`, checkoutsAround(folder))).toBe('/usr/bin/git');
  });

  it('never takes a git program from inside the working directory', () => {
    const cwd = makeFolder({ 'bin/git': '#!/bin/sh\n' });
    chmodSync(path.join(cwd, 'bin/git'), 0o755);
    expect(findGit(`${path.join(cwd, 'bin')}:.:/usr/bin`, checkoutsAround(cwd))).toBe('/usr/bin/git');
  });

  it('does not let a repository make git-lfs run a program, and then says which setting it is', async () => {
    const cwd = await makeRepository();
    expect(await largeFilesProblem({ cwd })).toBe(null);
    await runGit(['config', 'lfs.extension.evil.clean', 'touch pwned'], { cwd });
    expect(await largeFilesProblem({ cwd })).toMatch(/^lfs\.extension\.evil\.clean names a program/);
    expect(await runGit(['lfs', 'env'], { cwd })).toMatchObject({ failure: 'not_started' });
    writeFileSync(path.join(cwd, '.gitattributes'), '*.bin filter=lfs\n');
    writeFileSync(path.join(cwd, 'a.bin'), 'large\n');
    await runGit(['add', '--all'], { cwd });
    expect((await runGit(['show', ':a.bin'], { cwd })).stdout).toBe('large\n');
    expect(existsSync(path.join(cwd, 'pwned'))).toBe(false);
    mkdirSync(path.join(cwd, '.git/lfs'), { recursive: true });
    symlinkSync(makeFolder(), path.join(cwd, '.git/lfs/cache'));
    expect(await largeFilesProblem({ cwd })).toMatch(/cache is a link: remove it/);
    unlinkSync(path.join(cwd, '.git/lfs/cache'));
    const without = await largeFilesProblem({ cwd, host: { PATH: makeFolder() } });
    expect(without).toMatch(/^git-lfs was not found: install it/);
  });
});
