import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { pushCommit } from '../git/remote.ts';
import { git, makeRepository } from '../test-support/git-world.ts';
import { gitWithLfs, makeLargeFilesWorld } from '../test-support/large-files-world.ts';
import { makeFolder, must, runs } from '@attractor/store/testing';
import { dropCarried, fetchCarried, pushRefs } from './carry-remote.ts';
import {
  type CarriedWork,
  forgetRefs,
  keepCarried,
  listCarriedRefs,
  newestCarried,
  snapshotWork,
  stateRef,
  workRef,
} from './carry-work.ts';
import { commitAll } from './commit-all.ts';
import type { Repository } from '../git/repository.ts';
import { completeLargeFiles } from './large-files.ts';
import { restoreBranch, restoreState, restoreUncommitted } from './restore-work.ts';
import { ensureWorktree } from './worktree.ts';
import { openRepository } from '../git/open-repository.ts';

const author = { name: 'Agent', email: 'agent@example.test' };
const RUN = 'run_1';

async function makeWorktree(repository: Repository): Promise<string> {
  const request = { repository, taskId: 'tsk_1', branch: 'agent/one', baseBranch: 'main', author, lockReason: 'test' };
  return must(await ensureWorktree(request)).path;
}

/** Two clones of one remote, as two machines have them. */
async function twoMachines(files: Readonly<Record<string, string>>) {
  const folder = makeFolder();
  const remote = join(folder, 'remote.git');
  await git(folder, 'clone', '--quiet', '--bare', '--', await makeRepository(files), remote);
  const open = async (name: string): Promise<Repository> => {
    await git(folder, 'clone', '--quiet', '--', remote, join(folder, name));
    return must(await openRepository(join(folder, name)));
  };
  const [here, there] = [await open('here'), await open('there')];
  return {
    here,
    there,
    remote,
    worktree: await makeWorktree(here),
    statePath: makeFolder(),
    last: {},
  };
}

type Machines = Awaited<ReturnType<typeof twoMachines>>;

async function carry({ here, worktree, statePath, last }: Machines, n = 1): Promise<CarriedWork> {
  const place = { repository: here, runId: RUN, worktree, statePath, author };
  const seen = must(await snapshotWork({ ...place, last }));
  // What is remembered from earlier is what would be made now.
  expect(must(await snapshotWork(place))).toEqual(seen);
  const carried = { n, ...seen };
  must(await keepCarried(here, RUN, carried));
  const remote = { name: 'origin', url: '' };
  must(await pushRefs({ repository: here, remote, talk: {} }, { put: [workRef(RUN, n), stateRef(RUN, n)], drop: [] }));
  return carried;
}

async function takeOver({ there }: Machines): Promise<{ readonly worktree: string; readonly statePath: string }> {
  must(await fetchCarried({ repository: there, runId: RUN, talk: {} }));
  const carried = await newestCarried(there, RUN);
  if (carried === null) throw new Error('nothing was carried');
  const statePath = join(makeFolder(), 'state');
  must(await restoreState(there, { carried, statePath }));
  must(await restoreBranch(there, { branch: 'agent/one', carried, taskId: 'tsk_1' }));
  const worktree = await makeWorktree(there);
  must(await restoreUncommitted(worktree, carried));
  return { worktree, statePath };
}

/** Every file with its bytes, its mode and where a link leads. */
function contentOf(folder: string, ignored: RegExp = /^\.git$/): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path);
    if (entry.isFile() && !ignored.test(name))
      found[name] = `${(statSync(path).mode & 0o111) === 0 ? '' : 'x '}${readFileSync(path).toString('base64')}`;
    if (entry.isSymbolicLink()) found[name] = 'a link';
  }
  return found;
}

const write = (folder: string, name: string, content: string | Buffer): void => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), content);
};

