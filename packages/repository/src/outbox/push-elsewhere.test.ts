import { join } from 'node:path';
import { findEffect, openStore, putEffect } from '@attractor/store';
import { makeFolder, must, PERSON, putProject, putRun, putTask, sharedDatabase } from '@attractor/store/testing';
import { expect, it, onTestFinished } from 'vitest';
import { ENV, git, makeRepository } from '../test-support/git-world.ts';
import { createOutbox } from './outbox.ts';

/** A push of a commit that is in one clone only, which the database knows by no path; and outboxes for the homes of machines. */
async function makePush() {
  const store = must(await openStore({ databaseUrl: await sharedDatabase() }));
  onTestFinished(() => store.close());
  const [made, folder] = [await makeRepository(), makeFolder()];
  const remote = join(folder, 'remote.git');
  await git(folder, 'clone', '--quiet', '--bare', '--', made, remote);
  const task = await putTask(store, await putProject(store));
  await store.transact((tx) =>
    tx
      .updateTable('projects')
      .set({ path: join(folder, 'gone'), config: JSON.stringify({ git: { remoteUrl: remote } }) })
      .execute(),
  );
  const run = await store.transact((tx) => putRun(tx, task));
  await git(made, 'commit', '--quiet', '--allow-empty', '-m', 'work');
  const commit = await git(made, 'rev-parse', 'HEAD');
  const id = await store.transact(async (tx) => {
    await tx.updateTable('runs').set({ status: 'completed' }).where('id', '=', run.id).execute();
    const work = { kind: 'push', branch: 'agent/one', commit } as const;
    const of = { projectId: task.projectId, taskId: task.id, runId: run.id };
    return putEffect(tx, { ...of, key: 'push', actor: PERSON, work });
  });
  /** As if it had waited for so long already. */
  const age = (ms: number) =>
    store.transact((tx) =>
      tx
        .updateTable('outbox')
        .set({ created_at: new Date(Date.now() - ms).toISOString() })
        .execute(),
    );
  const machine = async (from: string) => {
    const home = makeFolder();
    const clone = join(home, 'repositories', task.projectId);
    await git(folder, 'clone', '--quiet', '--', from, clone);
    await git(clone, 'remote', 'set-url', 'origin', remote);
    const author = { name: 'Agent', email: 'agent@example.test' };
    const onUnexpected = (error: unknown) => {
      throw error;
    };
    return createOutbox({ store, home, hostEnv: ENV, author, onUnexpected });
  };
  const pushed = () => git(remote, 'for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads/agent/');
  return { store, made, remote, run, commit, id, age, machine, pushed };
}

it('PostgreSQL: what a lost machine had not pushed yet is pushed by another, from what its run carried', async () => {
  const { made, remote, run, commit, id, age, machine, pushed } = await makePush();
  const other = await machine(remote);
  await git(made, 'push', '--quiet', remote, `HEAD:refs/attractor/${run.id}/1`);
  await age(20_000);
  expect(await other.settle([id])).toMatchObject([{ state: 'done' }]);
  expect(await pushed()).toBe(`${commit} refs/heads/agent/one`);
  expect(await git(remote, 'for-each-ref', 'refs/attractor/')).toBe('');
});

it('PostgreSQL: what only one machine has is left to it, and pushed by it at once when another one looked for it in vain', async () => {
  const { store, made, remote, commit, id, age, machine, pushed } = await makePush();
  const [has, lacks] = [await machine(made), await machine(remote)];
  await lacks.settle([id], 600);
  expect(await findEffect(store.read, id)).toMatchObject({ state: 'waiting', attempts: 0, error: null });
  await age(20_000);
  expect(await (await machine(remote)).settle([id])).toMatchObject([{ state: 'waiting' }]);
  const waiting = await findEffect(store.read, id);
  expect(waiting?.error).toContain(`The commit ${commit.slice(0, 12)} is not in`);
  expect(waiting?.notBefore ?? 0).toBeGreaterThan((await store.now()) + 5_000);
  const later = (await store.now()) + 600_000;
  await store.transact((tx) => tx.updateTable('outbox').set({ not_before: later }).execute());
  has.start();
  await expect.poll(pushed).toBe(`${commit} refs/heads/agent/one`);
  await has.idle();
  await has.close();
  expect((await findEffect(store.read, id))?.state).toBe('done');
});
