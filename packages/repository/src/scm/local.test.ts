import { describe, expect, it, onTestFinished } from 'vitest';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { insertProject, openStore } from '@attractor/store';
import { makeFolder, must, projectRow } from '@attractor/store/testing';
import { commitOnBranch, makeRemoteWorld, pushFromElsewhere } from '../test-support/forge-world.ts';
import { got, scmContract, type ScmWorld } from '../test-support/scm-contract.ts';
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
  ({ number, headCommit, message: 'A change', base: 'theirs' }) as const;

describe('pull requests of our own', () => {
  scmContract(makeLocalWorld);

  it('go on from what others pushed to the base meanwhile', async () => {
    const { scm, path, bare } = await makeLocalWorld();
    const head = await commitOnBranch(path, { branch: 'agent/a', file: 'a.txt', content: 'a\n' });
    got(await scm.createPR(wanted));
    const theirs = await pushFromElsewhere(bare, { branch: 'main', file: 'b.txt', content: 'b\n' });
    const merged = got(await scm.mergePR(merge(1, head)));
    expect(await git(path, 'rev-parse', `${String(merged.mergeCommit)}^`)).toBe(theirs);
    expect(merged.notice).toContain('git pull --ff-only origin main');
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
  it('moves a base that nobody has checked out', async () => {
    const path = await makeRepository();
    await git(path, 'checkout', '--quiet', '-b', 'mine');
    const scm = await openLocal(path);
    const head = await commitOnBranch(path, { branch: 'agent/a', file: 'a.txt', content: 'a\n' });
    got(await scm.createPR(wanted));
    const merged = got(await scm.mergePR(merge(1, head)));
    expect([await git(path, 'rev-parse', 'main'), merged.notice]).toEqual([merged.mergeCommit, null]);
  });

  it('keeps merges for a base that a person has checked out, one on the other, and says how to have them', async () => {
    const path = await makeRepository();
    const scm = await openLocal(path);
    const before = await git(path, 'rev-parse', 'HEAD');
    const heads = [
      await commitOnBranch(path, { branch: 'agent/a', file: 'a.txt', content: 'a\n' }),
      await commitOnBranch(path, { branch: 'agent/b', file: 'b.txt', content: 'b\n' }),
    ] as const;
    got(await scm.createPR(wanted));
    got(await scm.createPR({ ...wanted, headBranch: 'agent/b' }));
    const first = got(await scm.mergePR(merge(1, heads[0])));
    const second = got(await scm.mergePR(merge(2, heads[1])));
    expect(await git(path, 'rev-parse', 'HEAD')).toBe(before);
    expect(await git(path, 'status', '--porcelain')).toBe('');
    expect(await git(path, 'rev-parse', `${String(second.mergeCommit)}^`)).toBe(first.mergeCommit);
    expect(await git(path, 'rev-parse', mergedRef('main'))).toBe(second.mergeCommit);
    const command = /run "git (?<args>[^"]+)"/.exec(second.notice ?? '')?.groups?.['args'] ?? '';
    await git(path, ...command.split(' '));
    expect(await git(path, 'log', '--format=%s', '-2')).toBe('A change\nA change');
    expect(await git(path, 'show', 'HEAD:a.txt')).toBe('a');
  });

  it('joins what the person committed meanwhile with the merges that wait', async () => {
    const path = await makeRepository();
    const scm = await openLocal(path);
    const first = await commitOnBranch(path, { branch: 'agent/a', file: 'a.txt', content: 'a\n' });
    const second = await commitOnBranch(path, { branch: 'agent/b', file: 'b.txt', content: 'b\n' });
    got(await scm.createPR(wanted));
    got(await scm.createPR({ ...wanted, headBranch: 'agent/b' }));
    got(await scm.mergePR(merge(1, first)));
    writeFileSync(join(path, 'own.txt'), 'own\n');
    await git(path, 'add', '--all');
    await git(path, 'commit', '--quiet', '-m', 'own');
    const merged = got(await scm.mergePR(merge(2, second)));
    const files = await git(path, 'ls-tree', '--name-only', String(merged.mergeCommit));
    expect(files.split('\n')).toEqual(expect.arrayContaining(['a.txt', 'b.txt', 'own.txt']));
    await git(path, 'merge', '--quiet', '--ff-only', String(merged.mergeCommit));
  });
});
