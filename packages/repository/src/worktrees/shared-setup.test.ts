import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '@attractor/store/testing';
import { expect, it } from 'vitest';
import { keepShared, type SharedSetup, takeShared } from './shared-setup.ts';

function makeWorktree(files: Readonly<Record<string, string>> = {}): string {
  const worktree = makeFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(worktree, name, '..'), { recursive: true });
    writeFileSync(join(worktree, name), content);
  }
  return worktree;
}

it('what a set-up made is kept for the last three states of its inputs, and copied', async () => {
  const store = join(makeFolder(), 'setups');
  const of = (key: string, worktree: string): SharedSetup => ({ store, key, worktree, folders: ['a/deps', 'b'] });
  for (const key of ['one', 'two', 'three', 'four'])
    await keepShared(of(key, makeWorktree({ 'a/deps/x.txt': key, 'b/y.txt': key })));
  expect(readdirSync(store)).toHaveLength(3);
  const fresh = makeWorktree();
  expect(await takeShared(of('four', fresh))).toBe(true);
  expect(readFileSync(join(fresh, 'a/deps/x.txt'), 'utf8')).toBe('four');
  expect(await takeShared(of('five', makeWorktree()))).toBe(false);
  const begun = makeWorktree({ 'b/mine.txt': 'mine' });
  expect(await takeShared(of('four', begun))).toBe(false);
  expect(existsSync(join(begun, 'a'))).toBe(false);
});

it('nothing is written or read through a link, above the worktree, or in git', async () => {
  const [store, outside] = [join(makeFolder(), 'setups'), makeWorktree({ 'deps/secret.txt': 'secret' })];
  const linked = makeWorktree({ '.git/x.txt': 'x' });
  symlinkSync(outside, join(linked, 'link'));
  symlinkSync(join(outside, 'deps'), join(linked, 'deps'));
  for (const folder of ['link/deps', 'deps', '..', '.git', '/tmp', 'a/../..'])
    await keepShared({ store, key: 'key', worktree: linked, folders: [folder] });
  expect(existsSync(store)).toBe(false);

  await keepShared({ store, key: 'key', worktree: makeWorktree({ 'link/new/x.txt': 'x' }), folders: ['link/new'] });
  expect(await takeShared({ store, key: 'key', worktree: linked, folders: ['link/new'] })).toBe(false);
  expect(readdirSync(outside)).toEqual(['deps']);
});
