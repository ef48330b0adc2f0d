import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Simulator } from '@attractor/simulator';
import { makeFolder } from '@attractor/store/testing';
import {
  beginTask,
  type CountingProject,
  type CountingWorld,
  endWorker,
  expireLeases,
  ownedBy,
  startWorker,
  untilTrue,
} from './counting-world.ts';

const MEMBERS = 3;
/** What is lost finds a place at once, so that it is taken over while the lost one is frozen. */
const CONCURRENCY = 2;
/** A run is given up after five claims in a row that came to nothing: not for our sake. */
const FRUITLESS_CLAIMS = 4;
const LOOK_MS = 20;
const LONGEST_MS = 150;

export type Loss = 'killed' | 'frozen';

type Member = { readonly worker: ChildProcess; readonly home: string };

type CrowdOptions = {
  readonly world: CountingWorld;
  readonly simulator: Simulator;
  readonly projects: ReadonlyArray<CountingProject>;
  readonly dice: () => number;
};

/** Workers beside each other that are lost at random moments, and take over from each other. `callsLost`: as many at most were under way. */
export type Crowd = CrowdOptions & { readonly members: Member[]; seen: number; tasks: number; callsLost: number };

export function openCrowd(options: CrowdOptions): Crowd {
  const homes = [makeFolder(), makeFolder()];
  const members = Array.from({ length: MEMBERS }, (_, index) => begin(options, homes[index % homes.length]));
  return { ...options, members, seen: 0, tasks: 0, callsLost: 0 };
}

/** In a new home, unless it is given one: another machine for a project whose first clone nobody finds. */
function begin({ world, simulator }: CrowdOptions, home = makeFolder()): Member {
  return { home, worker: startWorker(world, { home, concurrency: CONCURRENCY }, simulator) };
}

/** Never runs out of runs: how many workers are lost does not depend on speed. False if this one had just ended what it had. */
export async function loseOne(crowd: Crowd, loss: Loss): Promise<boolean> {
  const { world, dice } = crowd;
  const lost = await nextInCall(crowd);
  await sleep(LONGEST_MS * dice());
  lost.worker.kill(loss === 'killed' ? 'SIGKILL' : 'SIGSTOP');
  if (loss === 'killed') await once(lost.worker, 'exit');
  const { length: had } = await ownedBy(world, lost.worker);
  crowd.callsLost += had;
  await expireLeases(world, lost.worker);
  if (loss === 'killed') replace(crowd, lost);
  else await thaw(crowd, lost);
  return had > 0;
}

async function thaw({ world, dice }: Crowd, { worker }: Member): Promise<void> {
  // Otherwise it may wake up while its runs are still its own.
  if (dice() < 0.5) await untilTrue(async () => (await ownedBy(world, worker)).length === 0);
  await sleep(LONGEST_MS * dice());
  worker.kill('SIGCONT');
}

/** When every run has ended. */
export async function endCrowd(crowd: Crowd): Promise<void> {
  await untilTrue(async () => (await openJobs(crowd)).length === 0);
  await Promise.all(crowd.members.map(({ worker }) => endWorker(worker)));
}

function replace(crowd: Crowd, lost: Member): void {
  const next = crowd.dice() < 0.5 ? begin(crowd) : begin(crowd, lost.home);
  crowd.members.splice(crowd.members.indexOf(lost), 1, next);
}

/** A worker whose agent has just begun another call. */
async function nextInCall(crowd: Crowd): Promise<Member> {
  for (;;) {
    // On a busy machine one may give up before it has reached the database.
    for (const member of crowd.members) if (member.worker.exitCode !== null) replace(crowd, member);
    const open = await openJobs(crowd);
    await keepBusy(crowd, MEMBERS - open.length);
    const call = await newestCall(crowd);
    const member = crowd.members.find(({ worker }) => call?.owner?.startsWith(`{"pid":${worker.pid},`) === true);
    if (call !== undefined && member !== undefined) {
      crowd.seen = call.seq;
      return member;
    }
    await sleep(LOOK_MS);
  }
}

async function keepBusy(crowd: Crowd, missing: number): Promise<void> {
  for (let more = 0; more < missing; more += 1) {
    const project = crowd.projects[crowd.tasks % crowd.projects.length];
    if (project === undefined) throw new Error('There is a project');
    crowd.tasks += 1;
    await beginTask(crowd.world, project, crowd.tasks);
  }
}

function openJobs({ world: { store } }: Crowd) {
  return store.read.selectFrom('jobs').select('id').where('state', '!=', 'done').execute();
}

/** In a run that may lose its worker once more. */
function newestCall({ world: { store }, seen }: Crowd) {
  return store.read
    .selectFrom('events')
    .innerJoin('jobs', 'jobs.run_id', 'events.run_id')
    .select(['events.seq', 'jobs.owner'])
    .where('events.type', '=', 'agent.tool_use')
    .where('events.seq', '>', seen)
    .where('jobs.state', '=', 'running')
    .where('jobs.attempts', '<=', FRUITLESS_CLAIMS)
    .orderBy('events.seq', 'desc')
    .limit(1)
    .executeTakeFirst();
}
