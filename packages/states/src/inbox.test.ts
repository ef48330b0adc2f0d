import { CODING } from '@attractor/pipeline';
import {
  closePrompt,
  insertPrompt,
  listTasks,
  noteWorker,
  openStore,
  saveProviderLimit,
  setLanePaused,
  setQueuePaused,
  type Store,
  type Tx,
  updateRun,
} from '@attractor/store';
import { makeFolder, must, putProject, putRun, putTask } from '@attractor/store/testing';
import { expect, it, onTestFinished } from 'vitest';
import { readInbox } from './inbox.ts';
import { readStates } from './read-states.ts';

const LATER = new Date(Date.now() + 3_600_000).toISOString();
const JOBS: ReadonlyArray<Readonly<Record<string, string>>> = [
  {},
  { account: 'mine' },
  { account: '' },
  { not_before: LATER },
  { state: 'running' },
  ...['budget', 'disk_full', 'no_checkout', 'no_home', 'attempts', 'provider_limit', 'of another version'].flatMap(
    (code) => {
      const message = `Not now: "code":"budget", "until":"${code}"`;
      return [
        { blocked: JSON.stringify({ code, message }) },
        { blocked: JSON.stringify({ code, message, until: LATER }) },
        { state: 'running', blocked: JSON.stringify({ code, message }) },
      ];
    },
  ),
];

/** What may hold back all runs at once, each after those before it. */
const CHANGES: Readonly<Record<string, (tx: Tx, projectId: string) => Promise<void>>> = {
  'no worker is there': async () => undefined,
  'an account is limited': (tx) => saveProviderLimit(tx, { account: 'mine', until: LATER, reason: 'Full', runId: 'r' }),
  'the account of the agent is limited': (tx) =>
    saveProviderLimit(tx, { account: 'scripted', until: LATER, reason: 'Full', runId: 'r' }),
  'a worker is there': (tx) =>
    noteWorker(tx, { id: 'w', owner: 'elsewhere', host: 'there', labels: [], concurrency: 1 }),
  'the project is paused': (tx, projectId) => setLanePaused(tx, projectId, 'paused'),
  'all is paused': (tx) => setQueuePaused(tx, 'paused'),
};

it('lists exactly the tasks whose state needs a person, since when it does, whatever holds their runs back', async () => {
  const store = must(await openStore({ home: makeFolder() }));
  onTestFinished(store.close);
  const project = await putProject(store, CODING);
  const place = { pipelineId: CODING.id, pipelineVersion: CODING.version, status: 'implementing' };
  for (const fields of JOBS) {
    const task = await putTask(store, project, place);
    await store.transact(async (tx) => {
      const run = await putRun(tx, task);
      if (Object.keys(fields).length > 0)
        await tx.updateTable('jobs').set(fields).where('run_id', '=', run.id).execute();
    });
  }
  await putAttempts(store, await putTask(store, project, place));
  await putAsked(store, await putTask(store, project, place));
  for (const status of ['open', 'implementing', 'pr_review', 'done', 'cancelled'])
    await putTask(store, project, { ...place, status });
  const counts: number[] = [];
  for (const [change, apply] of Object.entries(CHANGES)) {
    await store.transact((tx) => apply(tx, project.id));
    const wanted = await needingPerson(store);
    const { items, left } = await readInbox(store, { limit: 1000 });
    expect([change, items.map(({ task, state }) => [task.id, state.label, state.since]), left]).toEqual([
      change,
      wanted,
      0,
    ]);
    const page = await readInbox(store, { limit: 2 });
    expect(page.items.map(({ task }) => task.id)).toEqual(wanted.slice(0, 2).map(([id]) => id));
    expect(page.left).toBe(wanted.length - 2);
    counts.push(wanted.length);
  }
  expect(new Set(counts).size).toBeGreaterThan(3);
});

async function needingPerson(store: Store) {
  const stated = await readStates(store, await listTasks(store.read, { limit: 1000 }), { depth: 'steps' });
  return stated
    .flatMap(({ task, state }) => (state.needsPerson ? [[task.id, state.label, state.since] as const] : []))
    .toSorted(([a, , since], [b, , other]) => (`${since} ${a}` < `${other} ${b}` ? -1 : 1));
}

/** The newest of them speaks for the task. */
async function putAttempts(store: Store, task: Parameters<typeof putRun>[1]): Promise<void> {
  await store.transact(async (tx) => {
    const first = await putRun(tx, task);
    await updateRun(tx, { ...first, status: 'completed', finishedAt: LATER });
    await putRun(tx, task);
  });
}

async function putAsked(store: Store, task: Parameters<typeof putRun>[1]): Promise<void> {
  await store.transact(async (tx) => {
    const question = { taskId: task.id, runId: null, key: null, type: 'question' as const };
    const [answered] = [
      await insertPrompt(tx, { ...question, title: 'First?', payload: { questions: [] } }),
      await insertPrompt(tx, { ...question, title: 'Second?', payload: { questions: [] } }),
    ];
    await closePrompt(tx, answered, 'cancelled');
  });
}
