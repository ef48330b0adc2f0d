import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createNativeAgent, type Script } from '@attractor/adapters';
import { createClient } from '@attractor/llm';
import { startSimulator } from '@attractor/simulator';
import { makeRepository } from '@attractor/repository/testing';
import { must, PERSON } from '@attractor/store/testing';
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
