import { setTimeout as sleep } from 'node:timers/promises';
import { makeRepository } from '@attractor/repository/testing';
import { aboutTask, openStore, type Store } from '@attractor/store';
import { must, PERSON, sharedDatabase } from '@attractor/store/testing';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { IMPLEMENT } from '../test-support/scripts.ts';
import { addTask, openTestPlatform, statusOf } from '../test-support/world.ts';

it('PostgreSQL: a run goes from its claim to its pull request while a transaction about another task is open', async () => {
  const databaseUrl = await sharedDatabase();
  const other = must(await openStore({ databaseUrl }));
  onTestFinished(() => other.close());
  let isHeld = false;
  const platform = await openTestPlatform({
    databaseUrl,
    scripts: [IMPLEMENT],
    supervise: false,
    accepts: () => isHeld,
  });
  const { task } = await addTask(platform, { path: await makeRepository() });
  must(await platform.workflow.transition({ taskId: task.id, to: 'implementing' }, PERSON));
  const another = await holdAnother(other);
  isHeld = true;
  await platform.worker.idle();
  const status = await statusOf(platform, task.id);
  await another.end();
  expect(status).toBe('pr_review');
  expect(await platform.workflow.listArtifacts(task.id)).toContainEqual(
    expect.objectContaining({ type: 'pull_request' }),
  );
});

it('PostgreSQL: two servers create tasks in one project while a transaction about another task is open, each with its own key and place', async () => {
  const databaseUrl = await sharedDatabase();
  const other = must(await openStore({ databaseUrl }));
  onTestFinished(() => other.close());
  const open = () => openTestPlatform({ databaseUrl, scripts: [], supervise: false, accepts: () => false });
  const [one, two] = [await open(), await open()];
  const { task } = await addTask(one, { path: await makeRepository() });
  const another = await holdAnother(other);
  const created = await Promise.all(
    Array.from({ length: 16 }, async (_, index) =>
      must(
        await (index % 2 === 0 ? one : two).workflow.createTask(
          { projectId: task.projectId, title: `Task ${index}` },
          PERSON,
        ),
      ),
    ),
  );
  await another.end();
  const byPlace = [task, ...created].toSorted((first, next) => first.sortOrder - next.sortOrder);
  expect(byPlace.map(({ key }) => Number(key.split('-')[1]))).toEqual(
    Array.from({ length: 17 }, (_, index) => index + 1),
  );
  expect(new Set(byPlace.map(({ sortOrder }) => sortOrder)).size).toBe(17);
});

it('PostgreSQL: a task that waits for another is created before or after that one ends, not meanwhile', async () => {
  const databaseUrl = await sharedDatabase();
  const other = must(await openStore({ databaseUrl }));
  onTestFinished(() => other.close());
  const platform = await openTestPlatform({ databaseUrl, scripts: [], supervise: false, accepts: () => false });
  const { task } = await addTask(platform, { path: await makeRepository() });
  const { projectId } = task;
  const ending = await holdAnother(other, task.id);
  const order: string[] = [];
  const create = async (title: string, more: object) => {
    must(await platform.workflow.createTask({ projectId, title, ...more }, PERSON));
    order.push(title);
  };
  const waiting = [create('after', { dependsOn: [task.id] }), create('part', { parentTaskId: task.id })];
  for (const title of ['one', 'two', 'three']) await create(title, {});
  await ending.end();
  await Promise.all(waiting);
  expect(order.slice(0, 3)).toEqual(['one', 'two', 'three']);
});

/** A transaction about something else, open until it is told to end. */
async function holdAnother(store: Store, taskId = 'another'): Promise<{ readonly end: () => Promise<void> }> {
  const over = new AbortController();
  const begun = Promise.withResolvers<void>();
  const held = store.transact(async (tx) => {
    begun.resolve();
    // The server gives up a transaction in which nothing is asked.
    for (; !over.signal.aborted; await sleep(50)) await sql`select 1`.execute(tx);
  }, aboutTask(taskId));
  await begun.promise;
  return {
    end: async () => {
      over.abort();
      await held;
    },
  };
}
