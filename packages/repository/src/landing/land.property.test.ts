import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type MergeMethod, MERGE_METHODS } from '@attractor/store';
import { makeFolder, must, runs } from '@attractor/store/testing';
import { runGit } from '@attractor/git';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openRepository } from '../git/open-repository.ts';
import { findRemote } from '../git/remote.ts';
import { commitOnBranch, makeRemoteWorld, pushFromElsewhere } from '../test-support/forge-world.ts';
import { git, makeRepository } from '../test-support/git-world.ts';
import { land } from './land.ts';
import { findMerged, mergedCommit } from './merged-commit.ts';

const author = { name: 'Attractor', email: 'a@example.test' };

/** Where the base is checked out. */
const PLACES = ['project', 'worktree', 'nowhere', 'detached'] as const;
/** What a person did there and did not commit. */
const DIRT = ['none', 'other file', 'same file', 'staged', 'untracked', 'ignored', 'written already'] as const;
const BUSY = ['nothing', 'merge', 'rebase', 'bisect', 'index.lock', 'ref.lock'] as const;
/** What happened to the base since the work began. */
const SINCE = [
  'nothing',
  'commit',
  'conflict',
  'deleted',
  'pushed elsewhere',
  'not pushed',
  'merged by hand',
  'forwarded by hand',
] as const;
/** What the branch holds: work, a commit of its base (a rebase left nothing), work that was undone, or the base's work under another name. */
const WORK = ['some', 'emptied', 'undone', 'copied'] as const;

type State = {
  readonly remote: boolean;
  readonly place: (typeof PLACES)[number];
  readonly dirt: (typeof DIRT)[number];
  readonly busy: (typeof BUSY)[number];
  readonly since: (typeof SINCE)[number];
  readonly method: MergeMethod;
  readonly work: (typeof WORK)[number];
};

const CALM: State = {
  remote: false,
  place: 'project',
  dirt: 'none',
  busy: 'nothing',
  since: 'nothing',
  method: 'squash',
  work: 'some',
};

/** Each state by itself; what is drawn at random mixes them. */
const ALONE: ReadonlyArray<State> = [
  ...PLACES.map((place) => ({ ...CALM, place })),
  ...DIRT.map((dirt) => ({ ...CALM, dirt })),
  ...BUSY.map((busy) => ({ ...CALM, busy })),
  ...SINCE.map((since) => ({ ...CALM, since, remote: true })),
  ...MERGE_METHODS.map((method) => ({ ...CALM, method, since: 'commit' as const })),
  { ...CALM, method: 'ff', dirt: 'other file' },
  { ...CALM, remote: true, dirt: 'same file' },
  { ...CALM, since: 'conflict' },
  { ...CALM, since: 'deleted', place: 'nowhere' },
  ...WORK.map((work) => ({ ...CALM, work })),
  { ...CALM, work: 'emptied', method: 'ff', since: 'commit' },
  { ...CALM, work: 'undone', method: 'merge' },
];

type World = { readonly path: string; readonly bare: string | null; readonly folder: string; readonly head: string };

async function makeWorld(state: State): Promise<World> {
  const { path, bare } = state.remote ? await makeRemoteWorld() : { path: await makeRepository(), bare: null };
  mkdirSync(join(path, '.git', 'info'), { recursive: true });
  writeFileSync(join(path, '.git', 'info', 'exclude'), 'ignored.txt\n');
  const made = await workOnBranch(path, state);
  const folder = await placeBase(path, state);
  await sinceThen({ path, bare, folder, head: made }, state);
  const head = await emptied({ path, bare, folder, head: made }, state);
  if (folder !== '') await work(folder, state);
  return { path, bare, folder, head };
}

/** The agent's work: one file changed, one added, and one that git would ignore. */
async function workOnBranch(path: string, { work: kind }: State): Promise<string> {
  const folder = join(makeFolder(), 'work');
  await git(path, 'worktree', 'add', '--quiet', '-b', 'agent/a', folder, 'main');
  writeFileSync(join(folder, 'sum.sh'), 'echo sum\n');
  writeFileSync(join(folder, 'new.txt'), 'new\n');
  writeFileSync(join(folder, 'ignored.txt'), 'tracked now\n');
  await git(folder, 'add', '--all', '--force');
  await git(folder, 'commit', '--quiet', '-m', 'work');
  if (kind === 'undone') await git(folder, 'revert', '--no-edit', 'HEAD');
  await git(path, 'worktree', 'remove', '--force', folder);
  return git(path, 'rev-parse', 'agent/a');
}

/** The branch without what it held, if that is the state of it. */
async function emptied({ path, head }: World, { work: kind }: State): Promise<string> {
  const base = await runGit(['rev-parse', '--verify', '--quiet', 'refs/heads/main'], { cwd: path });
  if (base.exitCode !== 0 || (kind !== 'emptied' && kind !== 'copied')) return head;
  const same = ['commit-tree', 'main^{tree}', '-p', 'main', '-m', 'the same'];
  const commit = kind === 'emptied' ? base.stdout.trim() : await git(path, ...same);
  await git(path, 'update-ref', 'refs/heads/agent/a', commit);
  return commit;
}

