import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { constantFrom, assert, asyncProperty, record, subarray } from 'fast-check';
import { makeFolder, runs } from '@attractor/base/testing';
import { describe, expect, it } from 'vitest';
import { policyOf } from './test-support/rules.ts';

const SECRET = 'SECRET-5eb63bbbe01e';

/** `.env` was committed once and is gone; `conf/key.txt` is there; `draft.txt` was only ever in the index; `plain.txt` is nobody's secret. */
function makeRepository() {
  const root = makeFolder({ '.env': `A=${SECRET}\n`, 'plain.txt': 'plain\n', 'src/a.ts': 'one\n' });
  const git = (...args: ReadonlyArray<string>): string =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-qm', 'first');
  git('rm', '-q', '--cached', '.env');
  rmSync(path.join(root, '.env'));
  mkdirSync(path.join(root, 'conf'));
  writeFileSync(path.join(root, 'conf/key.txt'), `B=${SECRET}\n`);
  git('add', '-A');
  git('commit', '-qm', 'second');
  writeFileSync(path.join(root, 'conf/key.txt'), `B=${SECRET}2\n`);
  writeFileSync(path.join(root, 'src/a.ts'), 'two\n');
  const blob = git('rev-parse', 'HEAD~1:.env').trim();
  writeFileSync(path.join(root, 'draft.txt'), `C=${SECRET}\n`);
  const dangling = git('hash-object', '-w', 'draft.txt').trim();
  rmSync(path.join(root, 'draft.txt'));
  return { root, git, blob, dangling };
}

const DENY = ['Read(.env)', 'Read(conf/**)', 'Read(draft.txt)'];

function judging(
  root: string,
  lists: { readonly deny?: ReadonlyArray<string>; readonly allow?: ReadonlyArray<string> },
) {
  const policy = policyOf(lists, { root, variables: { PATH: '/usr/bin:/bin', HOME: root } });
  return async (command: string) => policy.judge({ toolName: 'shell', args: { command } });
}

