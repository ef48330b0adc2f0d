import { setTimeout as sleep } from 'node:timers/promises';
import { makeRepository } from '@attractor/repository/testing';
import { aboutTask, openStore } from '@attractor/store';
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
  const over = new AbortController();
  const begun = Promise.withResolvers<void>();
  const held = other.transact(async (tx) => {
    begun.resolve();
    // The server gives up a transaction in which nothing is asked.
    for (; !over.signal.aborted; await sleep(50)) await sql`select 1`.execute(tx);
  }, aboutTask('another'));
  await begun.promise;
  isHeld = true;
  await platform.worker.idle();
  const status = await statusOf(platform, task.id);
  over.abort();
  await held;
  expect(status).toBe('pr_review');
  expect(await platform.workflow.listArtifacts(task.id)).toContainEqual(
    expect.objectContaining({ type: 'pull_request' }),
  );
});