async function placeBase(path: string, { place }: State): Promise<string> {
  if (place === 'project') return path;
  if (place === 'detached') await git(path, 'checkout', '--quiet', '--detach');
  else await git(path, 'checkout', '--quiet', '-b', 'mine');
  if (place !== 'worktree') return '';
  const folder = join(makeFolder(), 'main');
  await git(path, 'worktree', 'add', '--quiet', folder, 'main');
  return folder;
}

async function sinceThen({ path, bare, folder }: World, { since }: State): Promise<void> {
  const change = { branch: 'main', file: 'later.txt', content: 'later\n' };
  if (since === 'deleted') {
    if (folder === path) await git(path, 'checkout', '--quiet', '-b', 'mine');
    await runGit(['branch', '-D', 'main'], { cwd: path });
    if (bare !== null) await git(path, '--git-dir', bare, 'update-ref', '-d', 'refs/heads/main');
  }
  if (since === 'merged by hand' || since === 'forwarded by hand') {
    const at = join(makeFolder(), 'base');
    const [how, words] = since === 'merged by hand' ? ['--no-ff', 'theirs'] : ['--ff-only', ''];
    await git(path, 'worktree', 'add', '--quiet', '--force', at, 'main');
    await git(at, 'merge', '--quiet', how ?? '', ...(words === '' ? [] : ['-m', words ?? '']), 'agent/a');
    await git(at, 'commit', '--quiet', '--allow-empty', '-m', 'later');
    await git(path, 'worktree', 'remove', '--force', at);
    if (folder !== '') await git(folder, 'reset', '--quiet', '--hard');
    if (bare !== null) await git(path, 'push', '--quiet', 'origin', 'main');
  }
  if (since === 'pushed elsewhere' && bare !== null) await pushFromElsewhere(bare, change);
  if (since === 'commit' || since === 'conflict' || since === 'not pushed') {
    const at = folder === '' ? join(makeFolder(), 'main') : folder;
    if (folder === '') await git(path, 'worktree', 'add', '--quiet', at, 'main');
    writeFileSync(join(at, since === 'conflict' ? 'sum.sh' : 'later.txt'), 'later\n');
    await git(at, 'add', '--all');
    await git(at, 'commit', '--quiet', '-m', 'later');
    if (folder === '') await git(path, 'worktree', 'remove', at);
    if (bare !== null && since !== 'not pushed') await git(path, 'push', '--quiet', 'origin', 'main');
  }
}

const WRITES: Readonly<Record<State['dirt'], readonly [file: string, content: string] | null>> = {
  none: null,
  'other file': ['check.sh', 'mine\n'],
  'same file': ['sum.sh', 'mine\n'],
  staged: ['sum.sh', 'mine\n'],
  untracked: ['new.txt', 'mine\n'],
  ignored: ['ignored.txt', 'mine\n'],
  'written already': ['sum.sh', 'echo sum\n'],
};

async function work(folder: string, { dirt, busy }: State): Promise<void> {
  const admin = await git(folder, 'rev-parse', '--absolute-git-dir');
  const common = await git(folder, 'rev-parse', '--path-format=absolute', '--git-common-dir');
  if (busy === 'bisect') await git(folder, 'bisect', 'start');
  if (busy === 'bisect') await git(folder, 'checkout', '--quiet', '--detach');
  if (busy === 'rebase') {
    await commitOnBranch(folder, { branch: 'onto', file: 'check.sh', content: 'onto\n' });
    writeFileSync(join(folder, 'check.sh'), 'other\n');
    await git(folder, 'commit', '--quiet', '--all', '-m', 'to be rebased');
    await runGit(['rebase', 'onto'], { cwd: folder, author });
  }
  if (busy === 'merge') {
    await commitOnBranch(folder, { branch: 'other', file: 'extra.txt', content: 'extra\n', base: 'main' });
    await git(folder, 'merge', '--quiet', '--no-commit', '--no-ff', 'other');
  }
  const written = WRITES[dirt];
  if (written !== null) writeFileSync(join(folder, written[0]), written[1]);
  if (dirt === 'staged') await git(folder, 'add', written?.[0] ?? '');
  if (busy === 'index.lock') writeFileSync(join(admin, 'index.lock'), '');
  if (busy === 'ref.lock') writeFileSync(join(common, 'refs', 'heads', 'main.lock'), '');
}

