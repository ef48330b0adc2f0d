import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { makeFolder } from '@attractor/base/testing';
import { describe, expect, it } from 'vitest';
import { mayOverlookFiles } from './overlooked.ts';

function git(cwd: string, args: ReadonlyArray<string>, input = ''): string {
  const settings = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.test'];
  return execFileSync('git', [...settings, ...args], { cwd, input, encoding: 'utf8' });
}

/** Names of all lengths that the padding of an entry can have, and one that is too long to have its length beside it. */
const NAMES = [
  ...Array.from({ length: 17 }, (_, at) => `same/${'n'.repeat(at + 1)}`),
  `long/${'n/'.repeat(2_100)}n`,
  'é',
];

function makeRepository(...init: ReadonlyArray<string>): string {
  const cwd = makeFolder();
  git(cwd, ['init', '--quiet', '-b', 'main', '--template=', ...init]);
  const blob = git(cwd, ['hash-object', '-w', '--stdin'], 'text\n').trim();
  git(cwd, ['update-index', '-z', '--index-info'], NAMES.map((name) => `100644 ${blob}\t${name}\0`).join(''));
  return cwd;
}

describe('an index', () => {
  it.each(['2', '3', '4'])('surely has git overlook nothing, in version %s, until it is told to', (version) => {
    const cwd = makeRepository();
    for (const flag of ['assume-unchanged', 'skip-worktree'])
      for (const name of NAMES.filter((one) => !one.startsWith('long'))) {
        git(cwd, ['update-index', '--force-write-index', '--index-version', version]);
        expect(mayOverlookFiles({ cwd })).toBe(false);
        git(cwd, ['update-index', `--${flag}`, name]);
        expect(mayOverlookFiles({ cwd })).toBe(true);
        git(cwd, ['update-index', `--no-${flag}`, name]);
      }
  });

  it('surely has it overlook nothing before there is one, and beside a file that is yet to be added', () => {
    const cwd = makeFolder({ 'a.txt': 'a\n' });
    git(cwd, ['init', '--quiet', '-b', 'main', '--template=']);
    expect(mayOverlookFiles({ cwd })).toBe(false);
    git(cwd, ['add', '--intent-to-add', 'a.txt']);
    expect(mayOverlookFiles({ cwd })).toBe(false);
  });

  it('is left to git where it is kept in another form', () => {
    const split = makeRepository();
    git(split, ['update-index', '--split-index']);
    const places = [split, makeRepository('--object-format=sha256'), path.join(makeRepository(), 'none')];
    expect(places.map((cwd) => mayOverlookFiles({ cwd }))).toEqual([true, true, true]);
  });
});