describe('a file that may not be read', () => {
  it('is not printed by git either: not from the index, not from history, not by the name of an object', async () => {
    const { root, blob, dangling } = makeRepository();
    const judge = judging(root, { deny: DENY });
    for (const command of [
      'git diff',
      'git diff HEAD~1',
      'git diff --stat -p',
      'git log -p',
      'git log -p -1 --all',
      'git log --oneline -S SECRET',
      'git log -L1,1:src/a.ts',
      'git show :/first',
      "git show ':/^fir'",
      'git show',
      'git show HEAD~1',
      'git show --stat -p HEAD',
      'git whatchanged -p',
      'git diff-tree -p HEAD~1 HEAD',
      'git diff-files -p',
      'git status -v',
      'git grep SECRET HEAD~1',
      'git grep SECRET',
      'git stash show -p',
      'git range-diff HEAD~1 HEAD~1 HEAD',
      `git show ${blob}`,
      `git cat-file -p ${blob}`,
      `git cat-file -p ${dangling}`,
      `git show --stat ${dangling}`,
      'git diff -- .',
      "git diff -- '*.txt'",
      'cd src && git log -p',
      'git -C src log -p',
      'git archive HEAD',
      'git format-patch --stdout HEAD~1',
      'git diff --no-index plain.txt conf',
    ])
      expect([command, (await judge(command)).decision]).not.toEqual([command, 'allow']);
    for (const command of [
      'git show HEAD~1:.env',
      'git show HEAD:conf/key.txt',
      'git diff -- conf/key.txt',
      'git blame conf/key.txt',
    ])
      expect([command, (await judge(command)).decision]).toEqual([command, 'deny']);
    expect((await judge('git log -p')).reason).toMatch(
      /git may print \S+, which a rule keeps from being read; leave it out with --/,
    );
  });

  it('stops none of git’s commands that print no file, or only others', async () => {
    const { root } = makeRepository();
    const judge = judging(root, { deny: DENY });
    for (const command of [
      'git status',
      'git log --oneline -5',
      'git log --stat',
      'git diff --name-only',
      'git show --stat HEAD',
      'git show HEAD:plain.txt',
      'git diff -- src',
      'git diff src',
      'git diff HEAD src/a.ts',
      "git diff -- . ':!conf' ':!.env'",
      'git log -p -- src plain.txt',
      'git blame src/a.ts',
      'git cat-file -t HEAD',
      'git ls-files',
      'git branch -a',
    ])
      expect([command, (await judge(command)).decision]).toEqual([command, 'allow']);
    const free = judging(root, { deny: ['Read(other.txt)'] });
    for (const command of ['git diff', 'git log -p', 'git show HEAD~1'])
      expect([command, (await free(command)).decision]).toEqual([command, 'allow']);
  });

  it('stops no comparison that would not print it, because nothing about it changed there', async () => {
    const { root, git } = makeRepository();
    const judge = judging(root, { deny: DENY });
    const decisions = async (...commands: ReadonlyArray<string>) =>
      Promise.all(commands.map(async (command) => [command, (await judge(command)).decision]));
    git('commit', '-qam', 'third');
    writeFileSync(path.join(root, 'plain.txt'), 'changed\n');
    expect(
      await decisions(
        'git diff',
        'git diff HEAD',
        'git diff --cached',
        'git -C src diff -w',
        'cd src && git diff --stat -p',
      ),
    ).toEqual(
      ['git diff', 'git diff HEAD', 'git diff --cached', 'git -C src diff -w', 'cd src && git diff --stat -p'].map(
        (one) => [one, 'allow'],
      ),
    );
    git('commit', '-qam', 'fourth');
    const printing = [
      'git show HEAD~1',
      'git log -p -2',
      'git diff HEAD~2',
      'git diff HEAD~2..HEAD~1',
      'git show HEAD HEAD~1',
    ];
    const others = [
      'git show',
      'git show HEAD',
      'git log -p -1',
      'git diff HEAD~1',
      'git diff HEAD~1 HEAD',
      'git diff HEAD~1...HEAD',
    ];
    expect(await decisions(...others)).toEqual(others.map((one) => [one, 'allow']));
    expect(await decisions(...printing)).toEqual(printing.map((one) => [one, 'ask']));
    git('mv', 'conf/key.txt', 'src/key.txt');
    expect(await decisions('git diff --cached', 'git diff')).toEqual([
      ['git diff --cached', 'ask'],
      ['git diff', 'allow'],
    ]);
    const later = ['echo x > a.txt; git diff', 'git add -A && git diff'];
    expect((await decisions(...later)).map(([, decision]) => decision)).not.toContain('allow');
  });

  it('counts where a rule allows the command too', async () => {
    const { root } = makeRepository();
    const judge = judging(root, { deny: DENY, allow: ['Bash(git *)'] });
    for (const command of ['git archive HEAD', 'git diff', 'git -c core.pager=cat log -p', 'git --git-dir=.git log -p'])
      expect([command, (await judge(command)).decision]).toEqual([command, 'ask']);
    for (const command of ['git commit -m x', 'git push', 'git add src/a.ts'])
      expect([command, (await judge(command)).decision]).toEqual([command, 'allow']);
  });

  it('is in no output of a command that is allowed, whatever its options', async () => {
    const { root, git, blob } = makeRepository();
    const judge = judging(root, { deny: DENY });
    const call = record({
      verb: constantFrom(
        'diff',
        'log',
        'show',
        'diff-tree',
        'diff-index',
        'diff-files',
        'whatchanged',
        'reflog',
        'stash list',
        'cat-file',
        'grep -h',
        'status',
        'shortlog',
        'for-each-ref',
        'blame',
      ),
      options: subarray(
        [
          '-p',
          '-U1',
          '--stat',
          '--raw',
          '--name-only',
          '-s',
          '-c',
          '--cc',
          '-m',
          '--check',
          '--word-diff',
          '--oneline',
          '-1',
          '-v',
          '--cached',
          '-t',
          '--numstat',
          '--no-patch',
          '--binary',
          '--root',
          '-r',
        ],
        { maxLength: 3 },
      ),
      objects: subarray(['HEAD', 'HEAD~1', 'HEAD~1..HEAD', blob, 'HEAD~1:.env', 'SECRET', 'main^{tree}'], {
        maxLength: 2,
      }),
      paths: subarray(['--', 'src', 'plain.txt', ':!conf', '.', ':/', 'conf'], { maxLength: 3 }),
    });
    let allowed = 0;
    await assert(
      asyncProperty(call, async ({ verb, options, objects, paths }) => {
        const words = [...verb.split(' '), ...options, ...objects, ...paths];
        const { decision } = await judge(
          `git ${words.map((word) => (/^[\w./:~-]+$/.test(word) ? word : `'${word}'`)).join(' ')}`,
        );
        if (decision !== 'allow') return;
        allowed += 1;
        expect([words, printed(() => git('--no-pager', ...words)).includes(SECRET)]).toEqual([words, false]);
      }),
      { numRuns: runs(40, 20_000) },
    );
    expect(allowed).toBeGreaterThan(0);
  });
});

function printed(run: () => string): string {
  try {
    return run();
  } catch (error) {
    return String(error);
  }
}
