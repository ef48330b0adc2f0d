import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import fc from 'fast-check';
import { must } from '@attractor/store/testing';
import { describe, expect, it } from 'vitest';
import { git, makeRepository } from '../test-support/git-world.ts';
import { commitsInFiles } from './commits-in-files.ts';
import { isAncestor } from './commits.ts';
import { openRepository } from './open-repository.ts';

const LINE = fc.oneof(
  fc.constantFrom('', ' ', 'Add a file', 'parent 0000', 'encoding latin1', 'author <x>', '\tindented', 'trailing \t'),
  fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.replaceAll(/[\n\0]/g, ' ')),
);
const MESSAGE = fc.array(LINE, { maxLength: 5 }).map((lines) => lines.join('\n'));
const AUTHOR = fc.constantFrom('Ada', 'Ada L.', 'Zoë Ünal', '李', 'a  b', 'O\u2019Neil', '(no name)');
const HISTORY = fc.array(fc.record({ message: MESSAGE, author: AUTHOR }), { minLength: 1, maxLength: 6 });

/** All commits in one process of git, loose, on top of the first. */
function importCommits(cwd: string, ref: string, history: ReadonlyArray<{ message: string; author: string }>): void {
  const lines = history.map(({ message, author }, at) =>
    [
      `commit ${ref}`,
      `author ${author} <ada@example.test> ${1_700_000_000 + at} +0000`,
      `committer C <c@example.test> ${1_700_000_000 + at} +0000`,
      `data ${Buffer.byteLength(message)}`,
      message,
      at === 0 ? 'from refs/heads/main^0' : '',
    ].join('\n'),
  );
  execFileSync('git', ['fast-import', '--quiet'], { cwd, input: `${lines.join('\n')}\n` });
}

function told(cwd: string, from: string, to: string) {
  const log = execFileSync('git', ['log', '--reverse', '-z', '--format=%H%n%an%n%s', `${from}..${to}`], { cwd });
  return log
    .toString('utf8')
    .split('\0')
    .filter(Boolean)
    .map((entry) => {
      const [hash, author, message = ''] = entry.split('\n');
      return { hash, author, message };
    });
}

describe('commits read from files', () => {
  it('are told as git tells them, whatever their messages and authors are', async () => {
    const cwd = await makeRepository({ 'a.txt': 'a\n' });
    const from = await git(cwd, 'rev-parse', 'main');
    let number = 0;
    fc.assert(
      fc.property(HISTORY, (history) => {
        const ref = `refs/heads/work-${(number += 1)}`;
        importCommits(cwd, ref, history);
        const to = execFileSync('git', ['rev-parse', ref], { cwd, encoding: 'utf8' }).trim();
        expect(commitsInFiles(join(cwd, '.git'), { from, to })).toEqual(told(cwd, from, to));
      }),
      { numRuns: 25 },
    );
  });

  it('are left to git where they are packed, merged, in another encoding, or not in line, and none stands for another', async () => {
    const cwd = await makeRepository({ 'a.txt': 'a\n' });
    const folder = join(cwd, '.git');
    const from = await git(cwd, 'rev-parse', 'main');
    const commit = async (...args: ReadonlyArray<string>): Promise<string> => {
      await git(cwd, '-c', 'user.name=A', '-c', 'user.email=a@a.test', 'commit', '-q', '--allow-empty', ...args);
      return git(cwd, 'rev-parse', 'HEAD');
    };
    const one = await commit('-m', 'one');
    expect(commitsInFiles(folder, { from, to: one })).toMatchObject([{ message: 'one' }]);
    expect(commitsInFiles(folder, { from: one, to: from })).toBeNull();
    const repository = must(await openRepository(cwd));
    expect([await isAncestor(repository, from, one), await isAncestor(repository, one, from)]).toEqual([true, false]);
    const merged = await git(cwd, 'commit-tree', 'HEAD^{tree}', '-p', one, '-p', from, '-m', 'merged');
    expect(commitsInFiles(folder, { from: one, to: merged })).toBeNull();
    await git(cwd, 'config', 'i18n.commitEncoding', 'latin1');
    const encoded = await commit('-m', 'two');
    expect(commitsInFiles(folder, { from: one, to: encoded })).toBeNull();
    await git(cwd, 'config', '--unset', 'i18n.commitEncoding');
    await git(cwd, 'replace', one, from);
    expect(commitsInFiles(folder, { from, to: one })).toMatchObject([{ message: 'one' }]);
    expect(await isAncestor(repository, from, encoded)).toBe(true);
    expect(await isAncestor(repository, encoded, from)).toBe(false);
    await git(cwd, 'gc', '-q');
    expect(commitsInFiles(folder, { from, to: one })).toBeNull();
    expect(await isAncestor(repository, from, one)).toBe(true);
  });
});
