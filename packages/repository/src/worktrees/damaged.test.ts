import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { git, makeRepository } from '../test-support/git-world.ts';
import { makeFolder, must } from '@attractor/store/testing';
import { commitAll } from './commit-all.ts';
import { keepWorktree } from './keep-worktree.ts';
import { worktreeNotices } from './notices.ts';
import type { Repository } from '../git/repository.ts';
import { ensureWorktree, type Worktree, type WorktreeRequest } from './worktree.ts';
import { openRepository } from '../git/open-repository.ts';

const author = { name: 'Attractor Agent', email: 'agent@attractor.invalid' };

type World = { readonly repository: Repository; readonly request: WorktreeRequest; readonly worktree: Worktree };

/** A worktree with a commit of its own, and beside it a change and a new file that nobody committed. Made once, then copied. */
async function worldWithWork(): Promise<World> {
  template ??= makeWorld();
  const { repository, request, worktree } = await template;
  const root = makeFolder();
  const moved = (path: string): string => path.replace(repository.root, root);
  cpSync(repository.root, root, { recursive: true });
  const entry = join(root, '.git', 'worktrees', basename(worktree.path), 'gitdir');
  for (const link of [entry, join(moved(worktree.path), '.git')])
    writeFileSync(link, readFileSync(link, 'utf8').replace(repository.root, root));
  const copied = { ...repository, root, gitFolder: moved(repository.gitFolder) };
  return {
    repository: copied,
    request: { ...request, repository: copied },
    worktree: { ...worktree, path: moved(worktree.path) },
  };
}

let template: Promise<World> | null = null;

async function makeWorld(): Promise<World> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'attractor-template-')));
  cpSync(await makeRepository({ 'a.txt': 'one\n', 'b.txt': 'b\n' }), folder, { recursive: true });
  const repository = must(await openRepository(folder));
  const request = { repository, taskId: 'tsk_1', branch: 'agent/one', baseBranch: 'main', author, lockReason: 'test' };
  const worktree = must(await ensureWorktree(request));
  writeFileSync(join(worktree.path, 'committed.txt'), 'committed\n');
  await git(worktree.path, 'add', '--all');
  await git(worktree.path, 'commit', '--quiet', '-m', 'work');
  writeFileSync(join(worktree.path, 'a.txt'), 'changed\n');
  writeFileSync(join(worktree.path, 'new.txt'), 'new\n');
  return { repository, request, worktree };
}

/** Every uncommitted piece of the world above that can be read from a ref, or from a folder that was moved aside. */
async function piecesKept(repository: Repository, more: ReadonlyArray<string> = []): Promise<ReadonlyArray<string>> {
  const refs = (await git(repository.root, 'for-each-ref', '--format=%(refname)', 'refs/attractor/rescue')).split('\n');
  const kept = new Set<string>();
  for (const ref of refs.filter((name) => name !== ''))
    for (const [file, text] of PIECES) {
      const shown = await git(repository.root, 'show', `${ref}:${file}`).catch(() => null);
      if (shown === text) kept.add(file);
    }
  for (const folder of more)
    for (const [file, text] of PIECES)
      if (existsSync(join(folder, file)) && readFileSync(join(folder, file), 'utf8').trimEnd() === text) kept.add(file);
  return [...kept].toSorted();
}

const PIECES: ReadonlyArray<readonly [string, string]> = [
  ['a.txt', 'changed'],
  ['new.txt', 'new'],
];
const ALL = ['a.txt', 'new.txt'];
const HOUR_AGO = new Date(Date.now() - 3_600_000);

const adminOf = (path: string): Promise<string> => git(path, 'rev-parse', '--absolute-git-dir');

