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

export function startWorker({ databaseUrl }: CountingWorld, home: string, { baseUrls }: Simulator): ChildProcess {
  const child = spawn(process.execPath, [bundledProgram(CHILD), home, databaseUrl, baseUrls.anthropic], {
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

/** As if the leases had run out: who is lost can't renew its own. */
export async function expireLeases({ store }: CountingWorld): Promise<void> {
  await store.transact((tx) => tx.updateTable('jobs').set({ lease_until: 0 }).execute());
}

export async function untilTrue(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + 600_000; !(await holds()); await sleep(20))
    if (performance.now() > deadline) throw new Error('It did not come to pass');
}

type Counting = {
  /** Called with the number of its call as `$1`. */
  readonly script: ReadonlyArray<string>;
  readonly calls: number;
  readonly tasks: number;
};

/** Tasks whose agents make numbered calls of the script, in a project with a remote that any machine can take it from. */
export async function startCounting({ platform: { workflow } }: CountingWorld, { script, calls, tasks }: Counting) {
  const folder = makeFolder();
  const [remote, clone] = [join(folder, 'remote.git'), join(folder, 'clone')];
  const files = { 'count.sh': `${script.join('\n')}\n` };
  await git(folder, 'clone', '--quiet', '--bare', '--', await makeRepository(files), remote);
  await git(folder, 'clone', '--quiet', '--', remote, clone);
  const numbers = Array.from({ length: calls }, (_, index) => index + 1);
  const turns = (task: string) => [
    ...numbers.map((number) => ({
      toolCalls: [{ use: 'shell' as const, command: `sh count.sh ${number} ${task}` }],
    })),
    { toolCalls: [{ name: 'report_outcome', args: { outcome: 'pr_ready' } }] },
    { text: 'Finished.' },
  ];
  const titles = Array.from({ length: tasks }, (_, index) => `Count-${index + 1}-times`);
  const simulator = await startSimulator({
    script: { conversations: titles.map((name) => ({ name, match: { firstUser: name }, turns: turns(name) })) },
  });
  onTestFinished(() => simulator.close());
  const project = must(await workflow.createProject({ path: clone }, PERSON));
  must(await workflow.updateProject(project.id, { config: { git: { remoteUrl: remote } } }, PERSON));
  const taskIds: string[] = [];
  for (const title of titles) {
    const overrides = { permissionMode: 'bypassPermissions' } as const;
    const asked = { projectId: project.id, title, pipelineId: 'simple', overrides };
    const { id } = must(await workflow.createTask(asked, PERSON));
    must(await workflow.startAgent({ taskId: id, mode: 'implement' }, PERSON));
    taskIds.push(id);
  }
  return { taskIds, titles, simulator, clone };
}
