import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '@attractor/base/testing';
import { policyOf, type Lists } from './test-support/rules.ts';
import type { Decision, PermissionMode } from './types.ts';

type Judging = { readonly lists?: Lists; readonly mode?: PermissionMode; readonly searchPath?: string };

const world = () => {
  const root = makeFolder({
    'a.txt': 'x',
    'b.txt': 'x',
    '.env': 'KEY=1',
    'in/a': 'x',
    'in/b': 'x',
    'docs/a.md': 'x',
    'src/b.ts': 'y',
  });
  const outside = makeFolder({ 'letters.txt': 'mine' });
  symlinkSync(path.join(outside, 'letters.txt'), path.join(root, 'docs/b.md'));
  symlinkSync(outside, path.join(root, 'docs/far'));
  const decide = async (
    command: string,
    { lists = {}, searchPath = '/usr/bin:/bin', ...rest }: Judging = {},
  ): Promise<Decision> =>
    (
      await policyOf(lists, { root, variables: { PATH: searchPath }, ...rest }).judge({
        toolName: 'shell',
        args: { command },
      })
    ).decision;
  /** Why it asks; null: it does not. */
  const reason = async (command: string): Promise<string | null> => {
    const policy = policyOf({}, { root, variables: { PATH: '/usr/bin:/bin', HOME: outside } });
    const judged = await policy.judge({ toolName: 'shell', args: { command } });
    return judged.decision === 'allow' ? null : judged.reason;
  };
  return { root, outside, decide, reason };
};

/** Writes another name of the same length into an index, as no command of git would. */
function forgeIndex(file: string, from: string, to: string): void {
  const body = Buffer.from(readFileSync(file).subarray(0, -20).toString('latin1').replace(from, to), 'latin1');
  writeFileSync(file, Buffer.concat([body, createHash('sha1').update(body).digest()]));
}

describe('what a command is given by the shell', () => {
  it('counts for as many words as a glob becomes: none that writes to its second is allowed', async () => {
    const { decide } = world();
    for (const command of ['uniq in/*', 'uniq -c ./in/*', 'xxd in/*', 'uniq in/?', 'for f in in/*; do uniq $f; done'])
      for (const mode of ['default', 'plan'] as const)
        expect([command, await decide(command, { mode })]).not.toEqual([command, 'allow']);
    for (const command of ['cat *.txt', 'wc -l *', 'cat in/*', 'for f in *.txt; do wc -l "$f"; done'])
      expect([command, await decide(command)]).toEqual([command, 'allow']);
  });

  it('asks with the true reason where a glob may become too many words', async () => {
    const { reason } = world();
    const [several, few] = ['may become several words, and', 'is known to only read at most'];
    for (const [command, why] of [
      ['uniq [ab].txt', `[ab].txt ${several} uniq may write to the last`],
      ['uniq a.txt b.txt', 'there are 2 operands, and uniq may write to the last'],
      ['cmp in/*', `in/* ${several} cmp ${few} 4`],
      ['diff in/*', `in/* ${several} diff ${few} 2`],
      ['cmp a.txt', 'cmp with so few operands does something else'],
    ] as const)
      expect([command, await reason(command)]).toEqual([command, why]);
  });

  it('is looked up, link by link: a glob and a reader that follows links lead out of the workspace only after asking', async () => {
    const { decide } = world();
    for (const command of [
      'cat docs/b.md',
      'cat docs/*',
      'cat d*/b.md',
      'cat docs/[ab].md',
      'head -1 */*',
      'diff -r docs src',
      'diff docs src',
      'grep -R mine docs',
      'grep -R mine',
      'ls -L docs',
      'for f in docs/*; do cat "$f"; done',
      'echo docs/far/*',
      'echo */*/*',
      'echo */*/none*',
      'printf "%s\\n" ~/*',
      'echo /root/*',
    ])
      expect([command, await decide(command)]).toEqual([command, 'ask']);
    for (const command of [
      'echo docs/*',
      'echo *',
      'ls docs',
      'grep -r mine docs',
      'grep -R y src',
      'cat src/*',
      'diff -r src in',
    ])
      expect([command, await decide(command)]).toEqual([command, 'allow']);
  });

  it('asks where a name that a glob fits would be taken for an option', async () => {
    const { root, decide } = world();
    expect(await decide('wc -l *')).toBe('allow');
    writeFileSync(path.join(root, '--files0-from=a.txt'), '');
    expect(await decide('wc -l *')).toBe('ask');
    expect(await decide('wc -l ./*')).toBe('allow');
    expect(await decide('wc -l -- *')).toBe('allow');
    expect(await decide('sort *')).toBe('ask');
  });

  it('is the folder it runs in where it is given none, and rules about files in it count', async () => {
    const { decide } = world();
    const lists = { deny: ['Read(.env)'], allow: ['Bash'] };
    for (const command of [
      'grep -r KEY',
      'rg KEY',
      'grep -R KEY',
      'rg --hidden KEY',
      'git grep KEY',
      'ag KEY',
      'ack KEY',
    ]) {
      expect([command, await decide(command, { lists })]).not.toEqual([command, 'allow']);
      const named = command.startsWith('git') ? `${command} -- .` : `${command} .`;
      expect([command, await decide(named, { lists })]).toEqual([command, await decide(command, { lists })]);
    }
    for (const command of ['find . -exec cat {} +', 'find -type f -exec wc -l {} ;'])
      expect([command, await decide(command, { lists: { deny: ['Read(a.txt)'] } })]).toEqual([command, 'ask']);
    expect(await decide('find src -exec cat {} +', { lists: { deny: ['Read(a.txt)'] } })).toBe('allow');
    for (const command of ['grep -r KEY src', 'rg KEY src', 'cd src && grep -r KEY', 'ls', 'find .', 'tree'])
      expect([command, await decide(command, { lists })]).toEqual([command, 'allow']);
    expect(await decide('tar czf x.tgz .', { lists })).toBe('ask');
    expect(await decide('tar czf x.tgz src', { lists })).toBe('allow');
  });
});