describe('uncommitted work is kept, and the worktree is whole again, when', () => {
  it.each<[string, (world: World) => unknown]>([
    ['nothing is damaged', () => undefined],
    ['a dead git left index.lock', async ({ worktree }) => staleLock(join(await adminOf(worktree.path), 'index.lock'))],
    ['a dead git left HEAD.lock', async ({ worktree }) => staleLock(join(await adminOf(worktree.path), 'HEAD.lock'))],
    ['a dead git left packed-refs.lock', ({ repository }) => staleLock(join(repository.gitFolder, 'packed-refs.lock'))],
    ['a dead git left config.lock', ({ repository }) => staleLock(join(repository.gitFolder, 'config.lock'))],
    [
      'a dead git left a lock on its branch',
      ({ repository }) => staleLock(join(repository.gitFolder, 'refs/heads/agent/one.lock')),
    ],
    ['its index is gone', async ({ worktree }) => rmSync(join(await adminOf(worktree.path), 'index'))],
    ['its index is garbage', async ({ worktree }) => writeFileSync(join(await adminOf(worktree.path), 'index'), 'x')],
    ['its HEAD is garbage', async ({ worktree }) => writeFileSync(join(await adminOf(worktree.path), 'HEAD'), 'x')],
    ['its HEAD is gone', async ({ worktree }) => rmSync(join(await adminOf(worktree.path), 'HEAD'))],
    ['its link is gone', ({ worktree }) => rmSync(join(worktree.path, '.git'))],
    ['its link leads nowhere', ({ worktree }) => writeFileSync(join(worktree.path, '.git'), 'gitdir: /nowhere\n')],
    ['its entry is gone', async ({ worktree }) => rmSync(await adminOf(worktree.path), { recursive: true })],
    [
      'its entry was never finished',
      async ({ worktree }) => {
        const admin = await adminOf(worktree.path);
        for (const name of ['commondir', 'HEAD', 'index']) rmSync(join(admin, name));
      },
    ],
    [
      'its entry leads to another repository',
      async ({ worktree }) =>
        writeFileSync(join(await adminOf(worktree.path), 'commondir'), join(await makeRepository(), '.git')),
    ],
    ['its branch was deleted', ({ repository }) => git(repository.root, 'update-ref', '-d', 'refs/heads/agent/one')],
    [
      'its head is detached, with a commit that no branch has',
      async ({ worktree }) => {
        await git(worktree.path, 'checkout', '--quiet', '--detach');
        await git(worktree.path, 'commit', '--quiet', '--allow-empty', '-m', 'lone');
      },
    ],
    ['another branch is checked out in it', ({ worktree }) => git(worktree.path, 'checkout', '--quiet', '-b', 'other')],
    [
      'a rebase was left half-way',
      async ({ worktree, repository }) => {
        writeFileSync(join(repository.root, 'committed.txt'), 'theirs\n');
        await git(repository.root, 'add', '--all');
        await git(repository.root, 'commit', '--quiet', '-m', 'theirs');
        await git(worktree.path, 'stash', '--include-untracked', '--quiet');
        await git(worktree.path, 'rebase', 'main').catch(() => undefined);
        await git(worktree.path, 'checkout', 'stash@{0}', '--', 'a.txt');
        writeFileSync(join(worktree.path, 'new.txt'), 'new\n');
      },
    ],
    [
      'its base was rewritten',
      async ({ repository }) => {
        await git(repository.root, 'commit', '--quiet', '--amend', '--allow-empty', '-m', 'rewritten');
      },
    ],
    [
      'the checkout has no branch checked out',
      ({ repository }) => git(repository.root, 'checkout', '--quiet', '--detach'),
    ],
    [
      'the checkout is on a branch without commits',
      ({ repository }) => git(repository.root, 'symbolic-ref', 'HEAD', 'refs/heads/unborn'),
    ],
  ])('%s', async (_what, damage) => {
    const world = await worldWithWork();
    const { repository, request, worktree } = world;
    await damage(world);
    const user = readdirSync(repository.root).toSorted();
    const reopened = must(await openRepository(repository.root));
    const again = must(await ensureWorktree({ ...request, repository: reopened }));
    expect(await piecesKept(repository)).toEqual(ALL);
    expect(again.rescued).not.toBeNull();
    expect(await git(again.path, 'status', '--porcelain')).toBe('');
    expect(await git(again.path, 'branch', '--show-current')).toBe('agent/one');
    expect(readFileSync(join(again.path, 'committed.txt'), 'utf8')).toBe('committed\n');
    expect(again.path).toBe(worktree.path);
    expect(readdirSync(repository.root).toSorted()).toEqual(user);
    expect((await git(repository.root, 'fsck', '--connectivity-only', '--no-dangling')).includes('missing')).toBe(
      false,
    );
  });

  it('commits of a detached head stay reachable', async () => {
    const { repository, request, worktree } = await worldWithWork();
    await git(worktree.path, 'stash', '--include-untracked', '--quiet');
    await git(worktree.path, 'checkout', '--quiet', '--detach');
    await git(worktree.path, 'commit', '--quiet', '--allow-empty', '-m', 'lone');
    const lone = await git(worktree.path, 'rev-parse', 'HEAD');
    const again = must(await ensureWorktree(request));
    expect(await git(repository.root, 'rev-parse', again.rescued ?? '')).toBe(lone);
  });

  it('repositories were made inside it: they are left where they are, or moved aside with the broken folder', async () => {
    const { repository, request, worktree } = await worldWithWork();
    const inner = join(worktree.path, 'deep/inner');
    mkdirSync(inner, { recursive: true });
    await git(inner, 'init', '--quiet');
    writeFileSync(join(inner, 'hours.txt'), 'hours\n');
    const again = must(await ensureWorktree(request));
    expect(await piecesKept(repository)).toEqual(ALL);
    expect(readFileSync(join(inner, 'hours.txt'), 'utf8')).toBe('hours\n');
    rmSync(join(again.path, '.git'));
    const moved = must(await ensureWorktree(request));
    expect(readFileSync(join(moved.movedAside ?? '', 'deep/inner/hours.txt'), 'utf8')).toBe('hours\n');
    expect(await git(moved.path, 'status', '--porcelain')).toBe('');
  });

  it('the folder was moved away: every file is still in it', async () => {
    const { repository, request, worktree } = await worldWithWork();
    const elsewhere = join(makeFolder(), 'moved');
    renameSync(worktree.path, elsewhere);
    const again = must(await ensureWorktree(request));
    expect(readFileSync(join(again.path, 'committed.txt'), 'utf8')).toBe('committed\n');
    expect(await piecesKept(repository, [elsewhere])).toEqual(ALL);
  });

  it('the whole repository was moved', async () => {
    const { repository } = await worldWithWork();
    const elsewhere = join(makeFolder(), 'a new place');
    renameSync(repository.root, elsewhere);
    const moved = must(await openRepository(elsewhere));
    const request = { taskId: 'tsk_1', branch: 'agent/one', baseBranch: 'main', author, lockReason: 'test' };
    const again = must(await ensureWorktree({ ...request, repository: moved }));
    expect(again.path).toBe(join(elsewhere, '.agent-worktrees/tsk_1'));
    expect(readFileSync(join(again.path, 'committed.txt'), 'utf8')).toBe('committed\n');
    expect(await piecesKept(moved)).toEqual(ALL);
    mkdirSync(dirname(repository.root), { recursive: true });
  });
});

