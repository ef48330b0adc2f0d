import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Scm } from '../scm/scm.ts';
import { commitOnBranch, type RemoteWorld } from './forge-world.ts';
import { git } from './git-world.ts';
import type { ScmResult } from '../git/outside-result.ts';

export type ScmWorld = RemoteWorld & { readonly scm: Scm };

export function got<Value>(result: ScmResult<Value>): Value {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`);
  return result.value;
}

const WANTED = {
  title: 'Safe slugs',
  body: 'What and why.',
  headBranch: 'agent/slugs',
  baseBranch: 'main',
  state: 'open',
} as const;

/** A squash onto a base of other people, for which nobody asks a proof. */
export const UNPROVEN = {
  base: 'theirs',
  method: 'squash',
  prove: async () => ({ ok: true, value: null }) as const,
} as const;

/** What every home of pull requests must satisfy. Each world has a checkout with a bare remote. */
export function scmContract(makeWorld: () => Promise<ScmWorld>): void {
  const withBranch = async (): Promise<ScmWorld & { readonly head: string }> => {
    const world = await makeWorld();
    const head = await commitOnBranch(world.path, { branch: 'agent/slugs', file: 'slug.txt', content: 'safe\n' });
    await git(world.path, 'push', '--quiet', 'origin', 'agent/slugs');
    return { ...world, head };
  };
  const merge = (head: string, number = 1) =>
    ({ ...UNPROVEN, number, headCommit: head, message: 'Safe slugs (#1)\n\nWhy.' }) as const;

  it('is available, and says what repository it is about', async () => {
    const { scm } = await makeWorld();
    expect(await scm.isAvailable()).toEqual({ available: true });
    expect(got(await scm.getRepoInfo()).defaultBranch).toBe('main');
  });

  it('creates a pull request once, however often it is asked', async () => {
    const { scm, head } = await withBranch();
    const first = got(await scm.createPR(WANTED));
    expect(first).toMatchObject({
      number: 1,
      state: 'open',
      headBranch: 'agent/slugs',
      baseBranch: 'main',
      headCommit: head,
    });
    expect(got(await scm.createPR({ ...WANTED, title: 'Another title' }))).toEqual(first);
    expect(got(await scm.listPRs())).toEqual([first]);
    expect(got(await scm.listPRs({ headBranch: 'other' }))).toEqual([]);
    expect(got(await scm.getPR(1))).toEqual(first);
  });

  it('refuses a branch that is not there, and a number that it does not know', async () => {
    const { scm } = await makeWorld();
    expect((await scm.createPR({ ...WANTED, headBranch: 'agent/none' })).ok).toBe(false);
    expect(await scm.getPR(7)).toMatchObject({ ok: false, error: { code: 'not_found', retryable: false } });
  });

  it('squashes into one commit on the base at the remote, once, and answers the same merge again', async () => {
    const { scm, bare, head, path } = await withBranch();
    got(await scm.createPR(WANTED));
    const merged = got(await scm.mergePR(merge(head)));
    expect(merged).toMatchObject({ state: 'merged', headCommit: head });
    expect(got(await scm.mergePR(merge(head))).mergeCommit).toBe(merged.mergeCommit);
    expect(await git(path, '--git-dir', bare, 'rev-list', '--count', 'main')).toBe('2');
    expect(await git(path, '--git-dir', bare, 'rev-parse', 'main')).toBe(merged.mergeCommit);
    expect(await git(path, '--git-dir', bare, 'show', 'main:slug.txt')).toBe('safe');
    expect(got(await scm.listPRs())).toEqual([]);
    expect(got(await scm.listPRs({ state: 'all' }))).toHaveLength(1);
  });

  it('merges a draft', async () => {
    const { scm, head } = await withBranch();
    expect(got(await scm.createPR({ ...WANTED, state: 'draft' })).state).toBe('draft');
    expect(got(await scm.mergePR(merge(head))).state).toBe('merged');
  });

  it('merges no other head than the one that was asked for', async () => {
    const { scm, head, path, bare } = await withBranch();
    got(await scm.createPR(WANTED));
    await commitOnBranch(path, { branch: 'agent/slugs', file: 'more.txt', content: 'unseen\n' });
    await git(path, 'push', '--quiet', 'origin', 'agent/slugs');
    expect(await scm.mergePR(merge(head))).toMatchObject({ ok: false, error: { code: 'conflict', retryable: false } });
    expect(await git(path, '--git-dir', bare, 'rev-list', '--count', 'main')).toBe('1');
  });

  it('refuses to merge what conflicts, and changes nothing', async () => {
    const { scm, head, path, bare } = await withBranch();
    got(await scm.createPR(WANTED));
    await commitOnBranch(path, { branch: 'other', file: 'slug.txt', content: 'quite different\n' });
    await git(path, 'push', '--quiet', 'origin', 'other:main');
    const before = await git(path, '--git-dir', bare, 'rev-parse', 'main');
    expect(await scm.mergePR(merge(head))).toMatchObject({ ok: false, error: { code: 'conflict', retryable: false } });
    expect(await git(path, '--git-dir', bare, 'rev-parse', 'main')).toBe(before);
    expect(got(await scm.getPR(1)).state).toBe('open');
  });

  it('says a comment once', async () => {
    const { scm } = await withBranch();
    got(await scm.createPR(WANTED));
    got(await scm.commentPR({ number: 1, key: 'review:1', body: 'Well done.' }));
    got(await scm.commentPR({ number: 1, key: 'review:1', body: 'Well done.' }));
    const comments = got(await scm.getPRComments(1));
    expect(comments).toHaveLength(1);
    expect(comments[0]?.body).toContain('Well done.');
  });

  it('leaves alone what a person changed and did not commit', async () => {
    const { scm, head, path } = await withBranch();
    writeFileSync(join(path, 'check.sh'), 'being written\n');
    got(await scm.createPR(WANTED));
    got(await scm.mergePR(merge(head)));
    expect([await git(path, 'status', '--porcelain'), await git(path, 'symbolic-ref', 'HEAD')]).toEqual([
      ' M check.sh',
      'refs/heads/main',
    ]);
    expect(readFileSync(join(path, 'check.sh'), 'utf8')).toBe('being written\n');
  });
}
