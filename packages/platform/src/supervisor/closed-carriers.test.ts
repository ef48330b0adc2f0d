import { join } from 'node:path';
import { type AgentRun, appendEvents, openStore, type Store, type Task } from '@attractor/store';
import { makeFolder, must, PERSON, putProject, putRun, putTask, SAMPLE_PIPELINE } from '@attractor/store/testing';
import { ENV, git, makeRepository } from '@attractor/repository/testing';
import { expect, it, onTestFinished } from 'vitest';
import { openedDatabase } from '../test-support/opened-database.ts';
import { closedCarriers } from './closed-carriers.ts';
import { supervisorSettings } from './settings.ts';

const ENDED = { status: SAMPLE_PIPELINE.terminalStatuses[0] ?? '', updatedAt: '2026-01-01T00:00:00.000Z' };

/** A run that ended on a machine that is gone, and what it left on the remote. */
async function endedRun(
  store: Store,
  task: Task,
  { status, lost }: { readonly status: AgentRun['status']; readonly lost: string },
) {
  const run = await store.transact(async (tx) => {
    const { id } = await putRun(tx, task);
    await tx.updateTable('runs').set({ status }).where('id', '=', id).execute();
    const event = { projectId: task.projectId, taskId: task.id, runId: id, actor: PERSON, data: {} } as const;
    await appendEvents(tx, [{ ...event, type: 'note.added', summary: 'It ran.' }]);
    return id;
  });
  await carry(lost, run);
  return run;
}

async function carry(lost: string, run: string): Promise<void> {
  await git(lost, 'push', '--quiet', 'origin', `HEAD:refs/attractor/${run}/1`, `HEAD:refs/attractor/${run}/state/1`);
}

it('PostgreSQL: what others carried of a task that has ended goes from the remote, and is kept here if its run was lost', async () => {
  const store = must(await openStore({ databaseUrl: await openedDatabase() }));
  onTestFinished(() => store.close());
  const [folder, home] = [makeFolder(), makeFolder()];
  const [remote, lost] = [join(folder, 'remote.git'), join(folder, 'lost')];
  await git(folder, 'clone', '--quiet', '--bare', '--', await makeRepository(), remote);
  await git(folder, 'clone', '--quiet', '--', remote, lost);
  await git(lost, 'commit', '--quiet', '--allow-empty', '-m', 'half of it');
  const project = await putProject(store);
  const [open, done, failed] = [
    await putTask(store, project),
    await putTask(store, project, ENDED),
    await putTask(store, project, ENDED),
  ];
  const here = join(home, 'repositories', project.id);
  await git(folder, 'clone', '--quiet', '--', remote, here);
  const ofOpen = await endedRun(store, open, { status: 'failed', lost });
  const ofDone = await endedRun(store, done, { status: 'completed', lost });
  await endedRun(store, failed, { status: 'failed', lost });
  await carry(lost, 'run_ofanotherdatabase');

  const author = { name: 'Agent', email: 'agent@example.test' };
  const settings = supervisorSettings({ keepWorktreesMs: 0 });
  const check = closedCarriers(ENV);
  const round = () => check({ store, home, author, settings });
  const left = async () =>
    (await git(remote, 'for-each-ref', '--format=%(refname)', 'refs/attractor/'))
      .split('\n')
      .map((ref) => ref.split('/')[2]);
  expect((await round()).map(({ check: name }) => name)).toEqual(['closed-carriers', 'closed-carriers']);
  expect(await left()).toEqual([ofOpen, ofOpen, 'run_ofanotherdatabase', 'run_ofanotherdatabase'].toSorted());
  expect(await git(here, 'for-each-ref', '--format=%(refname) %(contents:subject)', 'refs/attractor/')).toBe(
    `refs/attractor/rescue/${failed.id}/1 half of it`,
  );
  // The remote is not asked every minute; a process that starts does so.
  await carry(lost, ofDone);
  expect(await round()).toEqual([]);
  expect(await closedCarriers(ENV)({ store, home, author, settings })).toMatchObject([{ runId: ofDone }]);
  expect(await left()).not.toContain(ofDone);
});
