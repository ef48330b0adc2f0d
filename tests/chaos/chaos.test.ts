import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { git } from '@attractor/repository/testing';
import { createDice, runs, soakProgress, soakSeed } from '@attractor/base/testing';
import { expect, it } from 'vitest';
import type { Member } from './chaos-member.ts';
import { CALLS, type ChaosWorld, openChaos } from './chaos-world.ts';
import { descriptorsOf, leftBehind } from './left-behind.ts';

const SEED = soakSeed(20);
const TASKS = runs(4, 500);
/** Spread over the tasks. */
const FAULTS_IN_ALL = runs(5, 150);
const WORKERS = runs(2, 4);
const CONCURRENCY = 2;
const PAUSE_MS = runs(300, 1_200);
/** Beyond the time for which a frozen worker keeps its jobs. */
const LONG_FREEZE_MS = 18_000;

type Fault = 'kill' | 'freeze' | 'cut' | 'silence' | 'server' | 'database' | 'disk' | 'lease' | 'thaw_late';
/** Each kind comes again after all others; workers are lost most often. */
const FAULTS: ReadonlyArray<Fault> = [
  ...(['freeze', 'kill', 'silence', 'database', 'disk', 'cut', 'server', 'lease'] as const),
  ...(['kill', 'freeze', 'disk', 'kill', 'freeze', 'kill', 'freeze', 'thaw_late'] as const),
];

async function untilTrue(holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + runs(600_000, 3 * 3_600_000);
  while (!(await holds().catch(() => false))) {
    if (performance.now() > deadline) throw new Error('It did not come to pass');
    await sleep(100);
  }
}

async function openRuns({ store }: ChaosWorld): Promise<number> {
  const rows = await store.read.selectFrom('jobs').select('id').where('state', '!=', 'done').execute();
  return rows.length;
}

/** What is still to be pushed, and pull requests that are still to be made. */
async function openEffects({ store }: ChaosWorld): Promise<number> {
  const rows = await store.read
    .selectFrom('outbox')
    .select('id')
    .where('state', 'in', ['waiting', 'running'])
    .execute();
  return rows.length;
}

/** As if the leases had run out: who is frozen can't renew its own, and who works may lose it as well. */
async function expireLeases({ store }: ChaosWorld): Promise<void> {
  await store.transact((tx) => tx.updateTable('jobs').set({ lease_until: 0 }).where('state', '=', 'running').execute());
}

type Taking = { readonly worker: Member; readonly dice: () => number };

async function commit(fault: Fault, world: ChaosWorld, { worker, dice }: Taking): Promise<void> {
  const home = dice() < 0.5 ? 'new' : undefined;
  if (fault === 'kill') {
    await worker.kill();
    await expireLeases(world);
    await worker.start(home);
  } else if (fault === 'lease') await leaveToLease(world, worker, home);
  else if (fault === 'freeze' || fault === 'thaw_late') {
    worker.freeze();
    if (fault === 'freeze') await expireLeases(world);
    await sleep(fault === 'freeze' ? PAUSE_MS * dice() : LONG_FREEZE_MS);
    worker.thaw();
  } else if (fault === 'cut') {
    worker.line.hangUp();
    await sleep(PAUSE_MS * dice());
    worker.line.takeAgain();
  } else if (fault === 'silence') worker.line.silence();
  else if (fault === 'database') await loseDatabase(world, PAUSE_MS * dice());
  else if (fault === 'disk') await fillDisk(world, PAUSE_MS * 2 * dice());
  else {
    await world.server.kill();
    await world.server.start();
  }
}

type TakeOver = Readonly<Record<'seconds' | 'lease' | 'withoutRoom', number>>;
const takeOvers: TakeOver[] = [];
const MOST_TAKE_OVER_S = runs(Infinity, 25);
/** A worker at rest has about thirty. */
const MOST_DESCRIPTORS = 48;

/** Nobody is told that it is gone: only its lease tells. Waits until others have what it had, and tells how long after the lease nobody had room for it. */
async function leaveToLease({ store, workers }: ChaosWorld, worker: Member, home?: 'new'): Promise<void> {
  const owner = `{"pid":${worker.pid()},`;
  await worker.kill();
  const [killed, killedAt] = [performance.now(), await store.now()];
  const had = await store.read
    .selectFrom('jobs')
    .select(['id', 'fence', 'lease_until'])
    .where('state', '=', 'running')
    .where('owner', 'like', `${owner}%`)
    .execute();
  const lease = Math.max(0, ...had.map(({ lease_until }) => (lease_until ?? 0) - killedAt)) / 1_000;
  const [places, lost] = [(workers.length - 1) * CONCURRENCY, new Set(had.map(({ id }) => id))];
  let [withoutRoom, looked] = [0, killed];
  await untilTrue(async () => {
    const jobs = await store.read.selectFrom('jobs').select(['id', 'fence', 'state']).execute();
    const [since, now] = [looked, performance.now()];
    looked = now;
    const busy = jobs.filter(({ id, state }) => state === 'running' && !lost.has(id)).length;
    if (busy >= places) withoutRoom += Math.max(0, now - Math.max(since, killed + lease * 1_000)) / 1_000;
    return had.every(({ id, fence }) => jobs.some((job) => job.id === id && job.fence > fence));
  });
  if (had.length > 0) takeOvers.push({ seconds: (performance.now() - killed) / 1_000, lease, withoutRoom });
  await worker.start(home);
}

/** What is left on a machine of several when its disk is full. */
async function fillDisk({ workers }: ChaosWorld, ms: number): Promise<void> {
  for (const { disk } of workers) disk?.fill();
  await sleep(ms);
  for (const { disk } of workers) disk?.free();
}

