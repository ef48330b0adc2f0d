import { expect, it, onTestFinished } from 'vitest';
import { openStore, readQueueState } from '@attractor/store';
import { makeFolder, must, openedHome } from '@attractor/store/testing';
import { putCodingProject, putRuns } from '../test-support/waiting-rows.ts';
import { claimNext } from './claim.ts';

const ALL = { room: 4, expectsWork: true };

it('a run of a newer version is left to its workers, waiting or abandoned, and the queue says why, once', async () => {
  const store = must(await openStore({ home: await openedHome(makeFolder()) }));
  onTestFinished(store.close);
  const runs = await putRuns(store, await putCodingProject(store), 2);
  const [newer = '', known = ''] = runs.map(({ id }) => id);
  const setMode = (mode: string) =>
    store.transact((tx) =>
      tx
        .updateTable('runs')
        .set({ mode: mode as 'plan' })
        .where('id', '=', newer)
        .execute(),
    );
  await setMode('deploy');
  const claimer = { owner: 'a' };
  const first = await claimNext(store, claimer, ALL);
  expect(first.claims.map(({ runId }) => runId)).toEqual([known]);
  const { jobs } = await readQueueState(store.read, { limit: 3 });
  expect(jobs.find(({ runId }) => runId === newer)?.blocked).toMatchObject({
    code: 'newer_version',
    message: expect.stringMatching(/^\S+ is of a newer version of Attractor \(mode "deploy"\): update this worker\.$/),
  });
  const before = await store.read.selectFrom('events').select('seq').execute();
  expect((await claimNext(store, claimer, ALL)).claims).toEqual([]);
  expect(await store.read.selectFrom('events').select('seq').execute()).toEqual(before);

  await setMode('plan');
  const theirs = await claimNext(store, { ...claimer, leaseMs: -1 }, ALL);
  expect(theirs.claims.map(({ runId }) => runId)).toContain(newer);
  await setMode('deploy');
  const left = await claimNext(store, claimer, ALL);
  expect(left.claims.map(({ runId }) => runId)).not.toContain(newer);
  await setMode('plan');
  const again = await claimNext(store, claimer, ALL);
  expect(again.claims.map(({ runId }) => runId)).toContain(newer);
});
