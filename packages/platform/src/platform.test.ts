import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RUN_STEPS } from '@attractor/store';
import { IMPLEMENT, PLAN } from './test-support/scripts.ts';
import { addTask, openTestPlatform, statusOf, until } from './test-support/world.ts';
import { git, makeRepository } from '@attractor/repository/testing';
import { must, PERSON } from '@attractor/store/testing';

describe('a coding task', () => {
  it('travels from open to review: plan, approval, implementation, checks, branch', async () => {
    const path = await makeRepository();
    const platform = await openTestPlatform({ scripts: [PLAN, IMPLEMENT] });
    const { workflow } = platform;
    const { task } = await addTask(platform, { path });

    must(await workflow.transition({ taskId: task.id, to: 'planning' }, PERSON));
    await until(platform, { taskId: task.id }, (events) => events.some((event) => event.type === 'prompt.created'));
    expect(await statusOf(platform, task.id)).toBe('plan_review');
    const [approval] = await workflow.listPrompts({ taskId: task.id, status: 'pending' });
    expect(approval).toMatchObject({ type: 'plan_approval', payload: { plan: expect.stringContaining('plus') } });

    must(
      await workflow.answerPrompt(
        { promptId: approval?.id ?? '', contentHash: approval?.contentHash ?? '', answer: { decision: 'approve' } },
        PERSON,
      ),
    );
    await platform.worker.idle();
    expect(await statusOf(platform, task.id)).toBe('pr_review');

    const [, run] = await workflow.listRuns({ taskId: task.id });
    expect(run).toMatchObject({
      mode: 'implement',
      status: 'completed',
      outcome: 'pr_ready',
      tokenUsage: { inputTokens: 300, outputTokens: 40, totalCost: 0.002 },
      checks: [
        { name: 'test', phase: 'base', passed: false },
        { name: 'test', phase: 'branch', passed: true },
      ],
    });
    expect(run?.branch).toMatch(/^agent\/make-sum-add-[a-z0-9]{8}$/);
    expect(await git(path, 'log', '--format=%an: %s', `main..${run?.branch ?? ''}`)).toBe(
      'Attractor Agent: Make sum add\nAttractor Agent: Make sum add',
    );
    expect(readFileSync(join(path, 'sum.sh'), 'utf8')).toContain('-');
    expect(await git(path, 'status', '--porcelain')).toBe('');
    const artifacts = await workflow.listArtifacts(task.id);
    expect(artifacts.map(({ type }) => type)).toEqual(['branch', 'commit', 'commit', 'diff', 'pull_request']);
    expect(artifacts[0]?.metadata).toEqual({ branchName: run?.branch, baseBranch: 'main' });
    expect(artifacts[3]?.metadata).toMatchObject({ filesChanged: 2, additions: 2, deletions: 1 });
    expect(await workflow.listPrompts({ taskId: task.id, status: 'pending' })).toMatchObject([{ type: 'review' }]);
  });

  it('tells of each step of each run once, in order', async () => {
    const path = await makeRepository();
    const platform = await openTestPlatform({ scripts: [PLAN, IMPLEMENT] });
    const { task } = await addTask(platform, { path });
    must(await platform.workflow.transition({ taskId: task.id, to: 'implementing' }, PERSON));
    await platform.worker.idle();
    const [run] = await platform.workflow.listRuns({ taskId: task.id });
    const events = await platform.workflow.events({ runId: run?.id ?? '' });
    const steps = (type: string) =>
      events.filter((event) => event.type === type).map(({ data }) => 'step' in data && data.step);
    expect(steps('run.step_started')).toEqual(RUN_STEPS);
    expect(steps('run.step_finished')).toEqual(RUN_STEPS);
    expect(events.map((event) => event.seq)).toEqual(events.map((event) => event.seq).toSorted((a, b) => a - b));
    expect(existsSync(run?.worktree ?? '')).toBe(true);
  });
});
