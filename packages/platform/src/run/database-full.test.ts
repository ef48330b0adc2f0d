import { once } from 'node:events';
import { createScriptedAgent } from '@attractor/adapters';
import { makeRepository } from '@attractor/repository/testing';
import { openStore } from '@attractor/store';
import { must, PERSON } from '@attractor/store/testing';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { openedDatabase } from '../test-support/opened-database.ts';
import { IMPLEMENT } from '../test-support/scripts.ts';
import { addTask, openTestPlatform } from '../test-support/world.ts';

it('PostgreSQL: while the disk of the database is full an agent does nothing that nobody records, and no run fails for it', async () => {
  const databaseUrl = await openedDatabase();
  const store = must(await openStore({ databaseUrl }));
  onTestFinished(() => store.close());
  const scripted = createScriptedAgent([IMPLEMENT]);
  const reasons: unknown[] = [];
  const agent: typeof scripted = {
    ...scripted,
    run: async (options) => {
      if (reasons.length > 0) return scripted.run(options);
      await fill();
      options.onMessage({ key: 'first', kind: 'text', text: 'I begin.' });
      await once(options.abortSignal, 'abort');
      reasons.push(options.abortSignal.reason);
      return scripted.run(options);
    },
  };
  // Rows that are there can be changed in their place for a while; new ones find no room.
  const fill = async () => {
    await sql`create function full_disk() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`.execute(
      store.read,
    );
    await sql`create trigger full_disk before insert on events execute function full_disk()`.execute(store.read);
  };
  const platform = await openTestPlatform({ databaseUrl, agents: [agent], supervise: false });
  const { workflow } = platform;
  const { task } = await addTask(platform, { path: await makeRepository(), pipelineId: 'simple' });
  must(await workflow.startAgent({ taskId: task.id, mode: 'implement' }, PERSON));
  const job = () =>
    store.read.selectFrom('jobs').select(['state', 'blocked', 'attempts', 'fence']).executeTakeFirstOrThrow();
  // It is taken again and again, and never held against the run.
  await expect.poll(async () => (await job()).fence).toBeGreaterThan(2);
  await expect.poll(async () => (await job()).blocked ?? '').toContain('The database took no changes');
  expect(await job()).toMatchObject({ state: 'queued', attempts: 0 });
  await sql`drop trigger full_disk on events`.execute(store.read);
  await expect.poll(async () => (await workflow.listRuns({ taskId: task.id }))[0]?.status).toBe('completed');
  expect(reasons).toEqual(['shutdown']);
});
