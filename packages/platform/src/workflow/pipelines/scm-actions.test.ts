import type { Script } from '@attractor/adapters';
import { describe, expect, it } from 'vitest';
import type { Platform } from '../../platform.ts';
import { insertPhase, openStore, type Task } from '@attractor/store';
import { commitOnBranch, git, makeRemoteWorld } from '@attractor/repository/testing';
import { IMPLEMENT } from '../../test-support/scripts.ts';
import { addTask, openTestPlatform } from '../../test-support/world.ts';
import { makeFolder, must, PERSON } from '@attractor/store/testing';

const MANUAL = { type: 'manual' } as const;
const move = (from: string, to: string, more: object) => ({
  id: `${from}_${to}`,
  from,
  to,
  label: to,
  trigger: MANUAL,
  ...more,
});
const named = (...types: ReadonlyArray<string>) => types.map((type) => ({ type }));

/** A task in phases: each phase has a branch and a pull request of its own into the task's branch; the whole goes to main at the end. */
const PHASED = {
  id: 'phased',
  version: 1,
  name: 'Phased',
  isDefault: false,
  initialStatus: 'open',
  terminalStatuses: ['done'],
  statuses: [
    { id: 'open', label: 'Open', color: 'gray', category: 'backlog', position: 0 },
    { id: 'work', label: 'Work', color: 'blue', category: 'active', position: 1 },
    { id: 'review', label: 'Review', color: 'purple', category: 'review', position: 2 },
    { id: 'merged', label: 'Merged', color: 'purple', category: 'review', position: 3 },
    { id: 'final', label: 'Final', color: 'purple', category: 'review', position: 4 },
    { id: 'done', label: 'Done', color: 'green', category: 'done', position: 5 },
  ],
  transitions: [
    move('open', 'work', { hooks: named('create_task_branch', 'create_worktree', 'start_phase_agent') }),
    {
      id: 'ready',
      from: 'work',
      to: 'review',
      label: 'Ready',
      trigger: { type: 'agent_outcome', outcome: 'pr_ready' },
    },
    move('review', 'merged', { guards: named('current_phase_has_pr'), hooks: named('merge_phase_pr') }),
    move('merged', 'work', {
      guards: named('current_phase_pr_merged'),
      hooks: named('advance_phase', 'start_phase_agent'),
    }),
    move('merged', 'final', {
      guards: named('current_phase_pr_merged'),
      hooks: named('advance_phase', 'create_final_pr'),
    }),
    move('final', 'done', { guards: named('all_phases_completed', 'has_final_pr'), hooks: named('merge_final_pr') }),
  ],
};

const SECOND: Script = {
  when: { promptIncludes: '#1 Make sum add' },
  steps: [
    { do: 'createFile', path: 'second.md', content: 'second\n' },
    { do: 'outcome', outcome: 'pr_ready' },
  ],
};

async function begin(): Promise<{
  readonly platform: Platform;
  readonly task: Task;
  readonly path: string;
  readonly bare: string;
}> {
  const world = await makeRemoteWorld();
  const home = makeFolder();
  const platform = await openTestPlatform({ home, scripts: [SECOND, IMPLEMENT] });
  must(await platform.workflow.savePipeline(PHASED, PERSON));
  const { task } = await addTask(platform, { path: world.path, pipelineId: 'phased' });
  const store = must(await openStore({ home }));
  await store.transact(async (tx) => {
    await insertPhase(tx, {
      taskId: task.id,
      name: 'First: the sum!',
      description: '',
      status: 'in_progress',
      position: 0,
    });
    await insertPhase(tx, { taskId: task.id, name: 'Second', description: '', status: 'pending', position: 1 });
  });
  await store.close();
  return { ...world, platform, task };
}

describe('a task in phases', () => {
  it('has a branch and a pull request for each phase, and one for the whole', async () => {
    const { platform, task, path, bare } = await begin();
    const go = async (to: string): Promise<void> => {
      must(await platform.workflow.transition({ taskId: task.id, to }, PERSON));
      await platform.worker.idle();
    };
    await go('work');
    const artifacts = await platform.workflow.listArtifacts(task.id);
    const own = String(artifacts.find(({ type, phaseId }) => type === 'branch' && phaseId === null)?.label);
    await go('merged');
    await go('work');
    await go('merged');
    await go('final');
    expect(await git(path, 'log', '--format=%s', own)).toBe('Make sum add (#2)\nMake sum add (#1)\nfirst');
    await go('done');
    const requests = (await platform.workflow.listArtifacts(task.id)).filter(({ type }) => type === 'pull_request');
    expect(requests.map(({ metadata }) => [metadata['headBranch'], metadata['baseBranch'], metadata['state']])).toEqual(
      [
        [`${own}--1-first-the-sum`, own, 'merged'],
        [`${own}--2-second`, own, 'merged'],
        [own, 'main', 'merged'],
      ],
    );
    expect(await git(path, '--git-dir', bare, 'log', '--format=%s', 'main')).toBe('Make sum add (#3)\nfirst');
    expect(await git(path, '--git-dir', bare, 'ls-tree', '--name-only', 'main')).toContain('second.md');
    expect(await git(path, 'status', '--porcelain')).toBe('');
  });
});

describe('the hook that merges', () => {
  it('merges what was looked at, and nothing that came since', async () => {
    const { path, bare } = await makeRemoteWorld();
    const platform = await openTestPlatform({ scripts: [IMPLEMENT] });
    const pipeline = {
      ...PHASED,
      id: 'short',
      transitions: [
        move('open', 'work', { hooks: [{ type: 'start_agent', params: { mode: 'implement' } }] }),
        PHASED.transitions[1],
        move('review', 'merged', { guards: named('has_pr'), hooks: named('merge_pr') }),
        move('merged', 'done', {}),
      ],
    };
    must(
      await platform.workflow.savePipeline(
        { ...pipeline, statuses: PHASED.statuses.filter(({ id }) => id !== 'final') },
        PERSON,
      ),
    );
    const { task } = await addTask(platform, { path, pipelineId: 'short' });
    must(await platform.workflow.transition({ taskId: task.id, to: 'work' }, PERSON));
    await platform.worker.idle();
    const branch = must(await platform.workflow.branchState({ taskId: task.id }));
    await git(path, 'worktree', 'remove', '--force', '--force', `${path}/.agent-worktrees/${task.id}`);
    await commitOnBranch(path, { branch: branch.branch, file: 'unseen.txt', content: 'unseen\n' });
    must(await platform.workflow.transition({ taskId: task.id, to: 'merged' }, PERSON));
    await platform.worker.idle();
    const events = await platform.workflow.events({ taskId: task.id, limit: 10_000 });
    expect(events.find(({ type }) => type === 'pr.merge_failed')?.summary).toContain('look at what came');
    expect(await git(path, '--git-dir', bare, 'rev-list', '--count', 'main')).toBe('1');
    expect(await platform.workflow.mergePullRequest({ taskId: task.id }, PERSON)).toMatchObject({
      ok: false,
      error: { code: 'blocked', message: expect.stringContaining('not approved yet') },
    });
    must(await platform.workflow.approve({ taskId: task.id, merge: true }, PERSON));
    expect(await git(path, '--git-dir', bare, 'ls-tree', '--name-only', 'main')).toContain('unseen.txt');
  });
});