describe('the program of a name', () => {
  const plant = (root: string, name: string, mode = 0o755): string => {
    const folder = path.join(root, 'src');
    writeFileSync(path.join(folder, name), '#!/bin/sh\n');
    chmodSync(path.join(folder, name), mode);
    return `${folder}:/usr/bin:/bin`;
  };

  it('that lies in the workspace is not what the tables know', async () => {
    const { root, decide } = world();
    const searchPath = plant(root, 'ls');
    for (const command of ['ls', 'timeout 5 ls', 'a=1; ls', 'echo "$(ls)"', 'command ls'])
      expect([command, await decide(command, { searchPath })]).toEqual([command, 'ask']);
    for (const command of ['cat a.txt', 'echo ls', 'pwd'])
      expect([command, await decide(command, { searchPath })]).toEqual([command, 'allow']);
    expect(await decide('ls')).toBe('allow');
    expect(await decide('ls', { searchPath: `/usr/bin:${searchPath}` })).toBe('allow');
  });

  it('counts for what a reader or a wrapper starts, and for builtins where these start them', async () => {
    const { root, decide } = world();
    expect(await decide('egrep x a.txt', { searchPath: plant(root, 'grep') })).toBe('ask');
    expect(await decide('timeout 5 cat a.txt', { searchPath: plant(root, 'timeout') })).toBe('ask');
    const searchPath = plant(root, 'echo');
    expect(await decide('echo x', { searchPath })).toBe('allow');
    expect(await decide('timeout 5 echo x', { searchPath })).toBe('ask');
  });

  it('is looked for in the folder of the command where PATH says so, in folders that anybody can write to, and only if it can run', async () => {
    const { root, decide } = world();
    plant(root, 'cat');
    for (const searchPath of [':/usr/bin:/bin', '.:/usr/bin', 'src:/usr/bin'])
      expect([searchPath, await decide('cd src && cat b.ts', { searchPath })]).toEqual([
        searchPath,
        searchPath.startsWith('src') ? 'allow' : 'ask',
      ]);
    expect(await decide('head a.txt', { searchPath: plant(root, 'head', 0o644) })).toBe('allow');
    const open = makeFolder({ ls: '#!/bin/sh\n' });
    chmodSync(path.join(open, 'ls'), 0o755);
    expect(await decide('ls', { searchPath: `${open}:/usr/bin` })).toBe('allow');
    chmodSync(open, 0o777);
    expect(await decide('ls', { searchPath: `${open}::/usr/bin` })).toBe('ask');
  });

  it('that is only known when it runs asks wherever a rule denies programs, in every mode', async () => {
    const { decide } = world();
    const lists = { deny: ['Bash(rm *)'], allow: ['Bash'] };
    for (const command of [
      '$(echo rm) x',
      '${X} x',
      '"$X" x',
      'command $X x',
      'timeout 5 $X x',
      'env $X x',
      'eval "$X"',
      'bash -c "$X"',
      'echo rm | xargs -I% % x',
      'find . -exec {} \\;',
      'printf "rm x" | tr a b | sh',
      'f() { "$@"; }; f rm x',
      '/bin/r? x',
      'git -c alias.x=!rm x',
      'git -c core.pager=cat -c ALIAS.x="!rm" x',
      'git --config-env=alias.x=HOME x',
      'git -c include.path=settings x',
      'GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0=!rm git x',
    ])
      for (const mode of ['default', 'bypassPermissions'] as const)
        expect([command, mode, await decide(command, { lists, mode })]).not.toEqual([command, mode, 'allow']);
    expect(await decide('$X x', { mode: 'bypassPermissions' })).toBe('allow');
    for (const command of ['npm test "$X"', 'git -c core.abbrev=8 log', 'git commit -m alias.x'])
      expect([command, await decide(command, { lists, mode: 'bypassPermissions' })]).toEqual([command, 'allow']);
  });
});

