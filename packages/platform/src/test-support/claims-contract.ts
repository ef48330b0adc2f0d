import { describe, expect, it, onTestFinished } from 'vitest';
import {
  dropQueuedJob,
  extendLease,
  finishJob,
  holdsClaim,
  listOpenJobs,
  markProgress,
  releaseJob,
  type Store,
  takeJobs,
} from '@attractor/store';
import { must, type Place, putProject, putRun, putTask } from '@attractor/store/testing';
import { claimJob } from '../queue/claim.ts';
import { ME } from './queue-contract.ts';

/** What every store's claims must satisfy. */
export function describeClaims(name: string, makePlace: () => Promise<Place>): void {
  const open = async (place?: Place): Promise<Store> => {
    const store = must(await (place ?? (await makePlace())).open());
    onTestFinished(() => store.close());
    return store;
  };

  describe(`${name}: jobs`, () => {
    it('are claimed by one of a hundred that ask at once, again and again', async () => {
      const place = await makePlace();
      const stores = [await open(place), await open(place)];
      const [store] = stores;
      if (store === undefined) throw new Error('no store');
      const project = await putProject(store);
      for (let index = 0; index < 5; index += 1) {
        const task = await putTask(store, project);
        await store.transact((tx) => putRun(tx, task));
      }
      const claims = await Promise.all(
        Array.from({ length: 100 }, (_item, index) => claimJob(stores[index % 2] ?? store, ME)),
      );
      const taken = claims.filter((claim) => claim !== null);
      expect([taken.length, new Set(taken.map(({ runId }) => runId)).size]).toEqual([5, 5]);
    });

    it('give way to a newer claim: the old one writes nothing more', async () => {
      const store = await open();
      const task = await putTask(store, await putProject(store));
      await store.transact((tx) => putRun(tx, task));
      const first = await claimJob(store, ME);
      if (first === null) throw new Error('nothing to claim');
      const [job] = await listOpenJobs(store.read);
      if (job === undefined) throw new Error('no job');
      const [second] = await store.transact((tx) => takeJobs(tx, [job], { owner: 'other', leaseUntil: 1 }));
      if (second === undefined) throw new Error('it was not free');
      expect(await holdsClaim(store.read, first)).toBe(false);
      await store.transact(async (tx) => {
        expect(await extendLease(tx, first, 2)).toBe(false);
        expect(await releaseJob(tx, first, 'parked')).toBe(false);
        expect(await extendLease(tx, second, 2 ** 40)).toBe(true);
        await markProgress(tx, second);
        expect(await releaseJob(tx, second, 'crashed')).toBe(true);
        expect(await dropQueuedJob(tx, second.runId)).toBe(true);
        await finishJob(tx, second);
      });
      expect(await listOpenJobs(store.read)).toEqual([]);
    });
  });
}
