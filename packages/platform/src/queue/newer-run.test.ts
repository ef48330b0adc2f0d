import { expect, it, onTestFinished } from 'vitest';
import { BUILT_IN_PIPELINES } from '@attractor/pipeline';
import { openStore, readQueueState, savePipeline } from '@attractor/store';
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

it('so is one with a setting, or with a hook, a guard, a trigger or a field of its pipeline, that only a newer version knows', async () => {
  const store = must(await openStore({ home: await openedHome(makeFolder()) }));
  onTestFinished(store.close);
  const runs = await putRuns(store, await putCodingProject(store), 7);
  const base = BUILT_IN_PIPELINES.find(({ isDefault }) => isDefault);
  const [first, ...rest] = base?.transitions ?? [];
  if (base === undefined || first === undefined) throw new Error('There is a pipeline');
  const changed = [
    { transitions: [{ ...first, hooks: [{ type: 'deploy_site' }] }, ...rest] },
    { transitions: [{ ...first, guards: [{ type: 'moon_is_full' }] }, ...rest] },
    { transitions: [{ ...first, trigger: { type: 'tide' as 'manual' } }, ...rest] },
    { transitions: [{ ...first, retries: 3 }, ...rest] },
    { stages: ['night'] },
  ];
  await store.transact(async (tx) => {
    for (const [index, change] of changed.entries()) {
      const version = 1_000 + index;
      await savePipeline(tx, { ...base, ...change, version });
      await tx
        .updateTable('tasks')
        .set({ pipeline_version: version })
        .where('id', '=', runs[index]?.taskId ?? '')
        .execute();
    }
    const overrides = JSON.stringify({ model: 'm', gravity: 'low' });
    await tx
      .updateTable('runs')
      .set({ overrides })
      .where('id', '=', runs[5]?.id ?? '')
      .execute();
  });
  const claimed = await claimNext(store, { owner: 'a' }, { room: 8, expectsWork: true });
  expect(claimed.claims.map(({ runId }) => runId)).toEqual([runs[6]?.id]);
  const { jobs } = await readQueueState(store.read, { limit: 8 });
  const why = runs.slice(0, 6).map(({ id }) => jobs.find(({ runId }) => runId === id)?.blocked?.message ?? '');
  expect(why.map((message) => /\((.*)\)/.exec(message)?.[1])).toEqual([
    `hook "deploy_site" of the pipeline "${base.id}"`,
    `guard "moon_is_full" of the pipeline "${base.id}"`,
    `trigger "tide" of the pipeline "${base.id}"`,
    `field "retries" of the pipeline "${base.id}"`,
    `field "stages" of the pipeline "${base.id}"`,
    'setting "gravity"',
  ]);
  const rows = () => store.read.selectFrom('jobs').selectAll().orderBy('id').execute();
  const before = await rows();
  expect((await claimNext(store, { owner: 'a' }, ALL)).claims).toEqual([]);
  expect(await rows()).toEqual(before);
});
