import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { aboutTask, appendEvents, findRun, holdsClaim, listOpenJobs, openStore, type Store } from '@attractor/store';
import { must, putProject, putRun, putTask, sharedDatabase } from '@attractor/store/testing';
import { claimJob, claimNext } from './claim.ts';

const ME = { owner: 'me', leaseMs: 600_000 };
/** A worker elsewhere whose lease is over at once. */
const FROZEN = { owner: 'elsewhere/1', leaseMs: -1 };

describe('PostgreSQL: a worker that froze in a transaction of its run', () => {
  it('holds up its own task and nobody else, and its run is taken over once the transaction is over', async () => {
    const databaseUrl = await sharedDatabase();
    const open = async (): Promise<Store> => {
      const store = must(await openStore({ databaseUrl }));
      onTestFinished(() => store.close());
      return store;
    };
    const [one, other] = [await open(), await open()];
    const project = await putProject(one);
    const [first, second] = [await putTask(one, project), await putTask(one, project)];
    await one.transact((tx) => putRun(tx, first));
    const lost = await claimJob(one, FROZEN);
    if (lost === null) throw new Error('nothing to claim');
    const isIn = Promise.withResolvers<void>();
    const thawed = new AbortController();
    const late = one.transact(async (tx) => {
      expect(await holdsClaim(tx, lost)).toBe(true);
      isIn.resolve();
      // A slow machine must not lose it as an idle one.
      while (!thawed.signal.aborted) await sql`select pg_sleep(0.05)`.execute(tx);
      const event = { projectId: project.id, taskId: first.id, runId: lost.runId } as const;
      await appendEvents(tx, [{ ...event, type: 'note.added', summary: 'late', actor: { type: 'system' } }]);
    }, aboutTask(first.id));
    await isIn.promise;
    await other.transact((tx) => putRun(tx, second), aboutTask(second.id));
    const claimed = await claimJob(other, ME);
    expect((await findRun(other.read, claimed?.runId ?? ''))?.taskId).toBe(second.id);
    expect(await claimJob(other, ME)).toBeNull();
    thawed.abort();
    await late;
    expect(await claimJob(other, ME)).toMatchObject({ runId: lost.runId, fence: lost.fence + 1 });
    expect(await one.transact((tx) => holdsClaim(tx, lost), aboutTask(first.id))).toBe(false);
    expect((await listOpenJobs(other.read)).map(({ owner }) => owner)).toEqual(['me', 'me']);
  });

  it('a project whose job could not be had has not had its turn', async () => {
    const store = must(await openStore({ databaseUrl: await sharedDatabase() }));
    onTestFinished(() => store.close());
    const [one, other] = [await putProject(store), await putProject(store)];
    for (const project of [one, other]) {
      const task = await putTask(store, project);
      await store.transact((tx) => putRun(tx, task));
    }
    const [isIn, isOver] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holder = store.transact(async (tx) => {
      await tx.selectFrom('jobs').select('id').where('project_id', '=', one.id).forUpdate().execute();
      isIn.resolve();
      await isOver.promise;
    }, aboutTask('tsk_0another'));
    await isIn.promise;
    const { claims } = await claimNext(store, ME, { room: 2, expectsWork: true });
    isOver.resolve();
    await holder;
    expect(claims).toHaveLength(1);
    const lanes = await store.read.selectFrom('queue_lanes').select(['project_id', 'served']).execute();
    const served = new Map(lanes.map((lane) => [lane.project_id, lane.served]));
    expect([served.get(one.id), served.get(other.id)]).toEqual([0, expect.any(Number)]);
    expect(served.get(other.id)).toBeGreaterThan(0);
  });
});
