import { describe, expect, it, onTestFinished } from 'vitest';
import { createOutbox } from '../outbox/outbox.ts';
import {
  endEffect,
  ensurePullRequest,
  findEffect,
  insertProject,
  listArtifacts,
  listEffects,
  listEvents,
  listOpenEffects,
  listPullRequests,
  type NewEffect,
  putEffect,
  type Store,
  takeEffect,
  type Task,
} from '@attractor/store';
import { makeFolder, must, PERSON, type Place, projectRow, putProject, putTask } from '@attractor/store/testing';
import { ENV, git, makeRepository } from './git-world.ts';

const branchOf = (task: Task, branch = 'agent/x'): NewEffect => ({
  projectId: task.projectId,
  taskId: task.id,
  key: `branch:${branch}`,
  work: { kind: 'create_branch', branch, baseBranch: 'main', phaseId: null },
  actor: PERSON,
});

/** A store one of whose transactions, the first or a later one, gets no answer, whether it took place or not. */
function cutOnce(store: Store, { number, isDone }: { readonly number: number; readonly isDone: boolean }): Store {
  let begun = 0;
  return {
    ...store,
    transact: async (...asked) => {
      begun += 1;
      if (begun !== number) return store.transact(...asked);
      if (isDone) await store.transact(...asked);
      throw new Error('no answer');
    },
  };
}