describe('commands inside commands', () => {
  it('are judged by themselves, and what they give is fit where any text is', async () => {
    const { decide } = world();
    for (const command of [
      'echo "$(cat a.txt)"',
      'x=$(cat a.txt); echo "$x"',
      'diff <(ls) <(ls src)',
      'while read -r l; do echo "$l"; done < a.txt',
      'for i in $(seq 3); do echo $i; done',
      '[ "$(cat a.txt)" = x ] && ls',
      'find src -type f -exec wc -l {} +',
      'find src -name "*.ts" | xargs wc -l',
      'find . -name "*.ts" -o -name "*.txt" | xargs wc -l',
      'find . -name "*.ts" -o -name "*.txt" -exec wc -l {} +',
      'cat $(find src -name "*.ts")',
      'find src -type f | xargs -I{} wc -l {}',
      'ls 2>&1 | tee /dev/null | head',
      "printf '%s\\n' *.txt",
      'echo ${PWD##*/}',
      'set -euo pipefail; FOO=1 ls; pushd src && ls && popd && cat a.txt',
    ])
      expect([command, await decide(command)]).toEqual([command, 'allow']);
    for (const command of [
      'cat "$(cat a.txt)"',
      'echo $(cat a.txt)',
      'grep "$(cat a.txt)" b.txt',
      'x=$(cat a.txt); cat "$x"',
      'while read -r f; do cat "$f"; done < a.txt',
      'echo "$(rm a.txt)"',
      'diff <(rm a.txt) b.txt',
      'printf "$(cat a.txt)"',
      '[ $(cat a.txt) = x ]',
      'while read -r PATH; do ls; done < a.txt',
      'find docs -exec cat {} +',
      'find . -type f -exec cat {} +',
      'find src -exec uniq {} +',
      'cat a.txt | xargs cat',
      'cat a.txt | xargs -n 1 cat',
      'cat a.txt | xargs -a b.txt',
      'cat a.txt | xargs -I% %',
      'find . -name "*.ts" -o -name "*.md" | xargs wc -l',
      'find . -name "*.ts" -o -print | xargs wc -l',
      'find . -name "*.ts" -o -type f -name x | xargs wc -l',
      'cat $(find . -type f)',
      'cat $(find docs)',
      'cat x$(find src)',
      'sed -n p $(find src -type f)',
      'find src -type f | xargs -I{} cat docs/{}',
      'find src | xargs -I{} git -C {} status',
      'ls | tee b.txt',
      'printf *',
    ])
      expect([command, await decide(command)]).toEqual([command, 'ask']);
  });

  it('are given names as the shell and xargs split them, in folders of any name and after edits of the same line', async () => {
    const { root, decide, reason } = world();
    mkdirSync(path.join(root, 'x /etc'), { recursive: true });
    writeFileSync(path.join(root, 'x /etc/hostname'), '');
    writeFileSync(path.join(root, '@list'), '/etc/hostname');
    for (const command of [
      "find 'x /etc' -type f | xargs cat",
      "find 'x /etc' -type f -print0 | xargs cat",
      "find 'x /etc' -name -print0 | xargs -0 cat",
      "cat $(find 'x /etc' -type f)",
      'strings *',
    ])
      expect([command, await decide(command)]).toEqual([command, 'ask']);
    for (const command of ["find 'x /etc' -type f -print0 | xargs -0 cat", 'strings ./*.txt', 'sed -n 1,5p ./*.txt'])
      expect([command, await decide(command)]).toEqual([command, 'allow']);
    const made = "mkdir -p 'in/y /etc' && touch 'in/y /etc/passwd'";
    for (const reads of ['find in -name passwd | xargs cat', 'cat $(find in -name passwd)'])
      expect([reads, await decide(`${made} && ${reads}`, { mode: 'acceptEdits' })]).toEqual([reads, 'ask']);
    expect(await decide('touch in/c && find in -name c | xargs cat', { mode: 'acceptEdits' })).toBe('allow');
    expect(await reason('sed -n 1,5p *.txt')).toBe('*.txt may stand for an option, ./*.txt does not');
  });

  it('are given what git lists only where all of it is files of the workspace, whoever made the index', async () => {
    const { root, outside, decide, reason } = world();
    rmSync(path.join(root, '.env'));
    const git = (...args: ReadonlyArray<string>): void =>
      void execFileSync('git', args, { cwd: root, env: { PATH: '/usr/bin:/bin', HOME: outside }, stdio: 'ignore' });
    git('init', '-q');
    git('add', 'a.txt', 'b.txt', 'in', 'src', 'docs/a.md');
    const list = 'git ls-files | xargs wc -l';
    for (const command of [
      list,
      'git ls-files -z | xargs -0 wc -l',
      'git ls-files src in | sort | xargs head -n 1',
      "git ls-files -- '*.txt' | xargs wc -l | sort -n | tail -3",
      'cd src && git ls-files | xargs wc -l',
      'git grep -l x | xargs wc -l',
      'git grep -il x -- src | sort | xargs head -n 1',
      'cat $(git ls-files)',
      "wc -l $(git ls-files '*.txt') $(git ls-files src)",
      'git diff --name-only | xargs wc -l',
      'git ls-files | xargs -I % head -n 1 %',
    ])
      expect([command, await reason(command)]).toEqual([command, null]);
    for (const command of [
      'git ls-files | xargs rm',
      'git ls-files | xargs uniq',
      'git ls-files -s | xargs cat',
      'git grep -n x | xargs cat',
      'git grep -l x HEAD | xargs cat',
      'git grep -l --untracked x | xargs cat',
      'git grep -L x | xargs rm',
      'git ls-files -z | xargs wc -l',
      'git -C .. ls-files | xargs wc -l',
      'GIT_DIR=x git ls-files | xargs cat',
      'touch c.txt; git ls-files | xargs wc -l',
      'touch c.txt; cat $(git ls-files)',
      'cat $(git ls-files -z)',
      'cat $(git ls-files; echo /etc/passwd)',
      'cat $(git -C .. ls-files)',
      'uniq $(git ls-files)',
      'grep $(git ls-files)',
      'sed -n p $(git ls-files)',
      'echo $(git ls-files)',
      'git ls-files | xargs cat $(git ls-files in)',
      'git diff --name-only HEAD | xargs cat',
      'git diff --name-only --cached | xargs cat',
      'git diff | xargs cat',
      'git ls-files | xargs -I{} cat src/{}',
      'git ls-files | xargs -I{} {} x',
    ])
      expect([command, await decide(command)]).toEqual([command, 'ask']);
    const listed = async (name: string, because: string, other: string): Promise<void> => {
      for (const command of [list, other]) expect(await reason(command)).toBe(`${name} ${because}`);
      git('rm', '-q', '--cached', '--', name);
    };
    git('add', 'docs/b.md');
    await listed('docs/b.md', 'leads outside the workspace', 'git grep -l x | xargs wc -l');
    writeFileSync(path.join(root, '.env'), 'KEY=1');
    git('add', '-f', '.env');
    await listed('.env', 'usually holds secrets', 'cat $(git ls-files)');
    writeFileSync(path.join(root, 'in/c d'), '');
    git('add', 'in/c d');
    await listed('in/c d', 'would become other words', 'wc -l $(git ls-files)');
    writeFileSync(path.join(root, '-n'), '');
    git('add', '--', '-n');
    await listed('-n', 'would be an option', 'git diff --name-only | xargs wc -l');
    expect(await reason(list)).toBeNull();
    writeFileSync(path.join(root, 'in/*'), '');
    git('add', 'in/*');
    expect(await reason('cat $(git ls-files)')).toBe('in/* would become other words');
    git('rm', '-q', '--cached', '--', ':(literal)in/*');
    forgeIndex(path.join(root, '.git/index'), 'in/a', '../a');
    expect(await reason(list)).toBe('../a leads outside the folder that git lists');
  });

  it('are covered by a rule for a program that stays the same', async () => {
    const { decide } = world();
    const lists = { allow: ['Bash(git commit:*)', 'Bash(npm run *)'] };
    for (const command of [
      'git commit -m "$(cat <<\'EOF\'\nmessage\nEOF\n)"',
      'npm run test -- $FOO',
      'npm run test -- "$(ls)"',
    ])
      expect([command, await decide(command, { lists })]).toEqual([command, 'allow']);
    for (const command of [
      'npm run test -- $(rm x)',
      'npm $X test',
      'git commit $X',
      'npm run x -- ${X@P}',
      '$X run x',
    ])
      expect([command, await decide(command, { lists })]).toEqual([command, 'ask']);
  });
});

