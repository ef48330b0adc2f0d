import { join } from 'node:path';
import { openStore, putEffect } from '@attractor/store';
import { makeFolder, must, PERSON, putProject, putRun, putTask, sharedDatabase } from '@attractor/store/testing';
import { expect, it, onTestFinished } from 'vitest';
import { ENV, git, makeRepository } from '../test-support/git-world.ts';
import { createOutbox } from './outbox.ts';

it('PostgreSQL: what a lost machine had not pushed yet is pushed by another, from what its run carried', async () => {
  const store = must(await openStore({ databaseUrl: await sharedDatabase() }));
  onTestFinished(() => store.close());
  const [lost, folder, home] = [await makeRepository(), makeFolder(), makeFolder()];
  const remote = join(folder, 'remote.git');
  await git(folder, 'clone', '--quiet', '--bare', '--', lost, remote);
  const task = await putTask(store, await putProject(store));
  await store.transact((tx) =>
    tx
      .updateTable('projects')
      .set({ path: join(folder, 'gone'), config: JSON.stringify({ git: { remoteUrl: remote } }) })
      .execute(),
  );
  const run = await store.transact((tx) => putRun(tx, task));
  await git(folder, 'clone', '--quiet', '--', remote, join(home, 'repositories', task.projectId));
  await git(lost, 'commit', '--quiet', '--allow-empty', '-m', 'work');
  const commit = await git(lost, 'rev-parse', 'HEAD');
  await git(lost, 'push', '--quiet', remote, `HEAD:refs/attractor/${run.id}/1`);
  const id = await store.transact(async (tx) => {
    await tx.updateTable('runs').set({ status: 'completed' }).where('id', '=', run.id).execute();
    const work = { kind: 'push', branch: 'agent/one', commit } as const;
    return putEffect(tx, {
      projectId: task.projectId,
      taskId: task.id,
      runId: run.id,
      key: 'push',
      actor: PERSON,
      work,
    });
  });
  const author = { name: 'Agent', email: 'agent@example.test' };
  const services = { store, home, hostEnv: ENV, author };
  const outbox = createOutbox({
    ...services,
    onUnexpected: (error) => {
      throw error;
    },
  });
  expect(await outbox.settle([id])).toMatchObject([{ state: 'done' }]);
  expect(await git(remote, 'for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads/agent/')).toBe(
    `${commit} refs/heads/agent/one`,
  );
  expect(await git(remote, 'for-each-ref', 'refs/attractor/')).toBe('');
});
