import { createScriptedAgent } from '@attractor/adapters';
import { openPlatform, unconfined } from '@attractor/platform';
import { ENV, makeRepository } from '@attractor/repository/testing';
import { makeFolder, must, PERSON, sharedDatabase } from '@attractor/store/testing';
import { expect, it, onTestFinished } from 'vitest';
import { join } from 'node:path';
import { makeSmallDisk } from './small-disk.ts';

async function begin(home: string, agent: ReturnType<typeof createScriptedAgent>) {
  const platform = must(
    await openPlatform({
      home,
      databaseUrl: await sharedDatabase(),
      agents: [agent],
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
const working = createScriptedAgent([{ steps: WORK }]);
const failing = createScriptedAgent([{ steps: [{ do: 'error', message: 'write: No space left on device' }] }]);

it('a worker whose disk is full takes no run, says why, and goes on when there is room (where one can be mounted)', async ({
  skip,
}) => {
  const disk = makeSmallDisk(join(makeFolder(), 'disk'));
  if (disk === null) return skip('no file system can be mounted here');
  const { workflow, worker, task, start, run } = await begin(join(disk.path, 'home'), working);
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
  let calls = 0;
  const once = await begin(makeFolder(), {
    ...working,
    run: (options) => {
      calls += 1;
      return (calls === 1 ? failing : working).run(options);
    },
  });
  await once.start();
  await expect.poll(async () => (await once.run())?.status, { timeout: 60_000 }).toBe('completed');
  expect(calls).toBe(2);

  const always = await begin(makeFolder(), failing);
  await always.start();
  await expect.poll(async () => (await always.run())?.status, { timeout: 60_000 }).toBe('failed');
  const events = await always.workflow.events({ taskId: always.task.id });
  const told = events.filter(({ type }) => type === 'worktree.no_room').map(({ summary }) => summary);
  expect(told).toEqual(Array.from({ length: 5 }, () => expect.stringContaining('No space left')));
});