function staleLock(file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '');
  utimesSync(file, HOUR_AGO, HOUR_AGO);
}

describe('refused with words that say what to do, nothing lost:', () => {
  const refusalOf = async (request: WorktreeRequest): Promise<string> => {
    const made = await ensureWorktree(request);
    return made.ok ? 'made' : made.error.message;
  };

  it('a young lock, and an old one that a living process holds', async () => {
    const { repository, request, worktree } = await worldWithWork();
    const lock = join(await adminOf(worktree.path), 'index.lock');
    writeFileSync(lock, '');
    expect(await refusalOf(request)).toMatch(/index\.lock is \d+ s old: another git is at work/);
    const holder = await open(lock, 'r+');
    utimesSync(lock, HOUR_AGO, HOUR_AGO);
    expect(await refusalOf(request)).toContain('another git is at work');
    expect(existsSync(lock)).toBe(true);
    await holder.close();
    expect(await refusalOf(request)).toBe('made');
    expect(await piecesKept(repository)).toEqual(ALL);
  });

  it('its branch is checked out elsewhere', async () => {
    const { repository, request, worktree } = await worldWithWork();
    await git(worktree.path, 'checkout', '--quiet', '--detach');
    const elsewhere = join(makeFolder(), 'mine');
    await git(repository.root, 'worktree', 'add', '--quiet', elsewhere, 'agent/one');
    expect(await refusalOf(request)).toContain(`The branch agent/one is checked out in ${elsewhere}`);
    expect(await piecesKept(repository)).toEqual(ALL);
    await git(elsewhere, 'checkout', '--quiet', '--detach');
    expect(await refusalOf(request)).toBe('made');
  });

  it('a branch is in the way of its prefix', async () => {
    const repository = must(await openRepository(await makeRepository({ 'a.txt': 'a\n' })));
    await git(repository.root, 'branch', 'agent');
    const request = { repository, taskId: 't', branch: 'agent/x', baseBranch: 'main', author, lockReason: 'x' };
    expect(await refusalOf(request)).toContain('The branch "agent" is in the way of "agent/x"');
  });

  it('a file is in the way of its folder', async () => {
    const repository = must(await openRepository(await makeRepository({ 'a.txt': 'a\n' })));
    mkdirSync(join(repository.root, '.agent-worktrees'));
    writeFileSync(join(repository.root, '.agent-worktrees/t'), 'mine');
    const request = { repository, taskId: 't', branch: 'agent/x', baseBranch: 'main', author, lockReason: 'x' };
    expect(await refusalOf(request)).toContain('is in the way');
    expect(readFileSync(join(repository.root, '.agent-worktrees/t'), 'utf8')).toBe('mine');
  });

  it('a repository that is gone, bare, empty, tampered with, or oddly named', async () => {
    const messageOf = async (path: string): Promise<string> => {
      const opened = await openRepository(path);
      return opened.ok ? 'opened' : opened.error.message;
    };
    expect(await messageOf(join(makeFolder(), 'gone'))).toContain('its disk is missing');
    const bare = makeFolder();
    await git(bare, 'init', '--quiet', '--bare');
    expect(await messageOf(bare)).toContain('clone it');
    const empty = makeFolder();
    await git(empty, 'init', '--quiet');
    expect(await messageOf(empty)).toContain('no commit yet');
    const victim = await makeRepository({ 'a.txt': 'a\n' });
    const forged = makeFolder();
    writeFileSync(join(forged, '.git'), `gitdir: ${join(victim, '.git')}\n`);
    expect(await messageOf(forged)).toContain('does not know this folder');
    expect(readdirSync(forged)).toEqual(['.git']);
    expect(await messageOf('/tmp/a\nb')).toContain('line break');
    const linked = join(makeFolder(), 'linked');
    await git(victim, 'worktree', 'add', '--quiet', '--detach', linked);
    expect(await messageOf(linked)).toBe('opened');
  });
});