describe('work that is carried', () => {
  it('is whole on the other machine: commits, changes, new files, deletions, modes, links and bytes', async () => {
    const machines = await twoMachines({
      'a.txt': 'a\n',
      'gone.txt': 'x\n',
      'run.sh': 'true\n',
      '.gitignore': 'build/\n',
    });
    const { worktree, statePath } = machines;
    write(worktree, 'committed.txt', 'c\n');
    await git(worktree, 'add', '--all');
    await git(worktree, 'commit', '--quiet', '-m', 'one');
    write(worktree, 'a.txt', 'changed\n');
    write(worktree, 'staged.txt', 'staged\n');
    await git(worktree, 'add', 'staged.txt');
    write(worktree, "deep/ö new 'file'.bin", Buffer.from([0, 1, 255, 13, 10]));
    rmSync(join(worktree, 'gone.txt'));
    chmodSync(join(worktree, 'run.sh'), 0o755);
    symlinkSync('a.txt', join(worktree, 'link'));
    write(worktree, 'build/out.o', 'not ours to carry');
    write(statePath, 'session.jsonl', '{"a":1}\r\n');
    write(statePath, 'outputs/1.bin', Buffer.from([255, 0, 10, 13]));
    write(statePath, 'session.jsonl.lock', 'a process of this machine');
    const before = {
      status: await git(worktree, 'status', '--porcelain'),
      head: await git(worktree, 'rev-parse', 'HEAD'),
    };
    await carry(machines);
    expect({
      status: await git(worktree, 'status', '--porcelain'),
      head: await git(worktree, 'rev-parse', 'HEAD'),
    }).toEqual(before);
    const there = await takeOver(machines);
    expect(contentOf(there.worktree)).toEqual(contentOf(worktree, /^\.git$|^build/));
    expect(await git(there.worktree, 'rev-parse', 'HEAD')).toBe(before.head);
    expect(await git(there.worktree, 'symbolic-ref', 'HEAD')).toBe('refs/heads/agent/one');
    expect(contentOf(there.statePath)).toEqual(contentOf(statePath, /\.lock$/));
  });

  it('is the same commit while nothing changes, and another after any change', async () => {
    const machines = await twoMachines({ 'a.txt': 'a\n' });
    const first = await carry(machines, 1);
    expect(await carry(machines, 2)).toEqual({ ...first, n: 2 });
    write(machines.statePath, 'x', 'y');
    const third = await carry(machines, 3);
    expect([third.work === first.work, third.state === first.state]).toEqual([true, false]);
    expect((await newestCarried(machines.here, RUN))?.n).toBe(3);
  });

  it('leaves a repository inside alone, and replaces what an earlier stay left, keeping it', async () => {
    const machines = await twoMachines({ 'a.txt': 'a\n' });
    const { worktree, there } = machines;
    cpSync(await makeRepository({ 'inner.txt': 'i\n' }), join(worktree, 'inner'), { recursive: true });
    write(worktree, 'b.txt', 'b\n');
    await git(there.root, 'branch', 'agent/one', 'main');
    const other = await makeWorktree(there);
    write(other, 'stale.txt', 'of an earlier stay\n');
    await git(other, 'add', '--all');
    await git(other, 'commit', '--quiet', '-m', 'went another way');
    write(other, 'loose.txt', 'not committed\n');
    await carry(machines);
    const taken = await takeOver(machines);
    expect(Object.keys(contentOf(taken.worktree)).toSorted()).toEqual(['a.txt', 'b.txt']);
    expect(await git(there.root, 'show', 'refs/attractor/rescue/tsk_1/1:stale.txt')).toBe('of an earlier stay');
    expect(await git(there.root, 'show', 'refs/attractor/rescue/tsk_1/2:loose.txt')).toBe('not committed');
  });

  it('is restored beside its own folder, over what a kill left there, and not among temporary files', async () => {
    const machines = await twoMachines({ 'a.txt': 'a\n' });
    writeFileSync(join(machines.statePath, 'session.jsonl'), '{}\n');
    const carried = await carry(machines);
    must(await fetchCarried({ repository: machines.there, runId: RUN, talk: {} }));
    const folder = makeFolder();
    for (const left of ['state.restoring.lock', 'state.restoring.lock.lock']) writeFileSync(join(folder, left), 'left');
    vi.stubEnv('TMPDIR', join(folder, 'nowhere'));
    onTestFinished(() => void vi.unstubAllEnvs());
    must(await restoreState(machines.there, { carried, statePath: join(folder, 'state') }));
    expect(readdirSync(folder, { recursive: true })).toEqual(['state', 'state/session.jsonl']);
  });

  it('is dropped at both ends when the run is over', async () => {
    const machines = await twoMachines({ 'a.txt': 'a\n' });
    await carry(machines, 1);
    const second = await carry(machines, 2);
    // One that never arrived there, and one that this machine no longer has.
    must(await keepCarried(machines.here, RUN, { ...second, n: 3 }));
    must(await forgetRefs(machines.here, [workRef(RUN, 1)]));
    expect(await dropCarried({ repository: machines.here, runId: RUN, talk: {} })).toBe(true);
    expect(await listCarriedRefs(machines.here, RUN)).toEqual([]);
    expect(await git(machines.here.root, 'ls-remote', 'origin', 'refs/attractor/*')).toBe('');
    expect(await fetchCarried({ repository: machines.there, runId: RUN, talk: {} })).toMatchObject({ ok: true });
    expect(await newestCarried(machines.there, RUN)).toBeNull();
  });

  it('arrives whatever was done to the files', async () => {
    const name = fc.constantFrom('a', 'b', 'dir/a', 'dir/b', 'ä ö', '-x', ':y', '*.z', 'dir');
    const change = fc.oneof(
      fc.record({ do: fc.constant('write' as const), name, bytes: fc.uint8Array({ maxLength: 20 }) }),
      fc.record({ do: fc.constant('delete' as const), name }),
      fc.record({ do: fc.constant('commit' as const) }),
      fc.record({ do: fc.constant('stage' as const) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
        const machines = await twoMachines({ a: 'a\n', 'dir/a': 'b\n', keep: 'k\n' });
        const { worktree } = machines;
        for (const step of changes) {
          if (step.do === 'write') {
            rmSync(join(worktree, step.name), { recursive: true, force: true });
            if (
              step.name.startsWith('dir/') &&
              existsSync(join(worktree, 'dir')) &&
              statSync(join(worktree, 'dir')).isFile()
            )
              rmSync(join(worktree, 'dir'));
            write(worktree, step.name, Buffer.from(step.bytes));
          }
          if (step.do === 'delete') rmSync(join(worktree, step.name), { recursive: true, force: true });
          if (step.do === 'stage' || step.do === 'commit') await git(worktree, 'add', '--all');
          if (step.do === 'commit') await git(worktree, 'commit', '--quiet', '--allow-empty', '-m', 'x');
        }
        await carry(machines);
        const taken = await takeOver(machines);
        expect(contentOf(taken.worktree)).toEqual(contentOf(worktree));
      }),
      { numRuns: runs(4) },
    );
  });
});

