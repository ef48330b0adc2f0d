import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDice, runs, soakProgress, soakSeed } from '@attractor/base/testing';
import { expect, it } from 'vitest';
import { leftRunning } from '../left-running.ts';
import { CALLS, type ChaosWorld, type Member, openChaos } from './chaos-world.ts';

const SEED = soakSeed(20);
const TASKS = runs(4, 500);
/** Spread over the tasks. */
const FAULTS_IN_ALL = runs(5, 840);
const WORKERS = runs(2, 4);
const PAUSE_MS = runs(300, 1_200);

type Fault = 'kill' | 'freeze' | 'cut' | 'silence' | 'server' | 'database';
/** Each kind comes again after all others; workers are lost most often. */
const FAULTS: ReadonlyArray<Fault> = [
  ...(['freeze', 'kill', 'silence', 'database', 'cut', 'server'] as const),
  ...(['kill', 'freeze', 'kill', 'freeze', 'kill', 'freeze'] as const),
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

/** As if the leases had run out: who is frozen can't renew its own, and who works may lose it as well. */
async function expireLeases({ store }: ChaosWorld): Promise<void> {
  await store.transact((tx) => tx.updateTable('jobs').set({ lease_until: 0 }).execute());
}

async function commit(fault: Fault, world: ChaosWorld, { worker, dice }: { worker: Member; dice: () => number }) {
  const home = dice() < 0.5 ? 'new' : undefined;
  if (fault === 'kill') {
    await worker.kill();
    await expireLeases(world);
    await worker.start(home);
  } else if (fault === 'freeze') {
    worker.freeze();
    await expireLeases(world);
    await sleep(PAUSE_MS * dice());
    worker.thaw();
  } else if (fault === 'cut') {
    worker.line.hangUp();
    await sleep(PAUSE_MS * dice());
    worker.line.takeAgain();
  } else if (fault === 'silence') worker.line.silence();
  else if (fault === 'database') await loseDatabase(world, PAUSE_MS * dice());
  else {
    await world.server.kill();
    await world.server.start();
  }
}

/** Its end is the end of all lines; in a soak it really ends, and nothing is told to anybody. */
async function loseDatabase({ postgres, server, workers }: ChaosWorld, ms: number): Promise<void> {
  if (postgres !== null) return postgres.restart(ms);
  for (const { line } of [server, ...workers]) line.hangUp();
  await sleep(ms);
  for (const { line } of [server, ...workers]) line.takeAgain();
}

it(`${TASKS} tasks and ${FAULTS_IN_ALL} faults: each call is begun at most once, every task ends, nothing is left`, async () => {
  const world = await openChaos({
    tasks: TASKS,
    workers: WORKERS,
    concurrency: runs(2, 1),
    ownDatabase: runs(0, 1) === 1,
  });
  const dice = createDice(SEED);
  const told = soakProgress({ what: 'chaos, ended runs', seed: SEED, count: TASKS });
  await Promise.all([world.server.start(), ...world.workers.map((worker) => worker.start())]);
  const committed: Record<Fault, number> = { kill: 0, freeze: 0, cut: 0, silence: 0, server: 0, database: 0 };
  let faults = 0;
  for (let left = TASKS; faults < FAULTS_IN_ALL && left > 0; left = await openRuns(world).catch(() => left)) {
    told(TASKS - left);
    if (faults >= (FAULTS_IN_ALL * (TASKS - left)) / TASKS) await sleep(PAUSE_MS * dice());
    const worker = world.workers[Math.floor(dice() * world.workers.length)];
    const fault = FAULTS[faults % FAULTS.length];
    if (worker === undefined || fault === undefined) throw new Error('There are workers and faults');
    await commit(fault, world, { worker, dice });
    committed[fault] += 1;
    faults += 1;
  }
  await untilTrue(async () => {
    const left = await openRuns(world);
    told(TASKS - left);
    return left === 0;
  });
  await Promise.all([world.server, ...world.workers].map((member) => member.end()));

  const ended = await world.store.read.selectFrom('runs').select(['task_id', 'status', 'outcome', 'error']).execute();
  expect(ended.filter(({ status, outcome }) => status !== 'completed' || outcome !== 'pr_ready')).toEqual([]);
  expect(ended.map(({ task_id }) => task_id).toSorted()).toEqual([...world.taskIds].toSorted());
  const lines = readFileSync(world.counted, 'utf8').trimEnd().split('\n');
  const twice = [...Map.groupBy(lines, (line) => line)].filter(([, same]) => same.length > 1).map(([line]) => line);
  expect(twice, `SOAK_SEED=${SEED}`).toEqual([]);
  // A call that was lost between its record and its first word is told to the model as interrupted.
  expect(lines.length).toBeGreaterThan((TASKS * CALLS.length) / 2);
  expect(await world.store.read.selectFrom('run_files').select('run_id').execute()).toEqual([]);
  expect(leftRunning(world.folder)).toEqual([]);
  expect(existsSync(join(world.clone, '.git/index.lock'))).toBe(false);
  expect(Math.min(committed.kill, committed.freeze), JSON.stringify(committed)).toBeGreaterThanOrEqual(runs(0, 200));
});
