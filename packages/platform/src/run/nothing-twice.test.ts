import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bundledProgram, compileCache } from '@attractor/base/testing';
import { ENV, git, makeRepository } from '@attractor/repository/testing';
import { type Simulator, startSimulator } from '@attractor/simulator';
import { openStore, type PlatformEvent, type Store } from '@attractor/store';
import { makeFolder, must, PERSON } from '@attractor/store/testing';
import { openedDatabase } from '../test-support/opened-database.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openPlatform, type Platform } from '../platform.ts';
import { unconfined } from '../run-context/confinement.ts';

const CHILD = join(import.meta.dirname, '../test-support/counting-child.ts');
/** The call in which its worker is lost. */
const LOST_IN = 2;
const CALLS = [1, 2, 3, 4];

type World = { readonly databaseUrl: string; readonly store: Store; readonly platform: Platform };

async function openWorld(): Promise<World> {
  const databaseUrl = await openedDatabase();
  const options = { home: makeFolder(), databaseUrl, env: ENV, confine: unconfined };
  const platform = must(await openPlatform({ ...options, agents: [], defaultAgentType: 'native', concurrency: 0 }));
  const store = must(await openStore({ databaseUrl }));
  onTestFinished(async () => {
    await store.close();
    await platform.close();
  });
  return { databaseUrl, store, platform };
}

function startWorker({ databaseUrl }: World, home: string, address: string): ChildProcess {
  const child = spawn(process.execPath, [bundledProgram(CHILD), home, databaseUrl, address], {
    stdio: ['pipe', 'ignore', 'inherit'],
    env: { PATH: ENV.PATH, HOME: ENV.HOME, ...compileCache() },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function end(worker: ChildProcess): Promise<void> {
  worker.stdin?.end();
  if (worker.exitCode === null && worker.signalCode === null) await once(worker, 'exit');
}

async function untilTrue(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + 600_000; !(await holds()); await sleep(20))
    if (performance.now() > deadline) throw new Error('It did not come to pass');
}

type Counted = {
  readonly taskId: string;
  readonly simulator: Simulator;
  readonly outside: string;
  readonly clone: string;
};

/** A task whose agent makes numbered calls; each leaves its number outside the repository, and one of them waits there. */
async function startCounting({ platform: { workflow } }: World): Promise<Counted> {
  const outside = makeFolder();
  const script = [
    `echo $1 >> '${outside}/count'; echo $1 >> counted.txt`,
    `if [ $1 = ${LOST_IN} ] && ! [ -e '${outside}/reached' ]; then touch '${outside}/reached'; until [ -e '${outside}/go' ]; do sleep 0.05; done; fi`,
  ].join('\n');
  const folder = makeFolder();
  const [remote, clone] = [join(folder, 'remote.git'), join(folder, 'clone')];
  await git(folder, 'clone', '--quiet', '--bare', '--', await makeRepository({ 'count.sh': `${script}\n` }), remote);
  await git(folder, 'clone', '--quiet', '--', remote, clone);
  const simulator = await startSimulator({
    script: {
      turns: [
        ...CALLS.map((number) => ({ toolCalls: [{ use: 'shell' as const, command: `sh count.sh ${number}` }] })),
        { toolCalls: [{ name: 'report_outcome', args: { outcome: 'pr_ready' } }] },
        { text: 'Finished.' },
      ],
    },
  });
  onTestFinished(() => simulator.close());
  const project = must(await workflow.createProject({ path: clone }, PERSON));
  must(await workflow.updateProject(project.id, { config: { git: { remoteUrl: remote } } }, PERSON));
  const { id: taskId } = must(
    await workflow.createTask(
      {
        projectId: project.id,
        title: 'Count',
        pipelineId: 'simple',
        overrides: { permissionMode: 'bypassPermissions' },
      },
      PERSON,
    ),
  );
  must(await workflow.startAgent({ taskId, mode: 'implement' }, PERSON));
  return { taskId, simulator, outside, clone };
}

/** As if the lease had run out: its holder can't renew it. */
async function expireLease({ store }: World): Promise<void> {
  await store.transact((tx) => tx.updateTable('jobs').set({ lease_until: 0 }).execute());
}

/** Each loss, in the same home and without what the first one had; all of them in a soak (SOAK=1). */
const CASES = [
  { loss: 'frozen', next: 'in the same home' },
  { loss: 'killed', next: 'on another machine' },
  { loss: 'killed', next: 'in another home' },
  { loss: 'frozen', next: 'on another machine' },
  { loss: 'killed', next: 'in the same home' },
  { loss: 'frozen', next: 'in another home' },
].slice(0, process.env['SOAK'] === '1' ? undefined : 2);

const isStart = ({ type }: PlatformEvent): boolean => type === 'agent.tool_use';

describe('a worker that is lost in the middle of a call', () => {
  it.each(CASES)('($loss) is followed by one $next that runs no call again', async ({ loss, next }) => {
    const world = await openWorld();
    const { workflow } = world.platform;
    const { taskId, simulator, outside, clone } = await startCounting(world);
    const home = makeFolder();
    const first = startWorker(world, home, simulator.baseUrls.anthropic);
    await untilTrue(() => existsSync(join(outside, 'reached')));
    // Frozen in a transaction, it would hold up everybody until the server gives up on it.
    await untilTrue(async () => (await workflow.events({ taskId, limit: 1_000 })).filter(isStart).length === LOST_IN);
    first.kill(loss === 'killed' ? 'SIGKILL' : 'SIGSTOP');
    if (loss === 'killed') await once(first, 'exit');
    await expireLease(world);
    if (next === 'on another machine') renameSync(clone, `${clone}-lost`);

    const second = startWorker(world, next === 'in the same home' ? home : makeFolder(), simulator.baseUrls.anthropic);
    await untilTrue(async () => (await workflow.listRuns({ taskId })).every(({ status }) => status !== 'running'));
    writeFileSync(join(outside, 'go'), '');
    first.kill('SIGCONT');
    await end(first);
    await end(second);

    expect(await workflow.listRuns({ taskId })).toMatchObject([{ status: 'completed', outcome: 'pr_ready' }]);
    expect(readFileSync(join(outside, 'count'), 'utf8')).toBe(CALLS.map((number) => `${number}\n`).join(''));
    const asked = simulator.requests().map((request) => JSON.stringify(request));
    expect(asked.filter((request) => request.includes('the process stopped while this ran'))).not.toHaveLength(0);
    expect(asked.some((request) => request.includes('The machine that this work was done on is gone'))).toBe(
      next === 'on another machine',
    );
    expect(await world.store.read.selectFrom('run_files').selectAll().execute()).toEqual([]);
  });
});
