import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { IMPLEMENT } from '../test-support/scripts.ts';
import { addTask, openTestPlatform, statusOf } from '../test-support/world.ts';
import { git, makeRepository } from '@attractor/repository/testing';
import { makeFolder, must, PERSON } from '@attractor/store/testing';
import { ensureWorktree, openRepository } from '@attractor/repository';

const author = { name: 'Agent', email: 'agent@example.test' };

async function make(path: string, worktreesPath?: string) {
  const repository = must(await openRepository(path, { worktreesPath }));
  const request = { repository, taskId: 'tsk_1', branch: 'agent/x', baseBranch: 'main', author, lockReason: 'test' };
  return ensureWorktree(request);
}

describe('the folder for worktrees that a person chose', () => {
  it('may be below the repository, which does not see it, or anywhere outside', async () => {
    const inside = await makeRepository({ 'a.txt': 'one\n' });
    expect(must(await make(inside, 'build/trees')).path).toBe(join(inside, 'build/trees/tsk_1'));
    expect(await git(inside, 'status', '--porcelain')).toBe('');
    const [outside, folder] = [await makeRepository({ 'a.txt': 'one\n' }), makeFolder()];
    expect(must(await make(outside, join(folder, 'new'))).path).toBe(join(folder, 'new/tsk_1'));
    expect(existsSync(join(outside, '.agent-worktrees'))).toBe(false);
  });

  it('is not used for a worktree that has its place already', async () => {
    const path = await makeRepository({ 'a.txt': 'one\n' });
    const first = must(await make(path));
    expect(must(await make(path, makeFolder()))).toMatchObject({ path: first.path, created: false });
  });

  it.each([
    ['../beside', 'absolute path'],
    ['.', 'the repository itself'],
    ['.git/trees', "git's own folder"],
    ['trees*', 'means something else to git'],
    ['a\nb', 'control character'],
  ])('is refused where it is %j', async (wanted, why) => {
    const path = await makeRepository({ 'a.txt': 'one\n' });
    expect(await openRepository(path, { worktreesPath: wanted })).toMatchObject({
      ok: false,
      error: { code: 'invalid', message: expect.stringContaining(why) },
    });
  });

  it('is refused where the repository leads it elsewhere by a link', async () => {
    const [path, out] = [await makeRepository({ 'a.txt': 'one\n' }), makeFolder()];
    mkdirSync(join(path, 'build'));
    symlinkSync(out, join(path, 'build/trees'));
    for (const wanted of ['build/trees', join(path, 'build/trees/deep')])
      expect(await make(path, wanted)).toMatchObject({ ok: false, error: { code: 'unavailable' } });
    expect(readdirSync(out)).toEqual([]);
  });

  it('holds the work of a task from its start to its end', async () => {
    const platform = await openTestPlatform({ scripts: [IMPLEMENT], supervise: { keepWorktreesMs: 0 } });
    const [path, folder] = [await makeRepository(), makeFolder()];
    const { project, task } = await addTask(platform, { path });
    const set = (worktreesPath: string) =>
      platform.workflow.updateProject(project.id, { config: { worktreesPath } }, PERSON);
    expect(await set('../beside')).toMatchObject({ ok: false, error: { code: 'invalid' } });
    must(await set(folder));
    must(await platform.workflow.transition({ taskId: task.id, to: 'implementing' }, PERSON));
    await platform.worker.idle();
    expect(await statusOf(platform, task.id)).toBe('pr_review');
    expect((await platform.workflow.listRuns({ taskId: task.id }))[0]?.worktree).toBe(join(folder, task.id));
    must(await platform.workflow.transition({ taskId: task.id, to: 'cancelled' }, PERSON));
    await platform.worker.idle();
    const { findings } = must(await platform.workflow.superviseOnce());
    expect(findings.map(({ check }) => check)).toEqual(['finished-worktrees']);
    expect(readdirSync(folder)).toEqual([]);
  });
});