describe('unusual repositories', () => {
  const requestFor = (repository: Repository, more: Partial<WorktreeRequest> = {}): WorktreeRequest => ({
    repository,
    taskId: 'tsk_1',
    branch: 'agent/one',
    baseBranch: 'main',
    author,
    lockReason: 'test',
    ...more,
  });

  it.each(['with blanks', "quote's", '$(touch x)', '-dash', 'ünïcode 🦊', '*glob?[a]', 'a'.repeat(180)])(
    'are worked on in a folder named %j',
    async (name) => {
      const path = join(makeFolder(), name);
      renameSync(await makeRepository({ 'a.txt': 'one\n' }), path);
      const repository = must(await openRepository(path));
      const { path: first } = must(await ensureWorktree(requestFor(repository)));
      writeFileSync(join(first, 'new.txt'), 'new\n');
      const again = must(await ensureWorktree(requestFor(repository)));
      expect(again).toMatchObject({ path: first, created: false });
      expect(await git(repository.root, 'show', `${again.rescued ?? ''}:new.txt`)).toBe('new');
    },
  );

  it('with odd names of branches and files keep every one of them', async () => {
    const path = await makeRepository({ 'Case.txt': 'upper\n', 'case.txt': 'lower\n', 'a\tb\n"c".txt': 'odd\n' });
    await git(path, 'branch', '-m', "release/1.0_x@y'z");
    const repository = must(await openRepository(path));
    const request = requestFor(repository, { baseBranch: "release/1.0_x@y'z", branch: 'Agent/One' });
    const worktree = must(await ensureWorktree(request));
    const other = must(await ensureWorktree({ ...request, taskId: 'tsk_2', branch: 'Agent/one' }));
    expect(readFileSync(join(worktree.path, 'Case.txt'), 'utf8')).toBe('upper\n');
    expect(readFileSync(join(worktree.path, 'case.txt'), 'utf8')).toBe('lower\n');
    writeFileSync(join(worktree.path, 'a\tb\n"c".txt'), 'changed\n');
    const again = must(await ensureWorktree(request));
    expect(await git(repository.root, 'show', `${again.rescued ?? ''}:a\tb\n"c".txt`)).toBe('changed');
    expect(other.path).not.toBe(worktree.path);
  });

  it('that are shallow work, with the history that is there', async () => {
    const origin = await makeRepository({ 'a.txt': 'one\n' });
    for (const word of ['two', 'three']) await git(origin, 'commit', '--quiet', '--allow-empty', '-m', word);
    const path = join(makeFolder(), 'shallow');
    await git(dirname(path), 'clone', '--quiet', '--depth', '1', `file://${origin}`, path);
    const repository = must(await openRepository(path));
    const worktree = must(await ensureWorktree(requestFor(repository)));
    expect(worktree.baseCommit).toBe(worktree.head);
    expect(await git(worktree.path, 'rev-list', '--count', 'HEAD')).toBe('1');
  });

  it('with a sparse checkout are committed and rescued with what lies outside of it, and lose nothing there', async () => {
    const path = await makeRepository({ 'a/a.txt': 'a\n', 'b/b.txt': 'b\n' });
    await git(path, 'update-index', '--refresh');
    await git(path, 'sparse-checkout', 'set', 'a');
    const repository = must(await openRepository(path));
    const worktree = must(await ensureWorktree(requestFor(repository)));
    expect(readdirSync(worktree.path)).toEqual(['.git', 'a']);
    const leave = (name: string): void => {
      mkdirSync(join(worktree.path, 'c'), { recursive: true });
      writeFileSync(join(worktree.path, 'c', name), 'c\n');
    };
    const filesOf = async (commit: string) => (await git(path, 'ls-tree', '-r', '--name-only', commit)).split('\n');
    leave('one.txt');
    const commit = must(await commitAll(worktree.path, { message: 'c', runId: 'run_1', author, isWanted: true }));
    expect(await filesOf(commit)).toEqual(['a/a.txt', 'b/b.txt', 'c/one.txt']);
    leave('two.txt');
    const { rescued } = must(await ensureWorktree(requestFor(repository)));
    expect(await filesOf(rescued ?? '')).toEqual(['a/a.txt', 'b/b.txt', 'c/one.txt', 'c/two.txt']);
  });

  it('get back what commands changed in files whose names are no UTF-8, and in others beside them', async () => {
    const path = await makeRepository({ 'a.txt': 'one\n' });
    const odd = (name: string): Buffer => Buffer.from(join(path, name), 'latin1');
    writeFileSync(odd('caf\xe9[1].txt'), 'one\n');
    await git(path, 'add', '--all');
    await git(path, 'commit', '--quiet', '-m', 'odd');
    const note = join(makeFolder(), 'note');
    const { restored } = await keepWorktree({ folder: path, note }, async () => {
      for (const name of ['caf\xe9[1].txt', 'a.txt', 'n\xe9w.txt', 'new.txt']) writeFileSync(odd(name), 'changed\n');
    });
    expect(restored).toHaveLength(4);
    expect(await git(path, 'status', '--porcelain')).toBe('');
    expect(readFileSync(odd('caf\xe9[1].txt'), 'utf8')).toBe('one\n');
  });

  it('are refused with the words of git in a repository of a format that it does not know', async () => {
    const path = await makeRepository();
    const config = '[core]\n\trepositoryformatversion = 1\n[extensions]\n\tmadeUp = new\n';
    writeFileSync(join(path, '.git/config'), config);
    const opened = await openRepository(path);
    expect(opened).toMatchObject({ error: { message: expect.stringMatching(/git can't read here: .*madeup/s) } });
  });

  it('with submodules say what is not there, and fetch nothing', async () => {
    const inner = await makeRepository({ 'inner.txt': 'inner\n' });
    const path = await makeRepository({ 'a.txt': 'one\n' });
    await git(path, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'libs/inner');
    await git(path, 'commit', '--quiet', '-m', 'submodule');
    const repository = must(await openRepository(path));
    const worktree = must(await ensureWorktree(requestFor(repository)));
    expect(readdirSync(join(worktree.path, 'libs/inner'))).toEqual([]);
    const notices = await worktreeNotices(worktree.path);
    expect(notices.join('\n')).toMatch(/libs\/inner[\s\S]*git submodule update --init/);
    expect(await git(worktree.path, 'status', '--porcelain')).toBe('');
  });

  it('keep the mode and the link of a file that was left uncommitted', async () => {
    const repository = must(await openRepository(await makeRepository({ 'a.txt': 'one\n' })));
    const { path } = must(await ensureWorktree(requestFor(repository)));
    writeFileSync(join(path, 'run.sh'), '#!/bin/sh\n');
    chmodSync(join(path, 'run.sh'), 0o755);
    symlinkSync('a.txt', join(path, 'link'));
    const { rescued } = must(await ensureWorktree(requestFor(repository)));
    const listed = await git(repository.root, 'ls-tree', rescued ?? '', 'run.sh', 'link');
    expect(listed).toMatch(/^120000 .*link\n100755 .*run\.sh$/);
    expect(existsSync(join(path, 'link'))).toBe(false);
  });

  it('are told to pass over worktrees in their .gitignore where the project wants that, once', async () => {
    const repository = must(await openRepository(await makeRepository({ 'a.txt': 'one\n', '.gitignore': 'dist' })));
    for (const taskId of ['t1', 't2'])
      must(await ensureWorktree(requestFor(repository, { taskId, branch: taskId, inGitignore: true })));
    expect(readFileSync(join(repository.root, '.gitignore'), 'utf8')).toBe(
      'dist\n# Worktrees of agents\n.agent-worktrees/\n',
    );
    expect(statSync(join(repository.root, '.gitignore')).isFile()).toBe(true);
  });
});
