import { createScriptedAgent } from '@attractor/adapters';
import { openPlatform, unconfined } from '@attractor/platform';
import { ENV, git, makeRepository } from '@attractor/repository/testing';
import { openStore, type PlatformEvent } from '@attractor/store';
import { makeFolder, must, PERSON, sharedDatabase } from '@attractor/store/testing';
import { expect, it, onTestFinished } from 'vitest';
import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeSmallDisk } from './small-disk.ts';

type Given = { readonly databaseUrl: string; readonly path: string };

async function begin(home: string, agent: ReturnType<typeof createScriptedAgent>, given: Partial<Given> = {}) {
  const databaseUrl = given.databaseUrl ?? (await sharedDatabase());
  const platform = must(
    await openPlatform({
      home,
      databaseUrl,
      agents: [agent],
      env: ENV,
      confine: unconfined,
      concurrency: 1,
    }),
  );
  let closing: Promise<unknown> | null = null;
  const close = () => (closing ??= platform.close());
  onTestFinished(async () => void (await close()));
  const { workflow } = platform;
  const path = given.path ?? (await makeRepository());
  const [known] = await workflow.listProjects();
  const project = known ?? must(await workflow.createProject({ path }, PERSON));
  const [old] = await workflow.listTasks({ projectId: project.id });
  const task =
    old ?? must(await workflow.createTask({ projectId: project.id, title: 'Work', pipelineId: 'simple' }, PERSON));
  const start = async () => must(await workflow.startAgent({ taskId: task.id, mode: 'implement' }, PERSON));
  const run = async () => (await workflow.listRuns({ taskId: task.id }))[0];
  return { ...platform, close, databaseUrl, project, task, start, run };
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

it('a worker whose home can not be written takes no run, says why, and goes on when it can; what fails for it is begun again', async () => {
  const home = join(makeFolder(), 'home');
  // In the way for everybody, whatever rights they have.
  const lock = (): void => {
    rmSync(home, { recursive: true, force: true });
    writeFileSync(home, '');
  };
  let calls = 0;
  const agent: typeof working = {
    ...working,
    run: async (options) => {
      calls += 1;
      if (calls > 1) return working.run(options);
      lock();
      return createScriptedAgent([{ steps: [{ do: 'error', message: 'not a directory' }] }]).run(options);
    },
  };
  const { workflow, task, start, run } = await begin(home, agent);
  lock();
  await start();
  const queue = async () => JSON.stringify(await workflow.queueState());
  await expect.poll(queue, { timeout: 60_000 }).toContain('no_home');
  expect((await workflow.events({ taskId: task.id })).some(({ type }) => type === 'run.step_started')).toBe(false);
  rmSync(home);
  await expect.poll(() => calls, { timeout: 60_000 }).toBe(1);
  await expect.poll(queue, { timeout: 60_000 }).toContain('no_home');
  rmSync(home);
  await expect.poll(async () => (await run())?.status, { timeout: 60_000 }).toBe('completed');
  expect(calls).toBe(2);
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

it('a run that comes from another machine waits for room as well (where a disk can be mounted)', async ({ skip }) => {
  const folder = makeFolder();
  const disk = makeSmallDisk(join(folder, 'disk'));
  if (disk === null) return skip('no file system can be mounted here');
  const [remote, path] = [join(folder, 'remote.git'), join(folder, 'clone')];
  await git(folder, 'clone', '--quiet', '--bare', '--', await makeRepository(), remote);
  await git(folder, 'clone', '--quiet', '--', remote, path);
  const hanging = createScriptedAgent([{ steps: [{ do: 'hang' }] }]);
  const { workflow, close, start, databaseUrl, project, task } = await begin(makeFolder(), hanging, { path });
  await start();
  await expect.poll(() => git(remote, 'for-each-ref', 'refs/attractor/'), { timeout: 60_000 }).not.toBe('');
  must(await workflow.updateProject(project.id, { config: { worktreesPath: join(disk.path, 'w') } }, PERSON));
  await close();
  // As the other machine has it.
  rmSync(path, { recursive: true });
  await git(folder, 'clone', '--quiet', '--', remote, path);
  const store = must(await openStore({ databaseUrl }));
  const workplace = JSON.stringify({ machine: 'another', home: '/gone' });
  await store.transact((tx) => tx.updateTable('runs').set({ workplace }).execute());
  await store.close();
  disk.fill();
  const next = await begin(makeFolder(), working, { databaseUrl });
  const told = async () => (await next.workflow.events({ taskId: task.id })).map(({ type }) => type);
  await expect.poll(told, { timeout: 60_000 }).toContain('worktree.no_room');
  disk.free();
  await expect.poll(async () => (await next.run())?.status, { timeout: 60_000 }).not.toBe('running');
});

const isEndOfExecute = ({ type, data }: PlatformEvent): boolean =>
  type === 'run.step_finished' && data['step'] === 'execute';

it('a step is done only when another machine could have its work: for room on the disk it waits (where one can be mounted)', async ({
  skip,
}) => {
  const folder = makeFolder();
  const disk = makeSmallDisk(join(folder, 'disk'));
  if (disk === null) return skip('no file system can be mounted here');
  const [remote, path] = [join(folder, 'remote.git'), join(disk.path, 'clone')];
  await git(folder, 'clone', '--quiet', '--bare', '--', await makeRepository(), remote);
  await git(disk.path, 'clone', '--quiet', '--', remote, path);
  const filling: typeof working = {
    ...working,
    run: async (options) => {
      const result = await working.run(options);
      // Nobody has carried this yet.
      writeFileSync(join(options.projectPath, 'large.bin'), randomBytes(4_000_000));
      disk.fill();
      return result;
    },
  };
  const { workflow, start, run, task } = await begin(makeFolder(), filling, { path });
  await start();
  const isDone = async () => (await workflow.events({ taskId: task.id, limit: 1_000 })).some(isEndOfExecute);
  const told = async () => (await workflow.events({ taskId: task.id, limit: 1_000 })).map(({ type }) => type);
  await expect.poll(told, { timeout: 60_000 }).toContain('work.carry_failed');
  // Long enough for a step that did not wait.
  await sleep(2_000);
  expect(await isDone()).toBe(false);
  disk.free();
  await expect.poll(async () => (await run())?.status, { timeout: 60_000 }).toBe('completed');
  expect(await isDone()).toBe(true);
});
