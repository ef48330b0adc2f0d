import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createNativeAgent, type Script } from '@attractor/adapters';
import { createClient } from '@attractor/llm';
import { startSimulator } from '@attractor/simulator';
import { git, makeRepository } from '@attractor/repository/testing';
import { openStore } from '@attractor/store';
import { makeFolder, must, PERSON } from '@attractor/store/testing';
import { expect, it, onTestFinished } from 'vitest';
import type { Platform } from '../platform.ts';
import { PLAN } from '../test-support/scripts.ts';
import { addTask, openTestPlatform, until } from '../test-support/world.ts';

const ASKS: Script = {
  when: { outcome: 'pr_ready' },
  steps: [
    { do: 'modifyFile', path: 'sum.sh', find: '-', replace: '+' },
    { do: 'askHuman', toolName: 'shell', input: { command: 'ls' } },
    { do: 'commit', message: 'Make sum add' },
    { do: 'outcome', outcome: 'pr_ready' },
  ],
};

const approvals = async ({ workflow }: Platform, status?: 'pending') =>
  (await workflow.listPrompts(status === undefined ? {} : { status })).filter(({ type }) => type === 'tool_approval');

const answerAll = async (platform: Platform): Promise<void> => {
  const { workflow } = platform;
  for (const { id, contentHash } of await approvals(platform, 'pending'))
    must(await workflow.answerPrompt({ promptId: id, contentHash, answer: { decision: 'approve' } }, PERSON));
};

it('runs that wait for a person take no slot and no worker: others work, each answer continues its run once, a stop ends it', async () => {
  const platform = await openTestPlatform({ scripts: [PLAN, ASKS], concurrency: 1, leaveAfterMs: 20 });
  const { workflow, worker } = platform;
  const { task, project } = await addTask(platform, { path: await makeRepository(), pipelineId: 'simple' });
  must(await workflow.updateProject(project.id, { config: { maxConcurrentRuns: 1 } }, PERSON));
  const tasks = [task];
  for (const title of ['second', 'third'])
    tasks.push(must(await workflow.createTask({ title, projectId: project.id, pipelineId: 'simple' }, PERSON)));
  for (const { id } of tasks) must(await workflow.startAgent({ taskId: id, mode: 'implement' }, PERSON));
  const other = must(await workflow.createTask({ title: 'plan', projectId: project.id, pipelineId: 'simple' }, PERSON));
  must(await workflow.startAgent({ taskId: other.id, mode: 'plan' }, PERSON));
  await worker.idle();

  expect((await workflow.listRuns({ taskId: other.id })).map(({ status }) => status)).toEqual(['completed']);
  const asking = await workflow.queueState();
  expect(asking).toMatchObject({ running: 0, queued: 0, waiting: 3, lanes: [{ waiting: 3 }] });
  for (const job of asking.jobs)
    expect(job).toMatchObject({ state: 'waiting', owner: null, attempts: 0, blocked: { code: 'person' } });

  const [stopped] = await workflow.listRuns({ taskId: tasks[2]?.id ?? '' });
  expect(must(await workflow.stopAgent(stopped?.id ?? '', PERSON))).toMatchObject({ status: 'cancelled' });
  expect(await approvals(platform, 'pending')).toHaveLength(2);
  await answerAll(platform);
  await worker.idle();
  expect(await workflow.queueState()).toMatchObject({ running: 0, queued: 0, waiting: 0, jobs: [] });
  for (const { id } of tasks.slice(0, 2)) {
    expect(await workflow.listRuns({ taskId: id })).toMatchObject([{ status: 'completed', outcome: 'pr_ready' }]);
    const calls = (await workflow.events({ taskId: id, limit: 1_000 })).flatMap((event) =>
      event.type === 'agent.tool_use' ? [event.data.toolName] : [],
    );
    expect(calls).toEqual(['modifyFile', 'askHuman', 'commit', 'outcome']);
  }
});

