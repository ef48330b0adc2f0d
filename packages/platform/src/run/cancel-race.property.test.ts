import { setTimeout as sleep } from 'node:timers/promises';
import { createScriptedAgent, type Script } from '@attractor/adapters';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Platform } from '../platform.ts';
import { addTask, openTestPlatform } from '../test-support/world.ts';
import { makeRepository } from '@attractor/repository/testing';
import { must, PERSON, runs } from '@attractor/store/testing';

/** How the agent's run would end by itself. */
const ENDS: Readonly<Record<string, Script['steps']>> = {
  well: [
    { do: 'createFile', path: 'a.txt', content: 'a\n' },
    { do: 'delay', ms: 30 },
    { do: 'outcome', outcome: 'pr_ready' },
  ],
  badly: [
    { do: 'delay', ms: 30 },
    { do: 'error', message: 'it broke' },
  ],
  passing: [
    { do: 'delay', ms: 30 },
    { do: 'error', message: 'read ECONNRESET', retryable: true },
  ],
};

const FINAL = new Set(['agent.completed', 'agent.failed', 'agent.cancelled']);

async function expectOneEnd(platform: Platform, taskId: string): Promise<void> {
  const all = await platform.workflow.listRuns({ taskId });
  const events = await platform.workflow.events({ taskId, limit: 10_000 });
  for (const run of all) {
    const ends = events.filter(({ runId, type }) => runId === run.id && FINAL.has(type)).map(({ type }) => type);
    expect({ id: run.id, ends }).toEqual({ id: run.id, ends: [`agent.${run.status}`] });
    expect(run.finishedAt).not.toBeNull();
  }
  const stopped = all.some(({ status }) => status === 'cancelled');
  const moves = events.filter(({ type }) => type === 'status.changed').length;
  expect(moves).toBe(stopped ? 1 : 2);
}

describe('a stop that comes while a run ends by itself', () => {
  it('gives exactly one end, and a run that was stopped moves nothing and is not tried again', async () => {
    const agent = createScriptedAgent(
      Object.entries(ENDS).map(([word, steps]) => ({ when: { promptIncludes: `ends ${word}` }, steps })),
    );
    const platform = await openTestPlatform({ agents: [agent], concurrency: 4 });
    const { workflow } = platform;
    const { project } = await addTask(platform, { path: await makeRepository({ 'a.txt': '' }) });
    must(await workflow.updateProject(project.id, { config: { retry: { maxAttempts: 2, delayMs: 0 } } }, PERSON));
    const race = fc.record({
      end: fc.constantFrom(...Object.keys(ENDS)),
      stopAfterMs: fc.integer({ min: 0, max: 1_200 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(race, { minLength: 4, maxLength: 4 }), async (races) => {
        await Promise.all(
          races.map(async ({ end, stopAfterMs }) => {
            const task = must(await workflow.createTask({ projectId: project.id, title: `ends ${end}` }, PERSON));
            must(await workflow.transition({ taskId: task.id, to: 'implementing' }, PERSON));
            await sleep(stopAfterMs);
            for (const run of await workflow.listRuns({ taskId: task.id, status: 'running' }))
              await workflow.stopAgent(run.id, PERSON);
            while ((await workflow.listRuns({ taskId: task.id, status: 'running' })).length > 0) await sleep(10);
            await expectOneEnd(platform, task.id);
          }),
        );
      }),
      { numRuns: runs(3) },
    );
  });
});
