import { describe, expect, it, onTestFinished } from 'vitest';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { insertProject, openStore } from '@attractor/store';
import { makeFolder, must, projectRow } from '@attractor/store/testing';
import { commitOnBranch, makeRemoteWorld, pushFromElsewhere } from '../test-support/forge-world.ts';
import { got, scmContract, type ScmWorld, UNPROVEN } from '../test-support/scm-contract.ts';
import { git, makeRepository } from '../test-support/git-world.ts';
import { mergedRef } from '../git/base-tip.ts';
import { createLocalScm } from './local.ts';
import { findRemote } from '../git/remote.ts';
import type { Scm } from './scm.ts';
import { openRepository } from '../git/open-repository.ts';

const author = { name: 'Attractor', email: 'a@example.test' };

async function openLocal(path: string): Promise<Scm> {
  const store = must(await openStore({ home: makeFolder() }));
  onTestFinished(() => store.close());
  const project = projectRow(path);
  await store.transact((tx) => insertProject(tx, project));
  const repository = must(await openRepository(path));
  return createLocalScm({ store, project, repository, remote: await findRemote(repository), talk: {}, author });
}

async function makeLocalWorld(): Promise<ScmWorld> {
  const world = await makeRemoteWorld();
  return { ...world, scm: await openLocal(world.path) };
}

const wanted = { title: 'A change', body: '', headBranch: 'agent/a', baseBranch: 'main', state: 'open' } as const;
const merge = (number: number, headCommit: string) =>
  ({ ...UNPROVEN, number, headCommit, message: 'A change' }) as const;

describe('pull requests of our own', () => {
  scmContract(makeLocalWorld);

  it('go on from what others pushed to the base meanwhile', async () => {
    const { scm, path, bare } = await makeLocalWorld();
    const head = await commitOnBranch(path, { branch: 'agent/a', file: 'a.txt', content: 'a\n' });
    got(await scm.createPR(wanted));
    const theirs = await pushFromElsewhere(bare, { branch: 'main', file: 'b.txt', content: 'b\n' });
    const merged = got(await scm.mergePR(merge(1, head)));
    expect(await git(path, 'rev-parse', `${String(merged.mergeCommit)}^`)).toBe(theirs);
    expect([merged.notice, await git(path, 'rev-parse', 'HEAD')]).toEqual([null, merged.mergeCommit]);
  });

  it('carry no commit along that a person has not pushed', async () => {
    const { scm, path, bare } = await makeLocalWorld();
    writeFileSync(join(path, 'private.txt'), 'not yet\n');
    await git(path, 'add', '--all');
    await git(path, 'commit', '--quiet', '-m', 'not pushed');
    const head = await commitOnBranch(path, { branch: 'agent/a', file: 'a.txt', content: 'a\n' });
    got(await scm.createPR(wanted));
    expect(await scm.mergePR(merge(1, head))).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('push main first') },
    });
    expect(await git(path, '--git-dir', bare, 'rev-list', '--count', 'main')).toBe('1');
  });
});

describe('merging without a remote', () => {
  it('takes along the merges that an earlier version kept beside a base that was checked out', async () => {
    const path = await makeRepository();
    const scm = await openLocal(path);
    const kept = await commitOnBranch(path, { branch: 'kept', file: 'kept.txt', content: 'kept\n' });
    await git(path, 'update-ref', mergedRef('main'), kept);
    await git(path, 'commit', '--quiet', '--allow-empty', '-m', 'own');
    const head = await commitOnBranch(path, { branch: 'agent/a', file: 'a.txt', content: 'a\n' });
    got(await scm.createPR(wanted));
    const merged = got(await scm.mergePR(merge(1, head)));
    expect(await git(path, 'rev-parse', 'HEAD')).toBe(merged.mergeCommit);
    expect((await git(path, 'ls-files')).split('\n')).toEqual(expect.arrayContaining(['a.txt', 'kept.txt']));
    expect(await git(path, 'status', '--porcelain')).toBe('');
  });
});
