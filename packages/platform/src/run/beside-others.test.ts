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

it('PostgreSQL: what agents of different runs say in one moment is written in one transaction', async () => {
  const databaseUrl = await sharedDatabase();
  const said = Array.from({ length: 150 }, (_, index) => [
    { do: 'output', text: `Word ${index}.` } as const,
    { do: 'delay', ms: 4 } as const,
  ]).flat();
  const steps = [...said, { do: 'outcome', outcome: 'plan_complete', payload: { plan: 'One step.' } } as const];
  const scripts = [{ when: { outcome: 'plan_complete' }, steps }];
  let isHeld = false;
  const platform = await openTestPlatform({
    databaseUrl,
    scripts,
    supervise: false,
    concurrency: 3,
    accepts: () => isHeld,
  });
  const path = await makeRepository();
  const { task } = await addTask(platform, { path });
  const more = [1, 2].map((index) => ({ projectId: task.projectId, title: `Task ${index}` }));
  const others = await Promise.all(more.map(async (asked) => must(await platform.workflow.createTask(asked, PERSON))));
  const tasks = [task, ...others];
  for (const { id } of tasks) must(await platform.workflow.transition({ taskId: id, to: 'planning' }, PERSON));
  isHeld = true;
  await platform.worker.idle();
  const store = must(await openStore({ databaseUrl }));
  onTestFinished(() => store.close());
  const { rows } = await sql<{ tasks: number }>`
    select count(distinct task_id)::int as tasks from events where type = 'agent.message' group by xmin::text`.execute(
    store.read,
  );
  expect(Math.max(...rows.map((row) => row.tasks))).toBeGreaterThan(1);
  for (const { id: taskId } of tasks) {
    const messages = await platform.workflow.events({ taskId, type: 'agent.message', limit: 1_000 });
    const words = messages.flatMap(({ summary }) => (summary.startsWith('Word') ? [summary] : []));
    expect(words).toEqual(Array.from({ length: 150 }, (_, index) => `Word ${index}.`));
  }
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
