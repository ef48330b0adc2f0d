import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { secretValues } from '@attractor/redact';
import { childVariables } from '@attractor/system';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ENV, git, makeRepository } from '@attractor/repository/testing';
import { makeFolder, runs } from '@attractor/store/testing';
import { readAddedLines } from '@attractor/repository';
import { checkForSecrets } from './no-secrets.ts';
import { runChecks } from './run-checks.ts';
import type { Check } from '@attractor/project-config';

const check = (command: string, more: Partial<Check> = {}): Check => ({
  name: 'test',
  command,
  severity: 'error',
  modes: ['implement'],
  timeoutMs: null,
  strict: false,
  ...more,
});

async function run(folder: string, checks: ReadonlyArray<Check>, env: Readonly<Record<string, string>> = ENV) {
  const restored: string[] = [];
  const outputFolder = join(makeFolder(), 'out');
  const results = await runChecks(checks, {
    folder,
    phase: 'branch',
    env: childVariables('inherit_harmless', env),
    secrets: secretValues(env),
    allowed: {},
    signal: new AbortController().signal,
    outputFolder,
    onResult: async () => undefined,
    onRestored: async (files) => void restored.push(...files),
  });
  return { results, restored };
}

describe('a check', () => {
  it('that changes files, adds some or commits leaves the worktree and its own commit as they were', async () => {
    const folder = await makeRepository({ 'a.txt': 'one\n', '.gitignore': 'ignored\n' });
    const head = await git(folder, 'rev-parse', 'HEAD');
    writeFileSync(join(folder, 'mine.txt'), 'uncommitted\n');
    const commit = 'git -c user.name=x -c user.email=x@x commit -qam own';
    const { results, restored } = await run(folder, [
      check('echo two > a.txt; mkdir -p out/deep; echo x > out/deep/x; echo i > ignored'),
      check(`echo three > a.txt; ${commit}`, { name: 'commits' }),
      check('git checkout -q -b elsewhere', { name: 'moves' }),
      check('test "$(cat a.txt)" = one', { name: 'after' }),
    ]);
    expect(results.map(({ name, passed, commit: at }) => [name, passed, at])).toEqual([
      ['test', true, head],
      ['commits', true, head],
      ['moves', true, head],
      ['after', true, head],
    ]);
    expect(await git(folder, 'rev-parse', 'HEAD')).toBe(head);
    expect(await git(folder, 'branch', '--show-current')).toBe('main');
    expect(await git(folder, 'status', '--porcelain')).toBe('?? mine.txt');
    expect(existsSync(join(folder, 'ignored'))).toBe(true);
    expect(restored).toEqual(expect.arrayContaining(['a.txt', 'out/deep/x']));
  });

  it('keeps all of its output in a file, and the end of it in the result', async () => {
    const folder = await makeRepository({ 'a.txt': 'one\n' });
    const { results } = await run(folder, [check('seq 1 20000; exit 3', { name: 'odd / name' })]);
    const [result] = results;
    expect(result).toMatchObject({ passed: false, exitCode: 3 });
    expect(result?.output.length).toBeLessThan(21_000);
    expect(result?.output).toMatch(/^… \d+ characters left out …[\s\S]*20000\s*$/);
    expect(readFileSync(result?.outputFile ?? '', 'utf8').startsWith('1\n2\n')).toBe(true);
  });

  it('sees no secret variable, and what it prints is told and kept without secrets', async () => {
    const [known, shaped] = ['correct horse battery 4711', `ghp_${'A1b2C3d4'.repeat(4)}9xYz`];
    const folder = await makeRepository({ 'notes.txt': `${known}\n${shaped}\n` });
    const env = { ...ENV, DEPLOY_TOKEN: known, MY_COLOUR: 'green' };
    const { results } = await run(
      folder,
      [check('echo "[$DEPLOY_TOKEN$MY_COLOUR]"; cat notes.txt notes.txt >&2')],
      env,
    );
    const output = results[0]?.output ?? '';
    const outputFile = results[0]?.outputFile ?? '';
    expect(output).toContain('[green]\n');
    expect(readFileSync(outputFile, 'utf8')).toBe(output);
    expect(output.match(/\[redacted:/g)).toHaveLength(4);
    for (const secret of [known, shaped]) expect(output).not.toContain(secret);
    expect([statSync(outputFile).mode & 0o777, statSync(dirname(outputFile)).mode & 0o777]).toEqual([0o600, 0o700]);
  });

  it('whose command is missing or too slow says which key to correct', async () => {
    const folder = await makeRepository({ 'a.txt': 'one\n' });
    const { results } = await run(folder, [
      check('no-such-program-here', { name: 'lint' }),
      check('sleep 60', { name: 'slow', timeoutMs: 200 }),
    ]);
    expect(results[0]).toMatchObject({
      passed: false,
      exitCode: 127,
      output: expect.stringContaining('"checks.lint.command"'),
    });
    expect(results[1]).toMatchObject({
      passed: false,
      exitCode: null,
      timedOut: true,
      output: expect.stringContaining('"checks.slow.timeout"'),
    });
  });
});

describe('no-secrets', () => {
  const key = ['ghp', 'Zk3XqW8rT5yU1iO9pA2sD4fG6hJ7kL0zXcVb'].join('_');
  const look = async (folder: string, from: string) =>
    checkForSecrets({
      folder,
      from,
      to: await git(folder, 'rev-parse', 'HEAD'),
      severity: 'error',
      signal: new AbortController().signal,
    });

  it('finds what the branch added, in commits that are undone as well, and never shows it', async () => {
    const folder = await makeRepository({ 'old.txt': `token ${key}\n`, 'a.txt': 'one\ntwo\nthree\n' });
    const from = await git(folder, 'rev-parse', 'HEAD');
    expect(await look(folder, from)).toMatchObject({ passed: true, output: '' });
    writeFileSync(join(folder, 'a.txt'), `one\ntwo\nconst t = "${key}"\nthree\n`);
    await git(folder, 'commit', '--quiet', '-am', 'adds');
    const found = await look(folder, from);
    expect(found).toMatchObject({ name: 'no-secrets', passed: false, output: expect.stringMatching(/- a\.txt:3 \(/) });
    expect(found.output).not.toContain(key);
    writeFileSync(join(folder, 'a.txt'), 'one\ntwo\nthree\n');
    await git(folder, 'commit', '--quiet', '-am', 'takes it out again');
    expect((await look(folder, from)).passed).toBe(false);
    await git(folder, 'reset', '--quiet', '--soft', from);
    await git(folder, 'commit', '--quiet', '--allow-empty', '-m', 'squashed');
    expect((await look(folder, from)).passed).toBe(true);
  });

  it('finds what git does not show: in files called binary, in merges, and in commits that others stand for', async () => {
    const folder = await makeRepository({ 'a.txt': 'one\n' });
    const from = await git(folder, 'rev-parse', 'HEAD');
    const places = async () => (await look(folder, from)).output.match(/^- .*(?= \()/gm);
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
    const commit = async (message: string): Promise<string> => {
      await git(folder, 'add', '--all');
      await git(folder, 'commit', '--quiet', '-m', message);
      return git(folder, 'rev-parse', 'HEAD');
    };
    write('.gitattributes', 'b.txt -diff\n');
    write('b.txt', `one\n${key}\n`);
    write('c.bin', `\0\r\0${from}\n\0${from}\n@@ -1 +1 @@\n${key}\n`);
    await commit('one');
    expect(await places()).toEqual(['- b.txt:2', '- c.bin:4']);
    write('d.txt', 'd\n');
    await commit('several');
    expect(await places()).toEqual(['- b.txt:2', '- c.bin:4']);

    await git(folder, 'reset', '--quiet', '--hard', from);
    await git(folder, 'checkout', '--quiet', '-b', 'side');
    write('d.txt', 'd\n');
    await commit('side');
    await git(folder, 'checkout', '--quiet', 'main');
    write('e.txt', 'e\n');
    await commit('more');
    await git(folder, 'merge', '--quiet', '--no-commit', 'side');
    write('f.txt', `${key}\n`);
    const merged = await commit('merged');
    rmSync(join(folder, 'f.txt'));
    await commit('as if it had never been');
    expect(await places()).toEqual(['- f.txt:1']);
    const clean = await git(folder, 'commit-tree', 'HEAD^{tree}', '-p', from, '-m', 'clean');
    await git(folder, 'replace', merged, clean);
    expect(await places()).toEqual(['- f.txt:1']);
  });

  it('finds as much where the repository has git show less', async () => {
    const folder = await makeRepository({ 'a.txt': 'one\n' });
    const from = await git(folder, 'rev-parse', 'HEAD');
    const commit = async (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      await git(folder, 'add', '--all');
      await git(folder, 'commit', '--quiet', '-m', name);
    };
    await git(folder, 'checkout', '--quiet', '-b', 'side');
    await commit('b.txt', `${key}\n`);
    await git(folder, 'checkout', '--quiet', 'main');
    await commit('c.txt', 'c\n');
    await git(folder, 'merge', '--quiet', '--no-commit', 'side');
    await commit('d.txt', `${key}\n`);
    for (const [name, value] of [
      ['i18n.logOutputEncoding', 'UTF-16'],
      ['log.diffMerges', 'none'],
      ['core.bigFileThreshold', '1'],
    ] as const) {
      await git(folder, 'config', name, value);
      const places = (await look(folder, from)).output.match(/^- .*(?= \()/gm);
      expect([name, new Set(places)]).toEqual([name, new Set(['- b.txt:1', '- d.txt:1'])]);
      await git(folder, 'config', '--unset', name);
    }
  });

  it('finds what a commit says, alone and among others', async () => {
    const folder = await makeRepository({ 'a.txt': 'one\n' });
    const from = await git(folder, 'rev-parse', 'HEAD');
    const message = `Works with the key\n\n+++ b/x\n@@ -0,0 +1,9 @@\ndiff --git a/x b/x\n${key}`;
    writeFileSync(join(folder, 'a.txt'), 'two\n');
    await git(folder, 'commit', '--quiet', '-a', '-m', message);
    const found = expect.stringMatching(/^- line 6 of the message \(.*, commit [0-9a-f]{9}\)$/m);
    expect(await look(folder, from)).toMatchObject({ passed: false, output: found });
    await git(folder, 'commit', '--quiet', '--allow-empty', '-m', 'next');
    const both = await look(folder, from);
    expect(both).toMatchObject({ passed: false, output: found });
    expect(both.output).not.toContain(key);
    expect(both.output.match(/^- /gm)).toHaveLength(1);
  });
});

describe('added lines', () => {
  it('are read with their places, however the lines look', async () => {
    const odd = fc.constantFrom(
      '+++ b/x',
      '--- a/x',
      'diff --git a/x b/x',
      '@@ -1 +1 @@',
      '\\ No newline',
      '',
      '+',
      '-',
      'text',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(odd, { minLength: 1, maxLength: 8 }), async (lines) => {
        const folder = await makeRepository({ 'x y.txt': '\nfirst\n\n@@ -1 +1 @@\n' });
        writeFileSync(join(folder, 'x y.txt'), `\nfirst\n${lines.join('\n')}\n\n@@ -1 +1 @@\n`);
        await git(folder, 'commit', '--quiet', '-am', 'more');
        const added = async (...flags: ReadonlyArray<string>) => {
          const log = await git(folder, ...flags, '--format=commit %H', '-p', '--no-color', 'HEAD~1..HEAD');
          return readAddedLines(log).flatMap(({ path, lines: own, numbers }) =>
            own.map((line, at) => ({ path, line, number: numbers[at] ?? 0 })),
          );
        };
        const found = await added('log', '--unified=0');
        const now = readFileSync(join(folder, 'x y.txt'), 'utf8').split('\n');
        expect(found).toHaveLength(lines.length);
        for (const { path, line, number } of found) expect([path, line]).toEqual(['x y.txt', now[number - 1]]);
        // With lines around them, however empty ones are shown.
        for (const shown of ['false', 'true'])
          expect(await added('-c', `diff.suppressBlankEmpty=${shown}`, 'log', '--unified=3')).toEqual(found);
      }),
      { numRuns: runs(8) },
    );
  });

  it('are read from any text without a throw', () => {
    const part = fc.constantFrom(
      '\0abc\n',
      'diff --git a b\n',
      '+++ b/x\n',
      '@@ -1,2 +3,4 @@\n',
      '+a\n',
      '-b\n',
      '\n',
      'x',
    );
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        for (const { lines, numbers } of readAddedLines(parts.join(''))) expect(lines).toHaveLength(numbers.length);
      }),
      { numRuns: runs(200) },
    );
  });
});
