import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Script } from '@attractor/adapters';
import { makeRepository } from '@attractor/repository/testing';
import { must, PERSON } from '@attractor/store/testing';
import { describe, expect, it } from 'vitest';
import { IMPLEMENT, PLAN } from '../../test-support/scripts.ts';
import { addTask, openTestPlatform, until } from '../../test-support/world.ts';

const FAILS: Script = { steps: [{ do: 'error', message: 'It broke.' }] };

describe('what people are shown of a task', () => {
  it('follows it from its first run to its end and back, and each step leads on', async () => {
    const platform = await openTestPlatform({ scripts: [PLAN, IMPLEMENT] });
    const { workflow, worker } = platform;
    const { task } = await addTask(platform, { path: await makeRepository() });
    const state = async () => (await workflow.taskStates([task.id]))[0]?.state;
    const waiting = async () => (await workflow.inbox()).items.map((item) => [item.state.label, item.prompt?.type]);
    expect(await state()).toMatchObject({ kind: 'open', needsPerson: false });
    expect(await waiting()).toEqual([]);

    must(await workflow.transition({ taskId: task.id, to: 'planning' }, PERSON));
    await worker.idle();
    const { items } = await workflow.inbox();
    expect(items).toMatchObject([
      { state: { label: 'Waiting for you: approve the plan' }, text: expect.stringContaining('plus') },
    ]);
    const [asked] = items;
    const answer = (decision: 'approve' | 'reject', promptId = asked?.prompt?.id ?? '') =>
      workflow.answerPrompt({ promptId, contentHash: asked?.prompt?.contentHash ?? '', answer: { decision } }, PERSON);

    must(await answer('reject'));
    expect(await state()).toMatchObject({ label: 'Closed: Cancelled', needsPerson: false, steps: [{ id: 'reopen' }] });
    expect(await waiting()).toEqual([]);
    must(await workflow.reopenTask({ taskId: task.id }, PERSON));
    expect(await waiting()).toEqual([['Waiting for you: approve the plan', 'plan_approval']]);
    const again = (await workflow.listPrompts({ status: 'pending' }))[0]?.id ?? '';
    expect(await answer('approve')).toMatchObject({ ok: false, error: { code: 'conflict' } });
    must(await answer('approve', again));
    await worker.idle();

    const [review] = (await workflow.inbox()).items;
    expect(review).toMatchObject({
      state: { label: 'Waiting for you: review the change' },
      prompt: { type: 'review' },
    });
    expect(review?.text).toContain(`attractor tasks diff ${task.key}`);
    must(await workflow.answerPrompt({ promptId: review?.prompt?.id ?? '', answer: { decision: 'approve' } }, PERSON));
    expect(await state()).toMatchObject({ label: 'Accepted, not merged', needsPerson: true });
    expect(await waiting()).toEqual([['Accepted, not merged', undefined]]);
    must(await workflow.closeTask({ taskId: task.id, reason: 'not wanted' }, PERSON));
    expect(await state()).toMatchObject({ label: 'Closed: Cancelled', needsPerson: false });
    expect(await waiting()).toEqual([]);
    must(await workflow.reopenTask({ taskId: task.id }, PERSON));
    expect(await state()).toMatchObject({ label: 'Waiting for you: review the change' });
  });

  it('of a run that nobody works on is queued; stopped it can go on, start over or be closed', async () => {
    const platform = await openTestPlatform({ concurrency: 0 });
    const { workflow } = platform;
    const { task, project } = await addTask(platform, { path: await makeRepository() });
    const state = async () => (await workflow.taskStates([task.id]))[0]?.state;
    must(await workflow.transition({ taskId: task.id, to: 'implementing' }, PERSON));
    expect(await state()).toMatchObject({ label: 'Queued: no worker is running', needsPerson: true });
    must(await workflow.pauseQueue({ projectId: project.id }, PERSON));
    expect(await state()).toMatchObject({ label: "Paused: the project's queue is paused", needsPerson: true });

    const [run] = await workflow.listRuns({ taskId: task.id });
    must(await workflow.stopAgent(run?.id ?? '', PERSON));
    expect((await state())?.label).toBe('Stopped');
    expect((await workflow.inbox()).items.map((item) => item.state.steps.map(({ id }) => id))).toEqual([
      ['start:implement', 'start_over', 'close'],
    ]);
    must(await workflow.reopenTask({ taskId: task.id, to: 'open' }, PERSON));
    expect(await state()).toMatchObject({ kind: 'open' });
    expect(await workflow.reopenTask({ taskId: task.id, to: 'done' }, PERSON)).toMatchObject({ ok: false });
  });

  it('that was stopped or failed says where its work is, and done by hand it is accepted, not merged', async () => {
    const half: Script['steps'] = [
      { do: 'createFile', path: 'half.txt', content: 'half\n' },
      { do: 'output', text: 'half of it' },
    ];
    const platform = await openTestPlatform({
      scripts: [
        { when: { promptIncludes: 'Title: Stopped' }, steps: [...half, { do: 'hang' }] },
        {
          when: { promptIncludes: 'Title: Failed' },
          steps: [...half, { do: 'error', message: 'It broke.' }],
        },
        { when: { promptIncludes: 'Title: Idle' }, steps: [{ do: 'output', text: 'half of it' }, { do: 'hang' }] },
      ],
    });
    const { workflow, worker } = platform;
    // Its check fails, with the work and without it.
    const checks = JSON.stringify({ checks: { test: { command: 'false' } } });
    const path = await makeRepository({ '.attractor/config.json': checks });
    const { project } = await addTask(platform, { path });
    const ended = async (title: string) => {
      const { id } = must(await workflow.createTask({ projectId: project.id, title, pipelineId: 'simple' }, PERSON));
      const run = must(await workflow.startAgent({ taskId: id, mode: 'implement' }, PERSON));
      await until(platform, { taskId: id }, (events) => events.some(({ type }) => type === 'agent.message'));
      if (title !== 'Failed') must(await workflow.stopAgent(run.id, PERSON));
      await worker.idle();
      const before = (await workflow.taskStates([id]))[0]?.state;
      const told = (await workflow.inbox()).items.find((item) => item.task.id === id)?.text;
      for (const to of ['in_progress', 'done']) must(await workflow.transition({ taskId: id, to }, PERSON));
      return { id, before, told, after: (await workflow.taskStates([id]))[0]?.state };
    };

    const stopped = await ended('Stopped');
    const failed = await ended('Failed');
    for (const [{ id, told }, name] of [[stopped, 'stopped'] as const, [failed, 'failed'] as const]) {
      expect(told).toContain(`The work so far is kept on agent/${name}-`);
      expect(must(await workflow.diff({ taskId: id })).files).toMatchObject([{ path: 'half.txt' }]);
    }
    for (const { after } of [stopped, failed])
      expect(after).toMatchObject({
        label: 'Accepted, not merged',
        detail: expect.stringContaining('No agent finished it.'),
        needsPerson: true,
      });
    const idle = await ended('Idle');
    expect([idle.before?.detail, idle.after?.label]).toEqual(['A person stopped the agent.', 'Closed: Done']);

    expect((await workflow.inbox()).items.map((item) => item.task.title)).toEqual(['Stopped', 'Failed']);
    must(await workflow.mergePullRequest({ taskId: stopped.id }, PERSON));
    expect((await workflow.taskStates([stopped.id]))[0]?.state.label).toBe('Merged');
    expect(existsSync(join(path, 'half.txt'))).toBe(true);
    must(await workflow.closeTask({ taskId: failed.id }, PERSON));
    expect((await workflow.taskStates([failed.id]))[0]).toMatchObject({
      cameFrom: 'done',
      state: {
        label: 'Closed: Cancelled',
        detail: expect.stringMatching(/^Nothing was merged\. Its branch stays as it is: agent\/failed-/),
      },
    });
  });

  it('that failed names the cause, also where its pipeline put it back to the beginning', async () => {
    const platform = await openTestPlatform({ scripts: [FAILS, FAILS] });
    const { workflow, worker } = platform;
    const { task, project } = await addTask(platform, { path: await makeRepository(), pipelineId: 'chore' });
    const other = must(
      await workflow.createTask({ projectId: project.id, title: 'Fix it', pipelineId: 'bug' }, PERSON),
    );
    must(await workflow.transition({ taskId: task.id, to: 'in_progress' }, PERSON));
    must(await workflow.transition({ taskId: other.id, to: 'fix_in_progress' }, PERSON));
    await worker.idle();
    const { items, left } = await workflow.inbox({ limit: 1 });
    expect([items.length, left]).toEqual([1, 1]);
    for (const { state } of (await workflow.inbox()).items) {
      expect(state).toMatchObject({ kind: 'failed', needsPerson: true });
      expect(state.detail).toContain('It broke.');
      expect(state.steps.length).toBeGreaterThan(1);
    }
  });
});
