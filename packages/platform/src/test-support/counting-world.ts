import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bundledProgram, compileCache } from '@attractor/base/testing';
import { ENV, git, makeRepository } from '@attractor/repository/testing';
import { type Simulator, startSimulator } from '@attractor/simulator';
import { openStore, type Store } from '@attractor/store';
import { makeFolder, must, PERSON } from '@attractor/store/testing';
import { onTestFinished } from 'vitest';
import { openPlatform, type Platform } from '../platform.ts';
import { unconfined } from '@attractor/run';
import { openedDatabase } from './opened-database.ts';

/** Tasks of agents whose calls are counted outside the repository, on a PostgreSQL database, with workers that can be lost. */
export type CountingWorld = { readonly databaseUrl: string; readonly store: Store; readonly platform: Platform };

const CHILD = join(import.meta.dirname, 'counting-child.ts');

export async function openCountingWorld(): Promise<CountingWorld> {
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

export type Place = { readonly home: string; readonly concurrency?: number };

export function startWorker(
  { databaseUrl }: CountingWorld,
  { home, concurrency = 1 }: Place,
  { baseUrls }: Simulator,
): ChildProcess {
  const args = [bundledProgram(CHILD), home, databaseUrl, baseUrls.anthropic, `${concurrency}`];
  const child = spawn(process.execPath, args, {
    stdio: ['pipe', 'ignore', 'inherit'],
    env: { PATH: ENV.PATH, HOME: ENV.HOME, ...compileCache() },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

export async function endWorker(worker: ChildProcess): Promise<void> {
  worker.stdin?.end();
  if (worker.exitCode === null && worker.signalCode === null) await once(worker, 'exit');
}

/** As if the worker's leases had run out: who is lost can't renew its own. */
export async function expireLeases({ store }: CountingWorld, worker: ChildProcess): Promise<void> {
  await store.transact((tx) =>
    tx.updateTable('jobs').set({ lease_until: 0 }).where('owner', 'like', namesOf(worker)).execute(),
  );
}

/** The jobs of a worker, also of one that is lost. */
export function ownedBy({ store }: CountingWorld, worker: ChildProcess) {
  return store.read.selectFrom('jobs').select('id').where('owner', 'like', namesOf(worker)).execute();
}

function namesOf({ pid }: ChildProcess): string {
  return `{"pid":${pid},%`;
}

export async function untilTrue(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + 600_000; !(await holds()); await sleep(20))
    if (performance.now() > deadline) throw new Error('It did not come to pass');
}

/** A model that has the agent of each task make numbered calls of the script: with the call's number as `$1` and the task's title as `$2`. */
export async function startModel(calls: number): Promise<Simulator> {
  const turns = Array.from({ length: calls }, (_, index) => ({
    toolCalls: [{ use: 'shell' as const, command: `sh count.sh ${index + 1} {{title}}` }],
  }));
  const simulator = await startSimulator({
    script: {
      conversations: [
        {
          capture: { title: { from: 'firstUser', regex: '(Count-\\d+)' } },
          turns: [
            ...turns,
            { toolCalls: [{ name: 'report_outcome', args: { outcome: 'pr_ready' } }] },
            { text: 'Finished.' },
          ],
        },
      ],
    },
  });
  onTestFinished(() => simulator.close());
  return simulator;
}

export type CountingProject = { readonly id: string; readonly clone: string };

/** A project with the script, and with a remote that any machine can take it from. */
export async function addProject(
  { platform: { workflow } }: CountingWorld,
  script: ReadonlyArray<string>,
): Promise<CountingProject> {
  const folder = makeFolder();
  const [remote, clone] = [join(folder, 'remote.git'), join(folder, 'clone')];
  const files = { 'count.sh': `${script.join('\n')}\n` };
  await git(folder, 'clone', '--quiet', '--bare', '--', await makeRepository(files), remote);
  await git(folder, 'clone', '--quiet', '--', remote, clone);
  const project = must(await workflow.createProject({ path: clone }, PERSON));
  must(await workflow.updateProject(project.id, { config: { git: { remoteUrl: remote } } }, PERSON));
  return { id: project.id, clone };
}

export async function beginTask(
  { platform: { workflow } }: CountingWorld,
  { id: projectId }: CountingProject,
  number: number,
): Promise<string> {
  const overrides = { permissionMode: 'bypassPermissions' } as const;
  const asked = { projectId, title: `Count-${number}`, pipelineId: 'simple', overrides };
  const { id } = must(await workflow.createTask(asked, PERSON));
  must(await workflow.startAgent({ taskId: id, mode: 'implement' }, PERSON));
  return id;
}