it('what is remembered of one repository is written anew into another, as after a move to another home', async () => {
  const { here, there, worktree, statePath, last } = await twoMachines({ 'a.txt': 'a\n' });
  writeFileSync(join(statePath, 'memory'), 'of the agent');
  const place = { runId: RUN, statePath, author, last };
  must(await snapshotWork({ ...place, repository: here, worktree }));
  const moved = must(await snapshotWork({ ...place, repository: there, worktree: await makeWorktree(there) }));
  expect((await keepCarried(there, RUN, { n: 2, ...moved })).ok).toBe(true);
});

it('what Git LFS keeps of it comes along, and is pushed from there as well', async () => {
  const { folder, remote } = await makeLargeFilesWorld({ 'one.bin': 'one\n' });
  const open = async (name: string): Promise<Repository> => {
    await git(folder, 'clone', '--quiet', '--', remote, join(folder, name));
    return must(await openRepository(join(folder, name)));
  };
  const [here, there] = [await open('here'), await open('there')];
  const [worktree, statePath, at] = [await makeWorktree(here), makeFolder(), { name: 'origin', url: remote }];
  const talk = async () => ({});
  expect(must(await completeLargeFiles({ repository: here, worktree, talk }))).toEqual([]);
  writeFileSync(join(worktree, 'one.bin'), 'committed\n');
  const leaving = { message: 'half', runId: RUN, author, isWanted: true };
  const head = must(await commitAll(worktree, leaving));
  for (const name of ['one.bin', 'two.bin']) writeFileSync(join(worktree, name), `${name}, left\n`);
  const carried = { n: 1, ...must(await snapshotWork({ repository: here, runId: RUN, worktree, statePath, author })) };
  must(await keepCarried(here, RUN, carried));
  const put = [workRef(RUN, 1), stateRef(RUN, 1)];
  must(await pushRefs({ repository: here, remote: at, talk: {} }, { put, drop: [] }));
  rmSync(here.root, { recursive: true });

  must(await fetchCarried({ repository: there, runId: RUN, talk: {} }));
  must(await restoreBranch(there, { branch: 'agent/one', carried, taskId: 'tsk_1' }));
  const second = await makeWorktree(there);
  must(await restoreUncommitted(second, carried));
  expect(must(await completeLargeFiles({ repository: there, worktree: second, talk, of: carried.work }))).toEqual([]);
  expect(readFileSync(join(second, 'one.bin'), 'utf8')).toBe('one.bin, left\n');
  expect(readFileSync(join(second, 'two.bin'), 'utf8')).toBe('two.bin, left\n');
  expect((await gitWithLfs(second, 'status', '--porcelain')).trim()).toBe('M one.bin\n?? two.bin');
  const pushed = await pushCommit({ repository: there, remote: at, branch: 'agent/one', talk: {} }, head);
  expect(pushed.ok ? null : pushed.error.message).toBe(null);
  await gitWithLfs(folder, 'clone', '--quiet', '--branch', 'agent/one', '--', remote, join(folder, 'theirs'));
  expect(readFileSync(join(folder, 'theirs', 'one.bin'), 'utf8')).toBe('committed\n');
});
