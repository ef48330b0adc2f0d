import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Worker } from '../queue/local.ts';
import type { Queue } from '../queue/queue.ts';
import { listWorkers, noteWorker, type Result, type Store, transactionNow } from '@attractor/store';
import { readWorkers } from '../supervisor/worker-health.ts';
import { deadOwner } from './dead-owner.ts';
import { finish, putQueued, putQueueProject } from './queue-contract.ts';
import { must } from '@attractor/store/testing';

/** A queue that can be opened by several processes on one database. */
export type QueuePlace = {
  readonly openStore: () => Promise<Result<Store>>;
  readonly openQueue: (store: Store) => Promise<Result<Queue>>;
};

async function waitFor(holds: () => boolean): Promise<void> {
  const deadline = performance.now() + 600_000;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error('Waited in vain');
    await sleep(10);
  }
}

/** What every queue must satisfy, whatever wakes its workers. */
export function describeQueuePort(name: string, makePlace: () => Promise<QueuePlace>): void {
  const open = async (place: QueuePlace): Promise<Queue> => {
    const store = must(await place.openStore());
    const queue = must(await place.openQueue(store));
    onTestFinished(async () => {
      await queue.close();
      await store.close();
    });
    return queue;
  };
  const work = async (queue: Queue, done: string[]): Promise<Worker> => {
    const worker = await queue.work({
      concurrency: 2,
      work: async (claim) => {
        await finish(queue.store, claim);
        done.push(claim.runId);
      },
      onUnexpected: (_claim, error) => {
        throw error;
      },
    });
    onTestFinished(() => worker.close());
    return worker;
  };

  describe(`${name}: a queue`, () => {
    it('brings what one process put to the workers of all, once', async () => {
      const place = await makePlace();
      const [putting, working] = [await open(place), await open(place)];
      const done: string[] = [];
      await work(putting, done);
      await work(working, done);
      const project = await putQueueProject(putting.store);
      const put: string[] = [];
      for (let index = 0; index < 8; index += 1) put.push(await putting.store.transact((tx) => putQueued(tx, project)));
      await waitFor(() => done.length >= put.length);
      expect(done.toSorted()).toEqual(put.toSorted());
    });

    it('knows nothing of what a transaction put that was taken back', async () => {
      const queue = await open(await makePlace());
      const done: string[] = [];
      const worker = await work(queue, done);
      const project = await putQueueProject(queue.store);
      const failing = queue.store.transact(async (tx) => {
        await putQueued(tx, project);
        throw new Error('taken back');
      });
      await expect(failing).rejects.toThrow('taken back');
      await worker.idle();
      expect(done).toEqual([]);
    });

    it('brings a job when its time has come, and a cancelled one never', async () => {
      const queue = await open(await makePlace());
      const project = await putQueueProject(queue.store);
      const at = { soon: Date.now() + 300, late: Date.now() + 3_600_000 };
      const [soon, late, never] = await queue.store.transact(async (tx) => {
        const ids = [await putQueued(tx, project), await putQueued(tx, project), await putQueued(tx, project)];
        await tx.deleteFrom('jobs').execute();
        for (const [index, time] of [at.soon, at.late, at.soon].entries())
          await queue.put(tx, ids[index] ?? '', { notBefore: new Date(time).toISOString() });
        return ids;
      });
      expect(await queue.store.transact((tx) => queue.cancel(tx, never ?? ''))).toBe(true);
      expect(await queue.store.transact((tx) => queue.cancel(tx, never ?? ''))).toBe(false);
      const done: string[] = [];
      const worker = await work(queue, done);
      await waitFor(() => done.length > 0);
      expect(Date.now()).toBeGreaterThanOrEqual(at.soon);
      await worker.idle();
      expect(done).toEqual([soon]);
      expect(await queue.store.transact((tx) => queue.cancel(tx, late ?? ''))).toBe(true);
    });

    it('shows a worker that waits as idle with its last sign of life, at work, silent, dead, and gone when it left', async () => {
      const queue = await open(await makePlace());
      const { store } = queue;
      const release = Promise.withResolvers<void>();
      const worker = await queue.work({
        concurrency: 3,
        labels: ['gpu'],
        signMs: 40,
        work: async (claim) => {
          await release.promise;
          await finish(store, claim);
        },
        onUnexpected: () => undefined,
      });
      const seen = async () => (await readWorkers(store)).detail['list'];
      const own = { pid: process.pid, concurrency: 3, labels: ['gpu'] };
      await expect.poll(seen).toEqual([expect.objectContaining({ ...own, state: 'idle', runs: 0 })]);
      const [first] = await listWorkers(store.read);
      await expect.poll(async () => (await listWorkers(store.read))[0]?.seen).toBeGreaterThan(first?.seen ?? Infinity);
      const told = await readWorkers(store);
      expect(told).toMatchObject({
        ok: true,
        summary: expect.stringMatching(/^0 at work, 0 runs; 1 idle \(.*last sign of life 2/),
      });

      const project = await putQueueProject(store);
      await store.transact((tx) => putQueued(tx, project));
      await expect.poll(seen).toEqual([expect.objectContaining({ ...own, state: 'at work', runs: 1 })]);
      release.resolve();
      await worker.idle();
      await worker.close();
      // On a busy machine its goodbye may arrive after it has left.
      await expect.poll(seen).toEqual([]);

      const lost = {
        id: 'wrk_1',
        owner: '{"pid":1,"boot":"b","machine":"m"}',
        host: 'far',
        labels: [],
        concurrency: 1,
      };
      const died = { ...lost, id: 'wrk_2', owner: await deadOwner(), host: 'near' };
      await store.transact(async (tx) => {
        for (const gone of [lost, died]) await noteWorker(tx, gone);
        await tx
          .updateTable('workers')
          .set({ seen: transactionNow(tx) - 60_000 })
          .execute();
      });
      expect(await seen()).toMatchObject([
        { host: 'far', state: 'silent' },
        { host: 'near', state: 'dead' },
      ]);
      expect((await readWorkers(store)).summary).toMatch(/1 silent \(far .*1 dead \(near /);
    });

    it('gives back what it was working on when it is closed', async () => {
      const place = await makePlace();
      const [first, second] = [await open(place), await open(place)];
      const project = await putQueueProject(first.store);
      const runId = await first.store.transact((tx) => putQueued(tx, project));
      const begun = Promise.withResolvers<void>();
      const worker = await first.work({
        concurrency: 1,
        work: async (_claim, signal) => {
          begun.resolve();
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
        },
        onUnexpected: () => undefined,
      });
      await begun.promise;
      await worker.close();
      const done: string[] = [];
      await work(second, done);
      await waitFor(() => done.length > 0);
      expect(done).toEqual([runId]);
    });
  });
}
