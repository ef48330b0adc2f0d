import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScriptedAgent } from '@attractor/adapters';
import { git, makeRepository } from '@attractor/repository/testing';
import { must, PERSON } from '@attractor/store/testing';
import { describe, expect, it } from 'vitest';
import { addTask, openTestPlatform, statusOf } from '../test-support/world.ts';

type Act = (worktree: string) => Promise<unknown>;
type Files = Readonly<Record<string, string>>;

/** One run of an agent that does anything in its worktree, and something else once it is told what is wrong. */
async function runOf(act: Act, told: Act = async () => undefined, files: Files = { 'a.txt': 'a\n' }) {
  const path = await makeRepository(files);
  const prompts: string[] = [];
  const replies = { 'repair:commit': [{ do: 'outcome', outcome: 'pr_ready' }] as const };
  const scripted = createScriptedAgent([{ when: {}, steps: [{ do: 'outcome', outcome: 'pr_ready' }], replies }]);
  const agent: typeof scripted = {
    ...scripted,
    run: async (options) => {
      await act(options.projectPath);
      return scripted.run(options);
    },
    say: async (options) => {
      prompts.push(options.prompt);
      await told(options.projectPath);
      return (await scripted.say?.(options)) ?? scripted.run(options);
    },
  };
  const platform = await openTestPlatform({ agents: [agent] });
  const { task } = await addTask(platform, { path });
  must(await platform.workflow.transition({ taskId: task.id, to: 'implementing' }, PERSON));
  await platform.worker.idle();
  const [run] = await platform.workflow.listRuns({ taskId: task.id });
  const merge = () => platform.workflow.approve({ taskId: task.id, merge: true }, PERSON);
  return { path, prompts, run, branch: run?.branch ?? '', merge, status: await statusOf(platform, task.id) };
}

async function commit(folder: string, name: string, text: string): Promise<string> {
  writeFileSync(join(folder, name), text);
  await git(folder, 'add', '--all');
  await git(folder, 'commit', '--quiet', '-m', name);
  return git(folder, 'rev-parse', 'HEAD');
}

const ELSEWHERE: Readonly<Record<string, ReadonlyArray<string>>> = {
  'on no branch': ['checkout', '--detach'],
  'on a branch of its own': ['checkout', '-b', 'mine'],
  'on the branch under another name': ['branch', '-m', 'mine'],
};

