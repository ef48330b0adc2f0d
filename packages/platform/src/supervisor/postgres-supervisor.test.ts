import { describe, expect, it, onTestFinished } from 'vitest';
import { askPerson } from '@attractor/pipeline';
import { claimJob } from '../queue/claim.ts';
import { openStore, ownName, type Store } from '@attractor/store';
import { deadOwner } from '../test-support/dead-owner.ts';
import { makeFolder, must, PERSON, putProject, putRun, putTask } from '@attractor/store/testing';
import { openedDatabase } from '../test-support/opened-database.ts';
import { takeTurn } from './lease.ts';
import { supervisorSettings } from './settings.ts';
import { createSupervisor } from './supervisor.ts';

const RUNS = 6;

/** Runs of a dead worker, a question that waits, and a run that lost its place: what several supervisors then fall upon. */
async function troubledStores(): Promise<ReadonlyArray<Store>> {
  const databaseUrl = await openedDatabase();
  const stores = await Promise.all([0, 1, 2].map(async () => must(await openStore({ databaseUrl }))));
  onTestFinished(async () => {
    for (const store of stores) await store.close();
  });
  const [store] = stores;
  if (store === undefined) throw new Error('no store');
  const project = await putProject(store);
  for (let index = 0; index < RUNS; index += 1) {
    const task = await putTask(store, project);
    await store.transact((tx) => putRun(tx, task));
    await claimJob(store, { owner: ownName() });
  }
  const owner = await deadOwner();
  await store.transact((tx) => tx.updateTable('jobs').set({ owner }).execute());
  const task = await putTask(store, project);
  await store.transact(async (tx) => {
    await putRun(tx, task);
    await tx.updateTable('jobs').set({ state: 'done' }).where('state', '=', 'queued').execute();
    const question = {
      taskId: task.id,
      runId: null,
      key: null,
      type: 'question',
      title: 'Which?',
      payload: {},
    } as const;
    await askPerson(tx, question, { projectId: project.id, actor: PERSON });
    await tx.updateTable('prompts').set({ created_at: '2026-01-01T00:00:00.000Z' }).execute();
  });
  return stores;
}

describe('several supervisors on one PostgreSQL', () => {
  it('deal with each trouble once, at once and again later', async () => {
    const stores = await troubledStores();
    const settings = supervisorSettings({});
    const author = { name: 'Agent', email: 'agent@example.test' };
    // Homes of their own: three machines, which share the records.
    const supervisors = stores.map((store) => createSupervisor({ store, home: makeFolder(), author, settings }));
    const reports = await Promise.all(supervisors.flatMap((one) => [one.runOnce(), one.runOnce()]));
    expect(reports.flatMap(({ problems }) => problems)).toEqual([]);
    const found = reports.flatMap(({ findings }) => findings.map(({ check }) => check)).toSorted();
    expect(found).toEqual([...Array.from({ length: RUNS }, () => 'dead-owners'), 'orphan-runs', 'waiting-reminders']);
    const types = ['supervisor.orphan_recovered', 'supervisor.reminder_sent', 'supervisor.retry_released'];
    const events = await stores[0]?.read.selectFrom('events').select('type').where('type', 'in', types).execute();
    expect(events).toHaveLength(RUNS + 2);
  });

  it('leave the turn to whoever has it', async () => {
    const stores = await troubledStores();
    const turns = await Promise.all(stores.map((store) => takeTurn(store, 'records')));
    expect(turns.filter((turn) => turn !== null)).toHaveLength(1);
  });
});
