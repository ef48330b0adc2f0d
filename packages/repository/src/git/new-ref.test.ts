import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { makeFolder, runs } from '@attractor/store/testing';
import { describe, expect, it } from 'vitest';
import { makeRepository } from '../test-support/git-world.ts';
import { makeRefInFiles } from './new-ref.ts';

const git = (cwd: string, ...args: ReadonlyArray<string>): string =>
  execFileSync('git', args, { cwd, encoding: 'utf8' }).trimEnd();

const BEFORE = 'refs/attractor/base';

describe('a new ref', () => {
  it('is made as git makes it, or left to git: where it is, beside what can not be beside it, packed or not', async () => {
    const path = await makeRepository({ 'a.txt': 'a\n' });
    const head = git(path, 'rev-parse', 'HEAD');
    const folder = join(path, '.git');
    let rounds = 0;
    const name = fc
      .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 })
      .map((parts) => parts.join('/'));
    const step = fc.record({ name, how: fc.constantFrom('ours', 'pack') });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const above = `${BEFORE}/${(rounds += 1)}`;
        const made = new Set<string>();
        for (const one of steps) {
          if (one.how === 'pack') git(path, 'pack-refs', '--all');
          const all = [...made];
          const isFree = all.every(
            (other) => !`${other}/`.startsWith(`${one.name}/`) && !`${one.name}/`.startsWith(`${other}/`),
          );
          expect(await makeRefInFiles(folder, `${above}/${one.name}`, head)).toBe(isFree);
          if (isFree) made.add(one.name);
        }
        const there = git(path, 'for-each-ref', '--format=%(refname)', above);
        expect(there).toBe(
          [...made]
            .map((one) => `${above}/${one}`)
            .toSorted()
            .join('\n'),
        );
        expect(git(path, 'fsck', '--no-dangling')).toBe('');
      }),
      { numRuns: runs(12) },
    );
  });

  it('is left to git while somebody else has its lock, under a name that is not plain, and where refs are kept in another way', async () => {
    const path = await makeRepository({ 'a.txt': 'a\n' });
    const head = git(path, 'rev-parse', 'HEAD');
    const folder = join(path, '.git');
    mkdirSync(join(folder, BEFORE), { recursive: true });
    const lock = join(folder, BEFORE, 'one.lock');
    writeFileSync(lock, '');
    expect(await makeRefInFiles(folder, `${BEFORE}/one`, head)).toBe(false);
    expect(existsSync(lock)).toBe(true);
    for (const odd of [`${BEFORE}/../two`, `${BEFORE}/two.lock`, 'HEAD', 'refs/tags/two'])
      expect(await makeRefInFiles(folder, odd, head)).toBe(false);
    mkdirSync(join(folder, 'reftable'));
    expect(await makeRefInFiles(folder, `${BEFORE}/two`, head)).toBe(false);
    expect(await makeRefInFiles(makeFolder(), `${BEFORE}/two`, head)).toBe(false);
  });
});