/** What side effects must satisfy on every database. */
export function describeOutbox(name: string, makePlace: () => Promise<Place>): void {
  const open = async (): Promise<Store> => {
    const store = must(await (await makePlace()).open());
    onTestFinished(() => store.close());
    return store;
  };

  describe(`${name}: side effects`, () => {
    it('remember since when they wait for another machine, until they meet anything else', async () => {
      const store = await open();
      const task = await putTask(store, await putProject(store));
      const id = await store.transact((tx) => putEffect(tx, branchOf(task)));
      const end = (counts: 'as an attempt' | 'not at all', more: { readonly elsewhereSince?: number }) =>
        store.transact(async (tx) => {
          const found = await findEffect(tx, id);
          if (found === null) throw new Error('no effect');
          const taken = await takeEffect(tx, found, { owner: 'me', leaseUntil: 1 });
          if (taken === null) throw new Error('it ended meanwhile');
          await endEffect(tx, taken, { state: 'waiting', error: 'not here', notBefore: 1, counts, ...more });
          return findEffect(tx, id);
        });
      expect(await end('not at all', { elsewhereSince: 7 })).toMatchObject({ elsewhereSince: 7, attempts: 0 });
      expect(await end('not at all', { elsewhereSince: 7 })).toMatchObject({ elsewhereSince: 7, attempts: 0 });
      expect(await end('as an attempt', {})).toMatchObject({ elsewhereSince: null, attempts: 1 });
    });

    it('are the same while their key is the same, and are tried anew once they failed', async () => {
      const store = await open();
      const task = await putTask(store, await putProject(store));
      const id = await store.transact((tx) => putEffect(tx, branchOf(task)));
      const other = await store.transact((tx) => putEffect(tx, branchOf(task, 'agent/y')));
      expect(await store.transact((tx) => putEffect(tx, branchOf(task)))).toBe(id);
      expect((await listOpenEffects(store.read)).map((effect) => effect.id)).toEqual([id, other]);
      await store.transact(async (tx) => {
        const found = await findEffect(tx, id);
        if (found === null) throw new Error('no effect');
        const taken = await takeEffect(tx, found, { owner: 'me', leaseUntil: 1 });
        if (taken === null) throw new Error('it ended meanwhile');
        expect(await endEffect(tx, { ...taken, fence: taken.fence - 1 }, { state: 'done', result: {} })).toBe(false);
        expect(await endEffect(tx, taken, { state: 'failed', error: 'no' })).toBe(true);
      });
      expect(await store.transact((tx) => putEffect(tx, branchOf(task)))).toBe(id);
      expect(
        (await listEffects(store.read, task.id)).map((effect) => [effect.id, effect.state, effect.attempts]),
      ).toEqual([
        [other, 'waiting', 0],
        [id, 'waiting', 0],
      ]);
    });

    it('are done once each, whoever is there, and told once', async () => {
      const store = await open();
      const path = await makeRepository();
      await putProject(store);
      const project = projectRow(path);
      await store.transact((tx) => insertProject(tx, project));
      const tasks = [await putTask(store, project), await putTask(store, project), await putTask(store, project)];
      const unexpected: unknown[] = [];
      const options = {
        store,
        home: makeFolder(),
        hostEnv: ENV,
        author: { name: 'A', email: 'a@example.test' },
        onUnexpected: (error: unknown) => void unexpected.push(error),
      };
      const outboxes = [createOutbox(options), createOutbox(options)];
      const ids = await store.transact(async (tx) => {
        const put: string[] = [];
        for (const [index, task] of tasks.entries()) put.push(await putEffect(tx, branchOf(task, `agent/${index}`)));
        return put;
      });
      await Promise.all(outboxes.map((outbox) => outbox.settle(ids)));
      await Promise.all(outboxes.map((outbox) => outbox.close()));
      expect(unexpected).toEqual([]);
      const effects = await Promise.all(ids.map((id) => findEffect(store.read, id)));
      expect(effects.map((effect) => [effect?.state, effect?.attempts])).toEqual(tasks.map(() => ['done', 1]));
      const told = await listEvents(store.read, { projectId: project.id });
      expect(told.map(({ type, actor }) => [type, actor])).toEqual(tasks.map(() => ['branch.created', PERSON]));
      expect(await Promise.all(tasks.map(async ({ id }) => (await listArtifacts(store.read, id)).length))).toEqual([
        1, 1, 1,
      ]);
      expect((await git(path, 'branch', '--list', 'agent/*')).split('\n')).toHaveLength(3);
    });
  });

  it(`${name}: a side effect whose claim or end got no answer is looked up and done by the same process, at once`, async () => {
    const store = await open();
    const project = projectRow(await makeRepository());
    await putProject(store);
    await store.transact((tx) => insertProject(tx, project));
    const cuts = ['claim, before', 'claim, after', 'end, before', 'end, after'];
    for (const [index, cut] of cuts.entries()) {
      const task = await putTask(store, project);
      const id = await store.transact((tx) => putEffect(tx, branchOf(task, `agent/${index}`)));
      const cutOff = cutOnce(store, { number: cut.startsWith('claim') ? 1 : 2, isDone: cut.endsWith('after') });
      const author = { name: 'A', email: 'a@example.test' };
      const options = { home: makeFolder(), hostEnv: ENV, author, onUnexpected: () => undefined };
      const outbox = createOutbox({ ...options, store: cutOff });
      await expect(outbox.settle([id]), cut).rejects.toThrow('no answer');
      const [settled] = await outbox.settle([id], 20_000);
      await outbox.close();
      expect(settled, cut).toMatchObject({ state: 'done' });
      const told = await listEvents(store.read, { taskId: task.id });
      expect(
        told.map(({ type }) => type),
        cut,
      ).toEqual(['branch.created']);
    }
  });

  it(`${name}: of two branches there is one open pull request, and numbers count within the project`, async () => {
    const store = await open();
    const [first, second] = [await putProject(store), projectRow()];
    await store.transact((tx) => insertProject(tx, second));
    const wanted = { title: 't', body: '', headBranch: 'a', baseBranch: 'main', state: 'open' } as const;
    const ensure = (projectId: string, headBranch = 'a') =>
      store.transact((tx) => ensurePullRequest(tx, { ...wanted, projectId, headBranch }));
    const made = await Promise.all([ensure(first.id), ensure(first.id), ensure(first.id, 'b'), ensure(second.id)]);
    expect(made.map(({ number }) => number)).toEqual([1, 1, 2, 1]);
    expect(await listPullRequests(store.read, first.id)).toHaveLength(2);
  });
}
