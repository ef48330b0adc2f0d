import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { git, makeRemoteWorld, makeRepository } from '@attractor/repository/testing';
import { must, PERSON } from '@attractor/store/testing';
import { describe, expect, it } from 'vitest';
import { IMPLEMENT } from '../../test-support/scripts.ts';
import { addTask, openTestPlatform } from '../../test-support/world.ts';

/** Work in two commits, `sum.sh` and `notes.md`, that waits for a review. */
async function begin(path: string) {
  const platform = await openTestPlatform({ scripts: [IMPLEMENT] });
  const { workflow, worker } = platform;
  const { task } = await addTask(platform, { path });
  must(await workflow.transition({ taskId: task.id, to: 'implementing' }, PERSON));
  await worker.idle();
  const worktree = join(path, '.agent-worktrees', task.id);
  const shown = async () => must(await workflow.diff({ taskId: task.id })).files.map((file) => file.path);
  const land = () => workflow.approve({ taskId: task.id, merge: true }, PERSON);
  return { path, worktree, shown, land };
}

const WORK = ['notes.md', 'sum.sh'];

describe('a ref that calls a part of the work the base', () => {
  it('leaves nothing out of the change that people see, with a remote and without one', async () => {
    const apart = await begin((await makeRemoteWorld()).path);
    expect(await apart.shown()).toEqual(WORK);
    await git(apart.worktree, 'update-ref', 'refs/remotes/origin/main', 'HEAD~1');
    expect(await apart.shown()).toEqual(WORK);
    expect(await git(apart.path, 'rev-parse', 'origin/main')).toBe(await git(apart.path, 'rev-parse', 'main'));

    const alone = await begin(await makeRepository());
    await git(alone.worktree, 'update-ref', 'refs/heads/main', 'HEAD~1');
    expect(await alone.shown()).toEqual(WORK);
  });

  it('does not make an approval count for more than was shown', async () => {
    const { path, worktree, shown, land } = await begin((await makeRemoteWorld()).path);
    const work = await git(worktree, 'rev-parse', 'HEAD');
    await git(worktree, 'reset', '--quiet', '--hard', 'main');
    writeFileSync(join(worktree, 'more.txt'), 'more\n');
    await git(worktree, 'add', '--all');
    await git(worktree, 'commit', '--quiet', '-m', 'Slipped in below');
    await git(worktree, 'update-ref', 'refs/remotes/origin/main', 'HEAD');
    await git(worktree, 'cherry-pick', `main..${work}`);
    expect(await land()).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(await shown()).toEqual(['more.txt', ...WORK]);
    expect(await git(path, 'ls-tree', '--name-only', 'main', 'more.txt')).toBe('');
  });

  it('is no such ref where somebody brought the branch onto a newer base', async () => {
    const { path, worktree, shown, land } = await begin(await makeRepository());
    writeFileSync(join(path, 'other.txt'), 'other\n');
    await git(path, 'add', 'other.txt');
    await git(path, 'commit', '--quiet', '-m', 'The base goes on');
    expect(await shown()).toEqual(WORK);
    await git(worktree, 'rebase', '--quiet', 'main');
    expect(await shown()).toEqual(WORK);
    must(await land());
    expect(await git(path, 'ls-tree', '--name-only', 'main', 'other.txt', ...WORK)).toBe('notes.md\nother.txt\nsum.sh');
  });
});
