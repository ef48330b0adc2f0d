import { createNativeAgent, type Script } from '@attractor/adapters';
import { createClient } from '@attractor/llm';
import { makeRepository } from '@attractor/repository/testing';
import { type ScriptInput, startSimulator } from '@attractor/simulator';
import { must, PERSON } from '@attractor/store/testing';
import { expect, it, onTestFinished } from 'vitest';
import type { Platform, PlatformOptions } from '../platform.ts';
import { addTask, openTestPlatform, until } from '../test-support/world.ts';

/** A platform whose agent is our own loop on this script, and a task whose agent is started. */
async function atWork(turns: ScriptInput['turns'], options: Partial<PlatformOptions> = {}) {
  const simulator = await startSimulator({ script: { turns } });
  const client = createClient({
    configuration: { providers: { anthropic: { apiKey: 'test-key-0001', baseUrl: simulator.baseUrls.anthropic } } },
  });
  const platform = await openTestPlatform({
    agents: [createNativeAgent({ client, defaultProvider: 'anthropic', defaultModel: 'claude-sonnet-4-5' })],
    leaveAfterMs: 20,
    ...options,
  });
  onTestFinished(async () => {
    await platform.worker.close();
    await client.close();
    await simulator.close();
  });
  const path = await makeRepository({ 'wait.sh': 'sleep "$1"; echo waited >> waited.txt\n' });
  const { task } = await addTask(platform, { path, pipelineId: 'simple' });
  must(await platform.workflow.startAgent({ taskId: task.id, mode: 'implement' }, PERSON));
  return { platform, taskId: task.id, sent: () => simulator.requests().map((request) => JSON.stringify(request)) };
}

const deliveries = async ({ workflow }: Platform, taskId: string) =>
  (await workflow.listMessages(taskId)).map(({ text, via }) => [text, via]);

const approve = async ({ workflow }: Platform, taskId: string) => {
  const [prompt] = await workflow.listPrompts({ taskId, status: 'pending' });
  must(await workflow.answerPrompt({ promptId: prompt?.id ?? '', answer: { decision: 'approve' } }, PERSON));
};

const REPORT = { text: 'Done.', toolCalls: [{ name: 'report_outcome', args: { outcome: 'pr_ready' } }] };

it('a message to a run that waits is read before the next request to the model, with the settings that were changed meanwhile', async () => {
  const { platform, taskId, sent } = await atWork([
    { toolCalls: [{ use: 'shell', command: 'sh wait.sh 0' }] },
    REPORT,
    { text: 'Finished.' },
  ]);
  const { workflow, worker } = platform;
  await worker.idle();
  expect(must(await workflow.sendMessage({ taskId, text: 'Mind the \u00fcml\u00e4uts.' }, PERSON)).delivery).toBe(
    'between_rounds',
  );
  const changes = { model: 'claude-opus-4-5', permissionMode: 'dontAsk' } as const;
  expect(must(await workflow.changeTaskSettings(taskId, changes, PERSON))).toMatchObject(changes);
  expect(await deliveries(platform, taskId)).toEqual([['Mind the \u00fcml\u00e4uts.', null]]);
  await approve(platform, taskId);
  await worker.idle();
  expect(await deliveries(platform, taskId)).toEqual([['Mind the \u00fcml\u00e4uts.', 'steering']]);
  const [first = '', second = '', third = ''] = sent();
  expect([first, second, third].map((request) => request.includes('Mind the'))).toEqual([false, true, true]);
  expect([first, second].map((request) => /claude-(opus|sonnet)/.exec(request)?.[1])).toEqual(['sonnet', 'opus']);
  expect(await workflow.listRuns({ taskId })).toMatchObject([{ status: 'completed', model: 'claude-opus-4-5' }]);
  const types = (await workflow.events({ taskId, limit: 1_000 })).map(({ type }) => type);
  for (const type of ['message.sent', 'message.delivered', 'run.settings_changed']) expect(types).toContain(type);
});

it('an interruption ends what our own loop does and is read first; one for a question answers it', async () => {
  const { platform, taskId, sent } = await atWork([
    { toolCalls: [{ use: 'shell', command: 'sh wait.sh 600' }] },
    { toolCalls: [{ use: 'shell', command: 'sh wait.sh 601' }] },
    REPORT,
    { text: 'Finished.' },
  ]);
  const { workflow, worker } = platform;
  await worker.idle();
  await approve(platform, taskId);
  await until(platform, { taskId }, (events) => events.some(({ type }) => type === 'agent.tool_use'));
  must(await workflow.sendMessage({ taskId, text: 'Not that one.', interrupts: true }, PERSON));
  await until(platform, { taskId }, (events) => events.filter(({ type }) => type === 'prompt.created').length === 2);
  expect(await deliveries(platform, taskId)).toEqual([['Not that one.', 'input']]);
  await worker.idle();
  must(await workflow.sendMessage({ taskId, text: 'Nor this one.', interrupts: true }, PERSON));
  await until(platform, { taskId }, (events) => events.some(({ type }) => type === 'agent.completed'));
  await worker.idle();
  expect(await deliveries(platform, taskId)).toEqual([
    ['Not that one.', 'input'],
    ['Nor this one.', 'steering'],
  ]);
  expect(sent()[1]).toContain('Not that one.');
  expect(sent()[2]).toContain('Nor this one.');
  expect(await workflow.listRuns({ taskId })).toMatchObject([{ status: 'completed' }]);
});

it('an agent that hears nothing while it works gets a message after its turn, or at once with an interruption; without one at work the next begins with it', async () => {
  const hanging: Script = {
    when: { outcome: 'pr_ready' },
    steps: [{ do: 'output', text: 'I begin.' }, { do: 'hang' }],
    replies: {
      message: [
        { do: 'output', text: 'I heard.' },
        { do: 'outcome', outcome: 'pr_ready' },
      ],
    },
  };
  const platform = await openTestPlatform({ scripts: [hanging] });
  const { workflow, worker } = platform;
  const { task } = await addTask(platform, { path: await makeRepository({ 'a.txt': 'a\n' }), pipelineId: 'simple' });
  const taskId = task.id;
  expect(must(await workflow.sendMessage({ taskId, text: 'Before you begin.' }, PERSON)).delivery).toBe('next_run');
  must(await workflow.startAgent({ taskId, mode: 'implement' }, PERSON));
  await until(platform, { taskId }, (events) => events.some(({ type }) => type === 'agent.message'));
  expect(must(await workflow.sendMessage({ taskId, text: 'Later.' }, PERSON)).delivery).toBe('after_turn');
  must(await workflow.sendMessage({ taskId, text: 'Now.', interrupts: true }, PERSON));
  await worker.idle();
  expect(await deliveries(platform, taskId)).toEqual([
    ['Before you begin.', 'prompt'],
    ['Later.', 'input'],
    ['Now.', 'input'],
  ]);
  const said = (await workflow.events({ taskId, limit: 1_000 })).flatMap((event) =>
    event.type === 'agent.message' && event.data.message.kind === 'text' ? [event.data.message.text] : [],
  );
  expect(said).toEqual(['I begin.', 'I heard.', 'I heard.']);
  expect(await workflow.listRuns({ taskId })).toMatchObject([{ status: 'completed' }]);
});
