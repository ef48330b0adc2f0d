import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Agent, createScriptedAgent, type Script } from '@attractor/adapters';
import { git, makeRepository } from '@attractor/repository/testing';
import { makeFolder, must, PERSON } from '@attractor/store/testing';
import { describe, expect, it } from 'vitest';
import { addTask, openTestPlatform } from '../test-support/world.ts';

const WORK: Script = {
  when: { outcome: 'pr_ready' },
  steps: [
    { do: 'createFile', path: 'work.txt', content: 'work\n' },
    { do: 'outcome', outcome: 'pr_ready' },
  ],
};

type Meanwhile = (here: {
  readonly path: string;
  readonly commit: (name: string) => Promise<void>;
}) => Promise<unknown>;

/** A run whose base has a commit that a person regrets; what they do comes when its agent has begun. */
async function runWhile(meanwhile: Meanwhile, { hasRemote = false } = {}) {
  const path = await makeRepository({ 'a.txt': 'a\n' });
  const commit = async (name: string): Promise<void> => {
    writeFileSync(join(path, name), `${name}\n`);
    await git(path, 'add', '--all');
    await git(path, 'commit', '--quiet', '-m', name);
  };
  await commit('regretted.txt');
  const remote = join(makeFolder(), 'remote.git');
  if (hasRemote) {
    await git(path, 'clone', '--quiet', '--bare', '--', path, remote);
    await git(path, 'remote', 'add', 'origin', remote);
  }
  const working = createScriptedAgent([WORK]);
  const agent: Agent = {
    ...working,
    run: async (options) => {
      await meanwhile({ path, commit });
      return working.run(options);
    },
  };
  const { workflow, worker, ...platform } = await openTestPlatform({ agents: [agent] });
  const { task } = await addTask({ ...platform, workflow, worker }, { path, title: 'Work' });
  must(await workflow.transition({ taskId: task.id, to: 'implementing' }, PERSON));
  await worker.idle();
  const [run] = await workflow.listRuns({ taskId: task.id });
  expect([run?.status, run?.error]).toEqual(['completed', null]);
  const land = () => workflow.approve({ taskId: task.id, merge: true }, PERSON);
  return { path, remote, land, workflow, task };
}

describe('while a run is under way a person', () => {
  it('deletes its base: the work stays, and is merged when there is a base again', async () => {
    const { path, land } = await runWhile(async (here) => {
      await git(here.path, 'checkout', '--quiet', '-b', 'elsewhere');
      await git(here.path, 'branch', '--quiet', '-D', 'main');
    });
    expect(await land()).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('There is no branch "main" to merge into: create it') },
    });
    await git(path, 'branch', 'main', 'elsewhere');
    must(await land());
    expect(await git(path, 'show', 'main:work.txt')).toBe('work');
    expect(await git(path, 'branch', '--show-current')).toBe('elsewhere');
  });

  it('takes a commit off the base: the merge brings the work, and not what was taken off', async () => {
    const { path, land, workflow, task } = await runWhile(async (here) => {
      await git(here.path, 'reset', '--quiet', '--hard', 'HEAD~1');
      await here.commit('instead.txt');
    });
    const diff = must(await workflow.diff({ taskId: task.id }));
    expect(diff.files.map((file) => file.path)).toEqual(['work.txt']);
    must(await land());
    expect(await git(path, 'ls-tree', '--name-only', 'main')).toBe('a.txt\ninstead.txt\nwork.txt');
    expect(existsSync(join(path, 'regretted.txt'))).toBe(false);
    expect(readFileSync(join(path, 'work.txt'), 'utf8')).toBe('work\n');
  });

  it('takes one off at the remote as well: the branch is brought up to date without it', async () => {
    const push = async (here: Parameters<Meanwhile>[0]) => {
      await git(here.path, 'reset', '--quiet', '--hard', 'HEAD~1');
      await here.commit('instead.txt');
      await git(here.path, 'push', '--quiet', '--force', 'origin', 'main');
    };
    const { remote, land, workflow, task } = await runWhile(push, { hasRemote: true });
    must(await workflow.rebase({ taskId: task.id }, PERSON));
    const diff = must(await workflow.diff({ taskId: task.id }));
    expect(diff.files.map((file) => file.path)).toEqual(['work.txt']);
    expect(await land()).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('since it was shown') },
    });
    must(await land());
    expect(await git(remote, 'ls-tree', '--name-only', 'main')).toBe('a.txt\ninstead.txt\nwork.txt');
  });
});
