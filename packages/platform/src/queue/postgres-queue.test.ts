import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  type Claim,
  findRun,
  finishJob,
  holdsClaim,
  insertNote,
  listNotes,
  openStore,
  postgresFailure,
  type Store,
} from '@attractor/store';
import { must, type PostgresServer, startPostgres, startProxy } from '@attractor/store/testing';
import { describeClaims } from '../test-support/claims-contract.ts';
import { describeQueue, putQueued, putQueueProject } from '../test-support/queue-contract.ts';
import { describeQueuePort } from '../test-support/queue-port-contract.ts';
import { describeQueueProcesses } from '../test-support/queue-processes-contract.ts';
import { createQueueCommands } from '../workflow/queue/queue.ts';
import { startWorker } from './local.ts';
import { openPgBossQueue } from './pg-boss.ts';
import type { Queue } from './queue.ts';

const server: PostgresServer = await startPostgres();
afterAll(() => server.stop(), 120_000);
const unexpected: unknown[] = [];

/** A database as the store and the queue leave it when they open an empty one for the first time. */
async function openedOnce(): Promise<string> {
  const databaseUrl = await server.database();
  const store = must(await openStore({ databaseUrl }));
  const queue = must(await openPgBossQueue(store, { databaseUrl, onUnexpected: (error) => unexpected.push(error) }));
  await queue.close();
  await store.close();
  return databaseUrl;
}

const opened = await openedOnce();

const makePlace = async () => {
  const databaseUrl = await server.database(opened);
  return { open: () => openStore({ databaseUrl }) };
};

describeClaims('PostgreSQL', makePlace);
describeQueue('PostgreSQL', makePlace);

describeQueuePort('pg-boss', async () => {
  const databaseUrl = await server.database(opened);
  return {
    openStore: () => openStore({ databaseUrl }),
    openQueue: (store) => openPgBossQueue(store, { databaseUrl, onUnexpected: (error) => unexpected.push(error) }),
  };
});

it('pg-boss: told of no bug', () => expect(unexpected).toEqual([]));

describeQueueProcesses('PostgreSQL', async () => ({ databaseUrl: await server.database(opened) }));

const SOAK = process.env['SOAK'] === '1';
const [TASKS, RESTARTS] = SOAK ? [200, 20] : [12, 2];

describe('PostgreSQL: a server that is ended at once and started again', () => {
  it(`costs time and no work: ${TASKS} tasks over ${RESTARTS} restarts, each done exactly once`, async () => {
    const databaseUrl = await server.database(opened);
    const queues: Queue[] = [];
    const errors: unknown[] = [];
    for (let index = 0; index < 2; index += 1) {
      const store = must(await openStore({ databaseUrl }));
      const queue = must(await openPgBossQueue(store, { databaseUrl, onUnexpected: (error) => errors.push(error) }));
      onTestFinished(async () => {
        await queue.close();
        await store.close();
      });
      queues.push(queue);
    }
    const store = queues[0]?.store;
    if (store === undefined) throw new Error('no store');
    const project = await putQueueProject(store);
    await store.transact(async (tx) => {
      for (let index = 0; index < TASKS; index += 1) await putQueued(tx, project);
    });
    const workers = await Promise.all(
      queues.map((queue) =>
        queue.work({
          concurrency: 3,
          work: (claim) => doOnce(queue.store, claim),
          onUnexpected: (_claim, error) => errors.push(error),
        }),
      ),
    );
    const commands = createQueueCommands({ store });
    for (let round = 1; round <= RESTARTS; round += 1) {
      const target = Math.floor(TASKS * (1 - round / (RESTARTS + 1)));
      while (open(await commands.queueState({ limit: 1 })) > target) await sleep(5);
      await server.restart();
    }
    while (open(await commands.queueState({ limit: 1 })) > 0) await sleep(20);
    await Promise.all(workers.map((worker) => worker.close()));
    const rows = await store.read.selectFrom('runs').select(['id', 'task_id']).execute();
    expect(rows).toHaveLength(TASKS);
    for (const { task_id } of rows) expect(await listNotes(store.read, task_id)).toHaveLength(1);
    const left = await store.read.selectFrom('jobs').select('id').where('state', '!=', 'done').execute();
    expect(left).toEqual([]);
    expect(errors.filter((error) => postgresFailure(error) === null)).toEqual([]);
  });
});

describe('PostgreSQL: a worker that is cut off', () => {
  it('ends its work when its lease is over, as another may have it then, and goes on when it is back', async () => {
    const databaseUrl = await server.database(opened);
    const proxy = await startProxy(databaseUrl);
    onTestFinished(() => proxy.close());
    const store = must(await openStore({ databaseUrl: proxy.url }));
    onTestFinished(() => store.close());
    const project = await putQueueProject(store);
    await store.transact((tx) => putQueued(tx, project));
    const [begun, again] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const ends: unknown[] = [];
    const work = async (claim: Claim, signal: AbortSignal): Promise<void> => {
      if (ends.length > 0) {
        await doOnce(store, claim);
        return again.resolve();
      }
      begun.resolve();
      await once(signal, 'abort');
      ends.push(signal.reason);
      proxy.takeAgain();
    };
    const worker = startWorker({ store, concurrency: 1, leaseMs: 2_000, work, onUnexpected: () => undefined });
    await begun.promise;
    proxy.hangUp();
    await again.promise;
    expect(ends).toEqual(['lost_lease']);
    await worker.close();
  });
});

describe('PostgreSQL: connections of the queue that are open and dead', () => {
  it('are found out: work that comes later is done, and closing waits for none of them', async () => {
    const databaseUrl = await server.database(opened);
    const proxy = await startProxy(databaseUrl);
    onTestFinished(() => proxy.close());
    const errors: unknown[] = [];
    const onUnexpected = (error: unknown): void => void errors.push(error);
    const store = must(await openStore({ databaseUrl }));
    onTestFinished(() => store.close());
    const queue = must(await openPgBossQueue(store, { databaseUrl: proxy.url, onUnexpected, silenceMs: 200 }));
    const finished = Promise.withResolvers<void>();
    const worker = await queue.work({
      concurrency: 1,
      work: (claim) => doOnce(queue.store, claim).then(finished.resolve),
      onUnexpected: (_claim, error) => onUnexpected(error),
    });
    const dead = await queueConnections(store);
    proxy.silence();
    // The first that is asked for tickets is missed, and ended at the server, which would never see it itself.
    for (let left = dead; left.length === dead.length;) {
      await sleep(50);
      const now = await queueConnections(store);
      left = dead.filter((pid) => now.includes(pid));
    }
    const project = await putQueueProject(queue.store);
    await queue.store.transact((tx) => putQueued(tx, project));
    await finished.promise;
    await worker.close();
    await queue.close();
    expect(errors).toEqual([]);
  });
});

async function queueConnections({ read }: Store): Promise<ReadonlyArray<number>> {
  const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
    where application_name = 'attractor queue' and datname = current_database()`.execute(read);
  return rows.map(({ pid }) => pid);
}

const open = ({ queued, running }: { readonly queued: number; readonly running: number }): number => queued + running;

/** The whole work of a run: a note, in the transaction that ends its job, and only while the claim holds. */
async function doOnce(store: Store, claim: Claim): Promise<void> {
  const run = await findRun(store.read, claim.runId);
  if (run === null) throw new Error('no run');
  await sleep(5);
  await store.transact(async (tx) => {
    if (!(await holdsClaim(tx, claim))) return;
    await insertNote(tx, { taskId: run.taskId, text: 'done', author: { type: 'system' } });
    await finishJob(tx, claim);
  });
}