describe('commands that change the files they name', () => {
  it('run in acceptEdits inside the workspace, and ask for everything else', async () => {
    const { decide } = world();
    const mode = 'acceptEdits';
    for (const command of [
      'echo hi > b.txt',
      'mkdir -p x/y',
      'touch x',
      'cp a.txt c.txt',
      'mv a.txt src',
      'sed -i s/a/b/ a.txt',
    ])
      expect([command, await decide(command, { mode })]).toEqual([command, 'allow']);
    for (const command of [
      'echo x > docs/b.md',
      'cp a.txt docs/b.md',
      'cp docs/b.md k.txt',
      'cp .env x.txt',
      'cp -r docs k',
      'mv docs d && echo x > d/b.md',
      'mkdir .vscode',
      'touch ../x',
      'sed -i "s/a/b/w /tmp/x" a.txt',
      'rm a.txt',
    ])
      expect([command, await decide(command, { mode })]).not.toEqual([command, 'allow']);
    expect(await decide('touch x')).toBe('ask');
    expect(await decide('touch x', { mode: 'plan' })).toBe('deny');
  });
});

describe('a file that usually holds secrets', () => {
  it('has one answer, by whatever it is read', async () => {
    const { root } = world();
    symlinkSync('.env', path.join(root, 'notes.txt'));
    const calls = [
      { toolName: 'read_file', args: { file_path: '.env' } },
      { toolName: 'read_file', args: { file_path: 'notes.txt' } },
      { toolName: 'shell', args: { command: 'cat .env' } },
      { toolName: 'shell', args: { command: 'cat notes.txt' } },
      { toolName: 'shell', args: { command: 'cat < .env' } },
    ];
    const allow = ['Read'];
    const expected: ReadonlyArray<readonly [PermissionMode, Lists, Decision]> = [
      ['default', {}, 'ask'],
      ['acceptEdits', {}, 'ask'],
      ['plan', {}, 'ask'],
      ['dontAsk', {}, 'deny'],
      ['bypassPermissions', {}, 'allow'],
      ['default', { allow }, 'allow'],
      ['bypassPermissions', { deny: ['Read(.env)'] }, 'deny'],
    ];
    for (const [mode, lists, decision] of expected)
      for (const call of calls)
        expect([call, mode, (await policyOf(lists, { root, mode }).judge(call)).decision]).toEqual([
          call,
          mode,
          decision,
        ]);
  });
});