describe('work that an agent left', () => {
  it.each(Object.entries(ELSEWHERE))('%s is seen, checked and merged as the work of its task', async (_where, args) => {
    const { path, branch, prompts, merge } = await runOf(async (worktree) => {
      await git(worktree, ...args);
      await commit(worktree, 'b.txt', 'b\n');
      writeFileSync(join(worktree, 'c.txt'), 'c\n');
    });
    expect(prompts).toEqual([]);
    expect(await git(path, 'ls-tree', '--name-only', branch)).toBe('a.txt\nb.txt\nc.txt');
    must(await merge());
    expect(await git(path, 'ls-tree', '--name-only', 'main')).toBe('a.txt\nb.txt\nc.txt');
  });

  /** Stops at a conflict, with the first commit of two still to come. */
  const rebase: Act = async (worktree) => {
    const base = await git(worktree, 'rev-parse', 'HEAD');
    await commit(worktree, 'a.txt', 'mine\n');
    await commit(worktree, 'b.txt', 'b\n');
    const branch = await git(worktree, 'symbolic-ref', '--short', 'HEAD');
    await git(worktree, 'checkout', '--quiet', '--detach', base);
    const onto = await commit(worktree, 'a.txt', 'other\n');
    await git(worktree, 'checkout', '--quiet', branch);
    await expect(git(worktree, 'rebase', onto)).rejects.toThrow('rebase');
  };

  it('in the middle of a rebase is finished by the agent once it is told', async () => {
    const { path, branch, prompts, status } = await runOf(rebase, async (worktree) => {
      writeFileSync(join(worktree, 'a.txt'), 'both\n');
      await git(worktree, 'add', '--all');
      await git(worktree, 'rebase', '--continue');
    });
    expect(prompts).toEqual([expect.stringContaining('is not finished')]);
    expect(status).toBe('pr_review');
    expect(await git(path, 'show', `${branch}:a.txt`, `${branch}:b.txt`)).toBe('both\nb');
  });

  it('in the middle of a rebase is not offered as ready, and none of its commits is lost', async () => {
    const { path, branch, prompts, run } = await runOf(rebase);
    expect(prompts).toHaveLength(1);
    expect(run).toMatchObject({ status: 'failed', error: expect.stringContaining('is not finished') });
    expect(await git(path, 'show', `${branch}:a.txt`, `${branch}:b.txt`)).toBe('mine\nb');
  });

  const made = async (worktree: string, isCommitted: boolean) => {
    const inner = join(worktree, 'app', 'inner');
    mkdirSync(inner, { recursive: true });
    await git(inner, 'init', '--quiet');
    writeFileSync(join(inner, 'deep.txt'), 'deep\n');
    writeFileSync(join(worktree, 'b.txt'), 'b\n');
    if (isCommitted) await commit(inner, 'more.txt', 'more\n');
    return inner;
  };
  const FILES = 'a.txt\napp/inner/deep.txt\nb.txt';
  const filesOf = (path: string, commit: string) => git(path, 'ls-tree', '-r', '--name-only', commit);

  it.each([
    ['without a commit', false, false],
    ['with commits', true, false],
    ['that it committed as a pointer', true, true],
  ])('in a repository of its own, %s, is made a part of it once the agent is told', async (_how, isBorn, isPointer) => {
    const { path, branch, prompts, merge } = await runOf(
      async (worktree) => {
        await made(worktree, isBorn);
        if (isPointer) await commit(worktree, 'b.txt', 'b\n');
      },
      async (worktree) => rmSync(join(worktree, 'app/inner/.git'), { recursive: true }),
    );
    expect(prompts).toEqual([expect.stringContaining('remove app/inner/.git')]);
    const files = isBorn ? FILES.replace('\nb.txt', '\napp/inner/more.txt\nb.txt') : FILES;
    expect(await filesOf(path, branch)).toBe(files);
    must(await merge());
    expect(await filesOf(path, 'main')).toBe(files);
  });

  it('in a repository of its own is not offered as ready without its files', async () => {
    const { path, branch, run } = await runOf((worktree) => made(worktree, true));
    expect(run).toMatchObject({ status: 'failed', error: expect.stringContaining('repository of its own') });
    expect(await filesOf(path, branch)).toBe('a.txt\nb.txt');
  });

  it('in a file that it told git to overlook is a part of it, and what was overlooked before is not', async () => {
    const setup = 'git update-index --assume-unchanged a.txt && echo mine > a.txt';
    const files = {
      'a.txt': 'a\n',
      'b.txt': 'b\n',
      'c.txt': 'c\n',
      '.attractor/config.json': JSON.stringify({ setup: [setup], checks: { c: { command: 'grep new c.txt' } } }),
    };
    const overlook: Act = async (worktree) => {
      await git(worktree, 'update-index', '--assume-unchanged', 'b.txt');
      await git(worktree, 'update-index', '--skip-worktree', 'c.txt');
      for (const name of ['b.txt', 'c.txt']) writeFileSync(join(worktree, name), 'new\n');
      await commit(worktree, 'd.txt', 'd\n');
    };
    const { path, branch, status } = await runOf(overlook, undefined, files);
    expect(status).toBe('pr_review');
    expect(await git(path, 'diff', '--name-only', 'main', branch)).toBe('b.txt\nc.txt\nd.txt');
  });

  it('in another worktree that it made is no part of this one', async () => {
    const { path, branch, prompts } = await runOf(async (worktree) => {
      await git(worktree, 'worktree', 'add', '--quiet', '-b', 'beside', 'beside');
      writeFileSync(join(worktree, 'b.txt'), 'b\n');
    });
    expect(prompts).toEqual([]);
    expect(await filesOf(path, branch)).toBe('a.txt\nb.txt');
  });

  it('on a branch that was deleted is committed anew', async () => {
    const { path, branch, merge } = await runOf(async (worktree) => {
      await commit(worktree, 'b.txt', 'b\n');
      await git(worktree, 'update-ref', '-d', await git(worktree, 'symbolic-ref', 'HEAD'));
    });
    expect(await git(path, 'ls-tree', '--name-only', branch)).toBe('a.txt\nb.txt');
    must(await merge());
  });
});
