import { AGAIN_HEADER, createApiClient } from '@attractor/api';
import { openPlatform, unconfined } from '@attractor/platform';
import { sharedDatabase } from '@attractor/store/testing';
import { expect, it, onTestFinished } from 'vitest';
import { createApp } from './app.ts';
import { must, newFolder, newRepository } from './test-support/real-world.ts';
import { TOKEN } from './test-support/serve.ts';

/** A server of the database; several are as several machines are. */
async function openOn(databaseUrl: string) {
  const options = { home: newFolder(), databaseUrl, agents: [], env: {}, confine: unconfined, concurrency: 0 };
  const opened = must(await openPlatform(options));
  onTestFinished(() => opened.close());
  const app = createApp({ workflow: opened.workflow, token: TOKEN });
  const client = (token: string) =>
    createApiClient({ baseUrl: 'http://127.0.0.1', token, fetch: async (request) => app.fetch(request) });
  const post = async (key: string, body: unknown) => {
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', 'idempotency-key': key };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await app.fetch(new Request('http://127.0.0.1/api/tasks', init));
    return { again: response.headers.get(AGAIN_HEADER), text: await response.text() };
  };
  return { client, post, owner: client(TOKEN) };
}

it('on PostgreSQL two servers know the same users, keys and audit, and carry a call with a key out once', async () => {
  const databaseUrl = await sharedDatabase();
  const [one, two] = [await openOn(databaseUrl), await openOn(databaseUrl)];
  const project = must(await one.owner.projects.create({ path: newRepository() }));
  must(await one.owner.users.add({ name: 'ada', role: 'operator', projects: [project.id] }));
  expect(await two.owner.users.add({ name: 'ada', role: 'viewer' })).toMatchObject({ error: { code: 'conflict' } });
  const { key, secret } = must(await one.owner.keys.add({ name: 'ci', user: 'ada', role: 'admin' }));
  const ada = two.client(secret);
  expect(await ada.users.list()).toMatchObject({ ok: false, error: { code: 'forbidden' } });
  must(await ada.tasks.create({ projectId: project.id, title: 'By a key' }));
  const [act] = must(await one.owner.audit.list({ person: 'ada' }));
  expect(act).toMatchObject({ act: 'task.created', apiKey: key.prefix });

  const body = { projectId: project.id, title: 'Once' };
  const answers = await Promise.all([one, two, one, two].map(({ post }) => post('k1', body)));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(answers.filter(({ again }) => again === null)).toHaveLength(1);
  expect((await two.post('k1', { ...body, title: 'Other' })).text).toContain('another call');
  expect(must(await two.owner.tasks.list())).toHaveLength(2);

  must(await two.owner.users.change('ada', { role: 'viewer' }));
  expect(await one.client(secret).tasks.create({ projectId: project.id, title: 'No' })).toMatchObject({
    error: { code: 'forbidden' },
  });
  must(await one.owner.users.remove('ada'));
  expect(await ada.tasks.list()).toMatchObject({ ok: false, error: { code: 'unauthorised' } });
});