it('a run that ends while nobody works on it leaves what it did on its branch, at once or when a worker comes; nothing is hidden meanwhile', async () => {
  const home = makeFolder();
  const first = await openTestPlatform({ home, scripts: [ASKS], concurrency: 1, leaveAfterMs: 20 });
  const path = await makeRepository();
  const { task, project } = await addTask(first, { path, pipelineId: 'simple' });
  const add = async (title: string) =>
    must(await first.workflow.createTask({ title, projectId: project.id, pipelineId: 'simple' }, PERSON));
  const [later, poison] = [await add('later'), await add('poison')];
  for (const { id } of [task, later, poison])
    must(await first.workflow.startAgent({ taskId: id, mode: 'implement' }, PERSON));
  await first.worker.idle();
  const state = async ({ workflow }: Platform, id: string) => (await workflow.taskStates([id]))[0]?.state;
  const stop = async (id: string) => {
    const [run] = await first.workflow.listRuns({ taskId: id });
    return must(await first.workflow.stopAgent(run?.id ?? '', PERSON));
  };
  const close = async (platform: Platform, id: string) => {
    for (const to of ['in_progress', 'done']) must(await platform.workflow.transition({ taskId: id, to }, PERSON));
  };

  const stopped = await stop(task.id);
  await first.worker.idle();
  expect(await git(path, 'show', `${stopped.branch ?? ''}:sum.sh`)).toContain('+');
  expect(await git(path, 'log', '-1', '--format=%s', stopped.branch ?? '')).toBe(`Work in progress: ${task.title}`);
  expect(await git(path, 'worktree', 'list', '--porcelain')).not.toContain(`attractor ${stopped.id}`);
  expect((await state(first, task.id))?.detail).toContain(`The work so far is kept on ${stopped.branch ?? '?'}`);
  await close(first, task.id);
  expect(await state(first, task.id)).toMatchObject({ kind: 'accepted' });

  await first.worker.close();
  const left = await stop(later.id);
  expect((await state(first, later.id))?.detail).toContain(`is not on ${left.branch ?? '?'} yet`);
  await close(first, later.id);
  expect(await state(first, later.id)).toMatchObject({ label: 'Queued: its work to be kept' });
  // The next run prepares the same worktree as soon as the worker is there.
  must(await first.workflow.reopenTask({ taskId: later.id, to: 'open' }, PERSON));
  must(await first.workflow.startAgent({ taskId: later.id, mode: 'implement' }, PERSON));
  const [given] = await first.workflow.listRuns({ taskId: poison.id });
  const store = must(await openStore({ home }));
  const dead = { state: 'running', owner: JSON.stringify({ boot: 'x' }), attempts: 10 } as const;
  await store.transact((tx) =>
    tx
      .updateTable('jobs')
      .set(dead)
      .where('run_id', '=', given?.id ?? '')
      .execute(),
  );
  await store.close();
  const nothing: Script = { steps: [{ do: 'outcome', outcome: 'no_change', payload: { reason: 'It is done.' } }] };
  const second = await openTestPlatform({ home, scripts: [nothing], concurrency: 1 });
  await second.worker.idle();
  expect(await second.workflow.listRuns({ taskId: poison.id })).toMatchObject([{ status: 'failed' }]);
  expect(await git(path, 'for-each-ref', 'refs/attractor/rescue')).toBe('');
  for (const [branch, title] of [
    [left.branch, 'later'],
    [given?.branch, 'poison'],
  ])
    expect(await git(path, 'log', '-1', '--format=%s', branch ?? '')).toBe(`Work in progress: ${title ?? ''}`);
});

it('a budget that asks leaves its run to the answer, and a raised budget is one', async () => {
  const costly: Script = {
    when: { outcome: 'pr_ready' },
    steps: [
      { do: 'usage', inputTokens: 10, outputTokens: 1, costUsd: 1 },
      { do: 'usage', inputTokens: 10, outputTokens: 1, costUsd: 1 },
      { do: 'outcome', outcome: 'pr_ready' },
    ],
  };
  const platform = await openTestPlatform({ scripts: [costly], concurrency: 1 });
  const { workflow, worker } = platform;
  const { task } = await addTask(platform, { path: await makeRepository(), pipelineId: 'simple' });
  const budget = { scope: 'task', subjectId: task.id, whenReached: 'ask' } as const;
  must(await workflow.setBudget({ ...budget, limitUsd: 1 }, PERSON));
  must(await workflow.startAgent({ taskId: task.id, mode: 'implement' }, PERSON));
  await worker.idle();
  expect(await workflow.queueState()).toMatchObject({ running: 0, waiting: 1 });
  expect(await workflow.listPrompts({ status: 'pending' })).toMatchObject([{ type: 'budget' }]);
  must(await workflow.setBudget({ ...budget, limitUsd: 9 }, PERSON));
  expect(await workflow.listPrompts({ status: 'pending' })).toEqual([]);
  await worker.idle();
  expect(await workflow.listRuns({ taskId: task.id })).toMatchObject([{ tokenUsage: { totalCost: 2 } }]);
  expect(await workflow.queueState()).toMatchObject({ running: 0, waiting: 0 });
});

it('our own loop is left where it asks and goes on from its journal: every command runs once', async () => {
  const append = (word: string): string => `sh say.sh ${word}`;
  const simulator = await startSimulator({
    script: {
      turns: [
        {
          text: 'Two commands.',
          toolCalls: [
            { use: 'shell', command: append('one') },
            { use: 'shell', command: append('two') },
          ],
        },
        { toolCalls: [{ use: 'shell', command: append('three') }] },
        { text: 'It is done.', toolCalls: [{ name: 'report_outcome', args: { outcome: 'pr_ready' } }] },
        { text: 'Finished.' },
      ],
    },
  });
  const client = createClient({
    configuration: { providers: { anthropic: { apiKey: 'test-key-0001', baseUrl: simulator.baseUrls.anthropic } } },
  });
  const platform = await openTestPlatform({
    agents: [createNativeAgent({ client, defaultProvider: 'anthropic', defaultModel: 'claude-sonnet-4-5' })],
    concurrency: 1,
    leaveAfterMs: 20,
  });
  onTestFinished(async () => {
    await platform.worker.close();
    await client.close();
    await simulator.close();
  });
  const { workflow, worker } = platform;
  const path = await makeRepository({ 'say.sh': 'echo $1 >> said.txt\n' });
  const { task } = await addTask(platform, { path, pipelineId: 'simple' });
  must(await workflow.startAgent({ taskId: task.id, mode: 'implement' }, PERSON));
  for (let asked = 0; asked < 3; asked += 1) {
    await worker.idle();
    expect(await workflow.queueState()).toMatchObject({ running: 0, waiting: 1 });
    await answerAll(platform);
    if ((await approvals(platform)).length === 3) break;
  }
  await until(platform, { taskId: task.id }, (events) => events.some(({ type }) => type === 'agent.completed'));
  await worker.idle();
  const [run] = await workflow.listRuns({ taskId: task.id });
  expect(run).toMatchObject({ status: 'completed', outcome: 'pr_ready' });
  const said = readFileSync(join(run?.worktree ?? '', 'said.txt'), 'utf8');
  expect(said.trim().split('\n').toSorted()).toEqual(['one', 'three', 'two']);
  expect(await approvals(platform)).toHaveLength(3);
  expect(simulator.failures()).toEqual([]);
});
