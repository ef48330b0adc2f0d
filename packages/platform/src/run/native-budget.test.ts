import { createNativeAgent } from '@attractor/adapters';
import { createClient } from '@attractor/llm';
import { startSimulator } from '@attractor/simulator';
import { expect, it, onTestFinished } from 'vitest';
import { addTask, openTestPlatform, until } from '../test-support/world.ts';
import { makeRepository } from '@attractor/repository/testing';
import { must, PERSON } from '@attractor/store/testing';

it('our own loop asks the model no more once the budget is reached, finishes its tools, and goes on where it was', async () => {
  const simulator = await startSimulator({
    script: {
      conversations: [
        {
          name: 'plan',
          turns: [
            { text: 'I look.', toolCalls: [{ use: 'read', path: 'sum.sh' }] },
            { text: 'A plan.', toolCalls: [{ name: 'report_outcome', args: { outcome: 'plan_complete' } }] },
            { text: 'Over to you.' },
          ],
        },
      ],
    },
  });
  const client = createClient({
    configuration: { providers: { anthropic: { apiKey: 'test-key-0001', baseUrl: simulator.baseUrls.anthropic } } },
  });
  const path = await makeRepository();
  const platform = await openTestPlatform({
    agents: [createNativeAgent({ client, defaultProvider: 'anthropic', defaultModel: 'claude-sonnet-4-5' })],
  });
  onTestFinished(async () => {
    await platform.worker.close();
    await client.close();
    await simulator.close();
  });
  const { workflow } = platform;
  const { task } = await addTask(platform, { path });
  must(await workflow.setBudget({ scope: 'task', subjectId: task.id, limitTokens: 1, whenReached: 'ask' }, PERSON));
  must(await workflow.transition({ taskId: task.id, to: 'planning' }, PERSON));
  await until(platform, { taskId: task.id }, (events) => events.some(({ type }) => type === 'prompt.created'));
  const kinds = (await workflow.events({ taskId: task.id, limit: 1_000 })).flatMap((event) =>
    event.type === 'agent.message' ? [event.data.message.kind] : [],
  );
  expect(kinds.filter((kind) => kind === 'usage')).toHaveLength(1);
  expect(kinds.filter((kind) => kind === 'tool_result')).toHaveLength(1);
  const [prompt] = await workflow.listPrompts({ status: 'pending' });
  must(
    await workflow.answerPrompt(
      { promptId: prompt?.id ?? '', answer: { decision: 'approve', input: { tokens: 1_000_000 } } },
      PERSON,
    ),
  );
  await platform.worker.idle();
  expect((await workflow.listRuns({ taskId: task.id }))[0]).toMatchObject({
    status: 'completed',
    outcome: 'plan_complete',
  });
  const costs = must(await workflow.costs({ taskId: task.id }, 'model'));
  expect(costs.rows).toMatchObject([{ key: 'claude-sonnet-4-5', calls: 3 }]);
  expect(costs.total.costUsd).toBeGreaterThan(0);
  expect(simulator.failures()).toEqual([]);
});
