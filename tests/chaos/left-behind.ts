import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openPlatform, unconfined } from '@attractor/platform';
import { ENV, git } from '@attractor/repository/testing';
import { must, PERSON } from '@attractor/store/testing';
import { leftRunning } from '../left-running.ts';
import type { Member } from './chaos-member.ts';
import type { ChaosWorld } from './chaos-world.ts';

/** What nobody should find when all members have ended: named one by one, so that a failure tells what it is. */
export type LeftBehind = {
  readonly processes: ReadonlyArray<unknown>;
  readonly leases: ReadonlyArray<string>;
  readonly runFiles: ReadonlyArray<string>;
  readonly temporary: ReadonlyArray<string>;
  readonly locks: ReadonlyArray<string>;
  /** After every task was closed and each machine's supervisor had a round. */
  readonly worktrees: ReadonlyArray<string>;
  /** Of the remote and of every clone, then; what was rescued stays for people. */
  readonly refs: ReadonlyArray<string>;
};

export async function leftBehind(world: ChaosWorld): Promise<LeftBehind> {
  const { store, workers, server, folder } = world;
  const jobs = await store.read.selectFrom('jobs').select('id').where('lease_until', 'is not', null).execute();
  const owned = await store.read.selectFrom('jobs').select('id').where('owner', 'is not', null).execute();
  const files = await store.read.selectFrom('run_files').select('run_id').execute();
  const processes = leftRunning(folder);
  const temporary = [server, ...workers].flatMap((member) => filesIn(member.temporary));
  const locks = clonesOf(world).flatMap((clone) =>
    filesIn(join(clone, '.git')).filter((path) => path.endsWith('.lock') && !path.endsWith('/attractor.lock')),
  );
  await closeAll(world);
  return {
    processes,
    leases: [...new Set([...jobs, ...owned].map(({ id }) => id))],
    runFiles: files.map(({ run_id }) => run_id),
    temporary,
    locks,
    worktrees: clonesOf(world).flatMap((clone) => namesIn(join(clone, '.agent-worktrees'))),
    refs: (await Promise.all([world.remote, ...clonesOf(world)].map(refsIn))).flat(),
  };
}

/** Its open files, sockets and pipes. */
export function descriptorsOf(member: Member): number {
  return namesIn(`/proc/${member.pid() ?? 0}/fd`).length;
}

function clonesOf({ clone, workers }: ChaosWorld): ReadonlyArray<string> {
  const own = workers.flatMap((worker) => {
    const parent = join(worker.home(), 'repositories');
    return namesIn(parent);
  });
  return [...(existsSync(clone) ? [clone] : []), ...own];
}

async function closeAll({ databaseUrl, workers, taskIds }: ChaosWorld): Promise<void> {
  for (const [index, worker] of workers.entries()) {
    const supervise = { keepWorktreesMs: 0, everyMs: 3_600_000 };
    const options = { home: worker.home(), databaseUrl, env: ENV, confine: unconfined, concurrency: 0, supervise };
    const { workflow, close } = must(await openPlatform({ ...options, agents: [], defaultAgentType: 'native' }));
    if (index === 0) for (const taskId of taskIds) must(await workflow.closeTask({ taskId }, PERSON));
    must(await workflow.superviseOnce());
    await close();
  }
}

const OF_PEOPLE = /^refs\/attractor\/(?:rescue|merged)\//;

async function refsIn(repository: string): Promise<ReadonlyArray<string>> {
  const listed = await git(repository, 'for-each-ref', '--format=%(refname)', 'refs/attractor/');
  const refs = listed.split('\n').filter((ref) => ref !== '' && !OF_PEOPLE.test(ref));
  return refs.map((ref) => `${repository}: ${ref}`);
}

function namesIn(folder: string): ReadonlyArray<string> {
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}

function filesIn(folder: string): ReadonlyArray<string> {
  return existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
    : [];
}