/** Its end is the end of all lines; in a soak it really ends, and nothing is told to anybody. */
async function loseDatabase({ postgres, server, workers }: ChaosWorld, ms: number): Promise<void> {
  if (postgres !== null) return postgres.restart(ms, 'kill');
  for (const { line } of [server, ...workers]) line.hangUp();
  await sleep(ms);
  for (const { line } of [server, ...workers]) line.takeAgain();
}

it(`${TASKS} tasks and ${FAULTS_IN_ALL} faults: each call is begun at most once, every task ends, nothing is left`, async () => {
  const world = await openChaos({
    tasks: TASKS,
    workers: WORKERS,
    concurrency: CONCURRENCY,
    ownDatabase: runs(0, 1) === 1,
    isApart: runs(0, 1) === 1,
    before: process.env['SOAK_BEFORE'],
  });
  const dice = createDice(SEED);
  const told = soakProgress({ what: 'chaos, ended runs', seed: SEED, count: TASKS });
  const committed: Partial<Record<Fault, number>> = {};
  let faults = 0;
  for (let left = TASKS; faults < FAULTS_IN_ALL && left > 0; left = await openRuns(world).catch(() => left)) {
    told(TASKS - left);
    if (faults >= (FAULTS_IN_ALL * (TASKS - left)) / TASKS) await sleep(PAUSE_MS * dice());
    const worker = world.workers[Math.floor(dice() * world.workers.length)];
    const fault = FAULTS[faults % FAULTS.length];
    if (worker === undefined || fault === undefined) throw new Error('There are workers and faults');
    await commit(fault, world, { worker, dice });
    committed[fault] = (committed[fault] ?? 0) + 1;
    faults += 1;
  }
  await untilTrue(async () => {
    const left = await openRuns(world);
    told(TASKS - left);
    return left === 0;
  });
  await untilTrue(async () => (await openEffects(world)) === 0);
  const descriptors = world.workers.map(descriptorsOf);
  await Promise.all([world.server, ...world.workers].map((member) => member.end()));

  const ended = await world.store.read.selectFrom('runs').select(['task_id', 'status', 'outcome', 'error']).execute();
  const lines = readFileSync(world.counted, 'utf8').trimEnd().split('\n');
  const twice = [...Map.groupBy(lines, (line) => line)].filter(([, same]) => same.length > 1).map(([line]) => line);
  const slowest = Math.max(0, ...takeOvers.map(({ seconds }) => seconds));
  const ends = Map.groupBy(ended, ({ status, outcome }) => `${status} ${outcome ?? ''}`);
  const rate = {
    ends: Object.fromEntries([...ends].map(([end, of]) => [end, of.length])),
    committed,
    faults,
    begun: lines.length,
    twice: twice.length,
    takeOvers,
    slowest,
    descriptors,
  };
  told(TASKS, JSON.stringify(rate));
  // What was on a machine that is lost is gone with it; the model is told, and this one does nothing about it.
  const moved = await world.store.read
    .selectFrom('events')
    .select('task_id')
    .where('type', '=', 'work.taken_over')
    .execute();
  const movedTasks = new Set(moved.map(({ task_id }) => task_id));
  const expected = (task: string): ReadonlyArray<string> =>
    movedTasks.has(task) ? ['pr_ready', 'no_change'] : ['pr_ready'];
  const others = ended.filter(
    ({ status, outcome, task_id }) => status !== 'completed' || !expected(task_id).includes(outcome ?? ''),
  );
  const failedEffects = await world.store.read
    .selectFrom('outbox')
    .select(['kind', 'error'])
    .where('state', '=', 'failed')
    .execute();
  const pushed = await git(world.remote, 'for-each-ref', '--format=%(refname)', 'refs/');
  const heads = pushed.split('\n').filter((ref) => ref.startsWith('refs/heads/agent/'));
  const left = await leftBehind(world);
  told(TASKS, JSON.stringify({ others, twice, left, failedEffects, heads: heads.length }));
  expect(others).toEqual([]);
  expect(ended.map(({ task_id }) => task_id).toSorted()).toEqual([...world.taskIds].toSorted());
  expect(failedEffects).toEqual([]);
  expect(heads).toHaveLength(ended.filter(({ outcome }) => outcome === 'pr_ready').length);
  expect(twice, `SOAK_SEED=${SEED}`).toEqual([]);
  // A call that was lost between its record and its first word is told to the model as interrupted.
  expect(lines.length).toBeGreaterThan((TASKS * CALLS.length) / 2);
  // The earlier version carries and restores in temporary folders, which a kill leaves there.
  const ofBefore = (path: string): boolean =>
    process.env['SOAK_BEFORE'] !== undefined && /\/tmp-worker0\/attractor-(?:carry|restore)-/.test(path);
  expect({ ...left, temporary: left.temporary.filter((path) => !ofBefore(path)) }).toEqual({
    processes: [],
    leases: [],
    runFiles: [],
    temporary: [],
    locks: [],
    worktrees: [],
    refs: [],
  });
  expect(Math.max(...descriptors)).toBeLessThanOrEqual(MOST_DESCRIPTORS);
  const withRoom = takeOvers.map(({ seconds, withoutRoom }) => seconds - withoutRoom);
  expect(Math.max(...withRoom, 0), JSON.stringify(takeOvers)).toBeLessThanOrEqual(MOST_TAKE_OVER_S);
  expect(takeOvers.length).toBeGreaterThanOrEqual(runs(0, 1));
  expect(faults, JSON.stringify(rate)).toBeGreaterThanOrEqual(runs(1, 100));
});
