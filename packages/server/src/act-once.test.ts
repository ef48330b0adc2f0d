import { AGAIN_HEADER, createApiClient } from '@attractor/api';
import { openPlatform, unconfined } from '@attractor/platform';
import { openStore, claimCall } from '@attractor/store';
import { expect, it, onTestFinished } from 'vitest';
import { createApp } from './app.ts';
import { checkAnswers } from './test-support/check-answers.ts';
import { must, newFolder, newRepository } from './test-support/real-world.ts';
import { TOKEN } from './test-support/serve.ts';

/** A server of a home; several of one home are as several processes are. */
async function openOn(home: string) {
  const opened = await openPlatform({ home, agents: [], env: {}, confine: unconfined, concurrency: 0 });
  if (!opened.ok) throw new Error(opened.error.message);
  onTestFinished(() => opened.value.close());
  const { fetch } = checkAnswers(createApp({ workflow: opened.value.workflow, token: TOKEN }));
  const client = createApiClient({
    baseUrl: 'http://127.0.0.1',
    token: TOKEN,
    fetch: async (request) => fetch(request),
  });
  const post = async (path: string, key: string, body: unknown) => {
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', 'idempotency-key': key };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(new Request(`http://127.0.0.1${path}`, init));
    const read: unknown = await response.json();
    return { status: response.status, again: response.headers.get(AGAIN_HEADER), body: read };
  };
  return { client, post, close: opened.value.close };
}

it('a call with a key is carried out once: again, at once from two servers, and after a restart', async () => {
  const home = newFolder();
  const one = await openOn(home);
  const project = must(await one.client.projects.create({ path: newRepository() }));
  const body = { projectId: project.id, title: 'Once' };
  const first = await one.post('/api/tasks', 'k1', body);
  expect(first).toMatchObject({ status: 200, again: null, body: { title: 'Once' } });
  expect(await one.post('/api/tasks', 'k1', body)).toEqual({ ...first, again: 'true' });

  const two = await openOn(home);
  const answers = await Promise.all([one, two, one, two].map(({ post }) => post('/api/tasks', 'k2', body)));
  expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
  expect(answers.filter(({ again }) => again === null)).toHaveLength(1);

  const later = await openOn(home);
  expect(await later.post('/api/tasks', 'k1', body)).toEqual({ ...first, again: 'true' });
  expect(must(await later.client.tasks.list())).toHaveLength(2);
});

it('a key for another call is refused, a malformed one too, and a refused call leaves its key free', async () => {
  const { client, post } = await openOn(newFolder());
  const project = must(await client.projects.create({ path: newRepository() }));
  const body = { projectId: project.id, title: 'Once' };
  expect(await post('/api/tasks', 'k1', body)).toMatchObject({ status: 200 });
  expect(await post('/api/tasks', 'k1', { ...body, title: 'Other' })).toMatchObject({
    status: 422,
    body: { error: { code: 'invalid', message: expect.stringContaining('another call') } },
  });
  expect(await post('/api/queue/pause', 'k1', {})).toMatchObject({ status: 422 });
  expect(await post('/api/tasks', 'two words', body)).toMatchObject({ status: 400 });
  expect(await post('/api/tasks', 'k2', { ...body, projectId: 'prj_none' })).toMatchObject({ status: 404 });
  expect(await post('/api/tasks', 'k2', body)).toMatchObject({ status: 200, again: null });
});

it('a call that was claimed by a process that died is carried out, and a key is forgotten after a day', async () => {
  const home = newFolder();
  const { client, post } = await openOn(home);
  const project = must(await client.projects.create({ path: newRepository() }));
  const body = { projectId: project.id, title: 'Once' };
  const first = await post('/api/tasks', 'k1', body);
  const opened = await openStore({ home });
  if (!opened.ok) throw new Error(opened.error.message);
  const store = opened.value;
  onTestFinished(() => store.close());
  const rows = store.read.selectFrom('call_keys').selectAll();
  const [kept] = await rows.execute();
  // As a process leaves it that ended between its change and its answer.
  const dead = JSON.stringify({ host: 'elsewhere', pid: 1 });
  await store.transact((tx) =>
    tx.updateTable('call_keys').set({ state: 'acted', owner: dead, lease_until: 0 }).execute(),
  );
  expect(await post('/api/tasks', 'k1', body)).toEqual({ ...first, again: 'true' });
  // As one leaves it that ended before it changed anything.
  await store.transact((tx) =>
    tx.updateTable('call_keys').set({ state: 'claimed', owner: dead, lease_until: 0 }).execute(),
  );
  expect(await post('/api/tasks', 'k1', body)).toMatchObject({ status: 200, again: null });
  const old = new Date(Date.now() - 25 * 60 * 60 * 1000).toISOString();
  await store.transact((tx) => tx.updateTable('call_keys').set({ created_at: old }).execute());
  const call = { caller: kept?.caller ?? '', key: 'k1', hash: 'another' };
  expect(await store.transact((tx) => claimCall(tx, call))).toBeNull();
});
