import { createScriptedAgent } from '@attractor/adapters';
import { describe, expect, it } from 'vitest';
import { unconfined } from '@attractor/run';
import { openPlatform } from '../platform.ts';
import { openStore } from '@attractor/store';
import { addTask, openTestPlatform, statusOf, until } from '../test-support/world.ts';
import { ENV, makeRepository } from '@attractor/repository/testing';
import { makeFolder, must, PERSON } from '@attractor/store/testing';
import { IMPLEMENT } from '../test-support/scripts.ts';

describe('a run that another worker took over', () => {
  it('gets no late word of the first one', async () => {
    const home = makeFolder();
    const slow = createScriptedAgent([
      {
        steps: [
          { do: 'output', text: 'first' },
          { do: 'delay', ms: 400 },
          { do: 'output', text: 'late' },
          ...IMPLEMENT.steps,
        ],
      },
    ]);
    const platform = await openTestPlatform({ home, agents: [slow] });
    const { task } = await addTask(platform, { path: await makeRepository() });
    must(await platform.workflow.transition({ taskId: task.id, to: 'implementing' }, PERSON));
    await until(platform, { taskId: task.id }, (events) => events.some(({ type }) => type === 'agent.message'));

    const thief = must(await openStore({ home }));
    await thief.transact((tx) =>
      tx
        .updateTable('jobs')
        .set(({ eb }) => ({
          fence: eb('fence', '+', 1),
          owner: 'a worker on another machine',
          lease_until: Number.MAX_SAFE_INTEGER,
        }))
        .execute(),
    );
    const before = await platform.workflow.events({ taskId: task.id, limit: 10_000 });
    await new Promise((resolve) => setTimeout(resolve, 900));
    expect(await platform.workflow.events({ taskId: task.id, limit: 10_000 })).toEqual(before);
    expect(await statusOf(platform, task.id)).toBe('implementing');
    await thief.close();
  });
});

describe('a run that kills whoever takes it', () => {
  it('is given up after five claims without progress, and the others flow', async () => {
    const home = makeFolder();
    const open = async (concurrency: number) =>
      must(
        await openPlatform({
          home,
          agents: [createScriptedAgent([IMPLEMENT])],
          env: ENV,
          confine: unconfined,
          concurrency,
        }),
      );
    const before = await open(0);
    const { task } = await addTask(before, { path: await makeRepository() });
    must(await before.workflow.transition({ taskId: task.id, to: 'implementing' }, PERSON));
    await before.close();
    const store = must(await openStore({ home }));
    await store.transact((tx) =>
      tx
        .updateTable('jobs')
        .set({ state: 'running', owner: JSON.stringify({ boot: 'x' }), attempts: 5 })
        .execute(),
    );
    await store.close();
    const after = await open(1);
    await after.worker.idle();
    const [run] = await after.workflow.listRuns({ taskId: task.id });
    expect(run).toMatchObject({ status: 'failed', error: expect.stringContaining('5 attempts in a row') });
    expect(await statusOf(after, task.id)).toBe('failed');
    await after.close();
  });
});
