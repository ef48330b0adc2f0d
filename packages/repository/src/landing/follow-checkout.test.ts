import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { must } from '@attractor/store/testing';
import { expect, it } from 'vitest';
import { openRepository } from '../git/open-repository.ts';
import { git, makeRepository } from '../test-support/git-world.ts';
import { moveLocalBase } from './local-base.ts';

/** A base with a file, a folder and a link, and a commit after it that has a folder, a file and a folder in their places. */
async function makeSwapped() {
  const path = await makeRepository({ file: 'file\n', 'folder/deep/a.txt': 'a\n', 'other/b.txt': 'b\n' });
  symlinkSync('other', join(path, 'link'));
  await git(path, 'add', '--all');
  await git(path, 'commit', '--quiet', '-m', 'with a link');
  await git(path, 'checkout', '--quiet', '-b', 'work');
  for (const name of ['file', 'folder', 'link']) rmSync(join(path, name), { recursive: true });
  for (const name of ['file', 'link']) mkdirSync(join(path, name));
  for (const name of ['file/b.txt', 'folder', 'link/b.txt']) writeFileSync(join(path, name), 'swapped\n');
  await git(path, 'add', '--all');
  await git(path, 'commit', '--quiet', '-m', 'swapped');
  const commit = await git(path, 'rev-parse', 'HEAD');
  await git(path, 'checkout', '--quiet', 'main');
  const repository = must(await openRepository(path));
  return { path, follow: () => moveLocalBase({ repository, branch: 'main', commit }) };
}

it('a checkout follows where a file becomes a folder, a folder a file, and a link a folder', async () => {
  const { path, follow } = await makeSwapped();
  const followed = await follow();
  expect(followed.ok ? null : followed.error.message).toBe(null);
  for (const name of ['file/b.txt', 'folder', 'link/b.txt'])
    expect(readFileSync(join(path, name), 'utf8')).toBe('swapped\n');
  expect(await git(path, 'status', '--porcelain')).toBe('');
  expect(readFileSync(join(path, 'other/b.txt'), 'utf8')).toBe('b\n');
});

it('a checkout does not follow where a folder that becomes a file has a file of the person’s own in it', async () => {
  const { path, follow } = await makeSwapped();
  writeFileSync(join(path, 'folder/deep/own.txt'), 'own\n');
  expect(await follow()).toMatchObject({ error: { code: 'blocked', message: expect.stringContaining('folder') } });
  expect(readFileSync(join(path, 'folder/deep/own.txt'), 'utf8')).toBe('own\n');
  expect(readFileSync(join(path, 'file'), 'utf8')).toBe('file\n');
});
