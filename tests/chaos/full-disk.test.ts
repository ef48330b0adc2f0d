import { createScriptedAgent } from '@attractor/adapters';
import { openPlatform, unconfined } from '@attractor/platform';
import { ENV, makeRepository } from '@attractor/repository/testing';
import { makeFolder, must, PERSON, sharedDatabase } from '@attractor/store/testing';
import { expect, it, onTestFinished } from 'vitest';
import { join } from 'node:path';
import { makeSmallDisk } from './small-disk.ts';

async function begin(home: string, steps: Parameters<typeof createScriptedAgent>[0][number]['steps']) {
  const platform = must(
    await openPlatform({
      home,
      databaseUrl: await sharedDatabase(),
      agents: [createScriptedAgent([{ steps }])],
      env: ENV,
      confine: unconfined,
      concurrency: 1,
    }),
  );
  onTestFinished(() => platform.close());
  const { workflow } = platform;
  const project = must(await workflow.createProject({ path: await makeRepository() }, PERSON));
  const task = must(await workflow.createTask({ projectId: project.id, title: 'Work', pipelineId: 'simple' }, PERSON));
  const start = async () => must(await workflow.startAgent({ taskId: task.id, mode: 'implement' }, PERSON));
  const run = async () => (await workflow.listRuns({ taskId: task.id }))[0];
  return { ...platform, task, start, run };
}

const WORK = [
  { do: 'createFile', path: 'new.txt', content: 'new\n' },
  { do: 'outcome', outcome: 'pr_ready' },
] as const;

it('a worker whose disk is full takes no run, says why, and goes on when there is room', async () => {
  const disk = makeSmallDisk(join(makeFolder(), 'disk'));
  if (disk === null) return;
  const { workflow, worker, task, start, run } = await begin(join(disk.path, 'home'), WORK);
  disk.fill();
  await start();
  await expect
    .poll(async () => JSON.stringify(await workflow.queueState()), { timeout: 60_000 })
    .toContain('disk_full');
  expect((await run())?.status).toBe('running');
  expect((await workflow.events({ taskId: task.id })).some(({ type }) => type === 'run.step_started')).toBe(false);
  disk.free();
  await expect.poll(async () => (await run())?.status, { timeout: 60_000 }).toBe('completed');
  await worker.idle();
});

it('what fails for want of room is begun again, and is the failure of the run only in the end', async () => {
  const { workflow, task, start, run } = await begin(makeFolder(), [
    { do: 'error', message: 'write: No space left on device' },
  ]);
  await start();
  await expect.poll(async () => (await run())?.status, { timeout: 60_000 }).toBe('failed');
  const told = (await workflow.events({ taskId: task.id })).filter(({ type }) => type === 'worktree.no_room');
  expect(told.map(({ summary }) => summary)).toEqual(
    Array.from({ length: 5 }, () => expect.stringContaining('No space left')),
  );
});