async function look({ path, bare, folder }: World): Promise<ReadonlyArray<unknown>> {
  const tip = (cwd: string, ...more: string[]) =>
    runGit([...more, 'rev-parse', '--verify', '--quiet', 'refs/heads/main'], { cwd }).then(({ stdout }) => stdout);
  return [
    await tip(path),
    bare === null ? null : await tip(path, '--git-dir', bare),
    folder === '' ? null : (await runGit(['status', '--porcelain', '--ignored'], { cwd: folder })).stdout,
  ];
}

async function landOn({ path, head }: World, { method, work: kind }: State) {
  const repository = must(await openRepository(path));
  const remote = await findRemote(repository);
  const change = {
    repository,
    remote,
    method,
    author,
    talk: {},
    message: 'A change',
    mark: 'Mark: 1',
    headBranch: 'agent/a',
    headCommit: head,
    baseBranch: 'main',
    base: 'theirs' as const,
    own: new Set(kind === 'some' || kind === 'undone' ? [head] : []),
    prove: async () => ({ ok: true, value: null }) as const,
  };
  return land({ ...change, make: (tip) => mergedCommit(change, tip), find: (tip) => findMerged(change, tip) });
}

/** The law: merged means that the base has it, here and at the remote; otherwise nothing has changed. A person's work is never lost. */
async function expectTruth(state: State): Promise<string> {
  const world = await makeWorld(state);
  const before = await look(world);
  const landed = await landOn(world, state);
  const written = WRITES[state.dirt];
  if (world.folder !== '' && written !== null)
    expect(readFileSync(join(world.folder, written[0]), 'utf8')).toBe(written[1]);
  if (!landed.ok) {
    expect(await look(world)).toEqual(before);
    return landed.error.message;
  }
  const { commit } = landed.value;
  const { path, bare } = world;
  for (const at of [[], ...(bare === null ? [] : [['--git-dir', bare]])])
    expect((await git(path, ...at, 'log', '--format=%H', 'main')).split('\n')).toContain(commit);
  const isHandMade = state.since === 'merged by hand' || state.since === 'forwarded by hand';
  if (isHandMade) expect(await git(path, 'log', '-1', '--format=%s', commit)).toContain(SUBJECTS[state.since] ?? '');
  if (state.work === 'undone' && isHandMade) return 'merged';
  expect(await git(world.path, 'show', 'main:new.txt')).toBe('new');
  if (world.folder !== '' && state.busy === 'nothing') {
    const dirty = (await git(world.folder, 'status', '--porcelain')).split('\n').filter((line) => line !== '');
    expect(dirty).toEqual(state.dirt === 'other file' ? [' M check.sh'] : []);
    expect(existsSync(join(world.folder, 'new.txt'))).toBe(true);
  }
  expect(must(await landOn(world, state)).commit).toBe(commit);
  return 'merged';
}

/** Of the commit that brought the work, where a person brought it. */
const SUBJECTS: Readonly<Record<string, string>> = { 'merged by hand': 'theirs', 'forwarded by hand': 'work' };

/** What is said in each state of a base that has no remote. */
const SAID: Readonly<Record<string, string>> = {
  'same file': 'changes in sum.sh that are not committed',
  staged: 'changes in sum.sh that are not committed',
  untracked: 'changes in new.txt that are not committed',
  ignored: 'changes in ignored.txt that are not committed',
  merge: 'git merge --abort',
  rebase: 'git rebase --abort',
  bisect: 'git bisect reset',
  'index.lock': 'index.lock',
  'ref.lock': 'main.lock',
  conflict: 'changed the same lines in sum.sh',
  deleted: 'no branch "main" to merge into',
  'not pushed': 'push main first',
  emptied: 'there is nothing to merge',
  undone: 'there is nothing to merge',
  copied: 'there is nothing to merge',
};

describe('a merge', () => {
  it('is said to be made only if the base has it, and otherwise changes nothing, in every state of the base', async () => {
    for (const state of ALONE) {
      const said = await expectTruth(state).catch((error: unknown) => told(error, state));
      const { dirt, busy, since, method, work: kind } = state;
      const expected = [dirt, busy, since, kind].flatMap((word) => SAID[word] ?? []);
      const isLate = method === 'ff' && since !== 'nothing' && kind === 'some';
      expect([state, said]).toEqual([
        state,
        expect.stringContaining(isLate ? 'which a fast-forward needs' : (expected[0] ?? 'merged')),
      ]);
    }
    const mixed = fc.record({
      remote: fc.boolean(),
      place: fc.constantFrom(...PLACES),
      dirt: fc.constantFrom(...DIRT),
      busy: fc.constantFrom(...BUSY),
      since: fc.constantFrom(...SINCE),
      method: fc.constantFrom(...MERGE_METHODS),
      work: fc.constantFrom(...WORK),
    });
    await fc.assert(
      fc.asyncProperty(mixed, async (state) => void (await expectTruth(state))),
      { numRuns: runs(2) },
    );
  });
});

function told(error: unknown, state: State): never {
  throw new Error(`In the state ${JSON.stringify(state)}: ${String(error)}`);
}
