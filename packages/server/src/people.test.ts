import { createApiClient } from '@attractor/api';
import { describe, expect, it, onTestFinished } from 'vitest';
import { proofOf } from './auth.ts';
import { must, newRepository, openRealWorld } from './test-support/real-world.ts';
import { serve, TOKEN, type Served } from './test-support/serve.ts';

const OWNER = { type: 'user', name: 'test' } as const;
const JSON_BODY = { 'content-type': 'application/json' };

async function start() {
  const { workflow } = await openRealWorld();
  const server = await serve({ workflow, heartbeatMs: 20 });
  onTestFinished(() => server.close(100));
  const project = must(await workflow.createProject({ path: newRepository(), name: 'ours' }, OWNER));
  return { workflow, server, project };
}

/** What a browser does with a sign-in address, and then with its cookie. */
async function browser(server: Served, key: string) {
  const login = await fetch(`${server.url}/api/login`, {
    method: 'POST',
    headers: { ...JSON_BODY, origin: server.url },
    body: JSON.stringify({ key }),
  });
  const cookie = (login.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const { csrf = '', user } = JSON.parse(await login.text());
  const headers = { cookie, 'x-attractor-csrf': String(csrf), origin: server.url };
  return {
    status: login.status,
    user,
    client: createApiClient({ baseUrl: server.url, headers: () => headers }),
    follow: () => fetch(`${server.url}/api/events`, { headers }),
  };
}

describe('a user', () => {
  it('signs in once by an address made for them, acts in their own name, and loses it all when they are removed', async () => {
    const { workflow, server, project } = await start();
    must(await workflow.addUser({ name: 'Ada', role: 'operator', projects: [project.id] }, OWNER));
    const { key } = must(await server.client.access.mintKey('ada'));
    const ada = await browser(server, key);
    expect(ada.user).toEqual({ name: 'ada', role: 'operator', projects: [project.id] });
    expect((await browser(server, key)).status).toBe(401);
    expect(must(await ada.client.access.session()).user.name).toBe('ada');
    const task = must(await ada.client.tasks.create({ projectId: project.id, title: 'By Ada', pipelineId: 'simple' }));
    const further = { projectId: project.id, title: 'More', overrides: { additionalDirectories: ['/srv'] } };
    expect(await ada.client.tasks.create(further)).toMatchObject({ ok: false, error: { code: 'forbidden' } });
    const [made] = await workflow.events({ taskId: task.id, type: 'task.created' });
    expect(made?.actor).toMatchObject({
      type: 'user',
      name: 'ada',
      via: 'web',
      userId: expect.stringMatching(/^usr_/),
    });
    const remember = { rules: ['Bash(ls:*)'], destination: 'userSettings' } as const;
    const rule = { answer: { decision: 'approve', remember } } as const;
    expect(await ada.client.prompts.answerMany({ answers: [{ promptId: task.id, ...rule }] })).toMatchObject({
      ok: true,
      value: { refused: [{ code: 'forbidden' }] },
    });
    expect(await ada.client.users.list()).toMatchObject({ ok: false, error: { code: 'forbidden' } });
    expect(await ada.client.access.mintKey('owner')).toMatchObject({ ok: false, error: { code: 'forbidden' } });
    const stream = await ada.follow();
    must(await workflow.removeUser('ada', OWNER));
    expect(await stream.text()).toContain('event: closing');
    expect(await ada.client.tasks.list()).toMatchObject({ ok: false, error: { code: 'unauthorised' } });
    must(await workflow.addUser({ name: 'ada', role: 'admin' }, OWNER));
    expect(await ada.client.tasks.list()).toMatchObject({ ok: false, error: { code: 'unauthorised' } });
  });

  it('has the role of now, and no session from before they were signed out', async () => {
    const { workflow, server } = await start();
    must(await workflow.addUser({ name: 'ben', role: 'viewer' }, OWNER));
    const ben = await browser(server, must(await server.client.access.mintKey('ben')).key);
    expect(await ben.client.queue.pause()).toMatchObject({ ok: false, error: { code: 'forbidden' } });
    must(await workflow.changeUser('ben', { role: 'operator' }, OWNER));
    expect((await ben.client.queue.pause()).ok).toBe(true);
    expect((await ben.client.access.mintKey()).ok).toBe(true);
    must(await workflow.changeUser('ben', { endSessions: true }, OWNER));
    expect(await ben.client.queue.resume()).toMatchObject({ ok: false, error: { code: 'unauthorised' } });
  });
});

describe('an API key', () => {
  it('is never more than its user, is told once, and ends when it is revoked, expires or its user goes', async () => {
    const { workflow, server, project } = await start();
    must(await workflow.addUser({ name: 'ada', role: 'operator', projects: [project.id] }, OWNER));
    const add = async () => must(await server.client.keys.add({ name: 'ci', user: 'ada', role: 'admin' }));
    // On a busy machine a moment may be over before the server hears of it.
    const addFor = async (ms: number): Promise<{ readonly secret: string }> => {
      const expiresAt = new Date(Date.now() + ms).toISOString();
      const added = await server.client.keys.add({ name: 'ci', user: 'ada', role: 'admin', expiresAt });
      return added.ok ? added.value : addFor(ms * 4);
    };
    const { key, secret } = await add();
    expect(secret.startsWith(`${key.prefix}_`)).toBe(true);
    const client = createApiClient({ baseUrl: server.url, token: secret });
    expect(await client.users.list()).toMatchObject({ ok: false, error: { code: 'forbidden' } });
    const task = must(await client.tasks.create({ projectId: project.id, title: 'By a key', pipelineId: 'simple' }));
    expect(await client.access.mintKey()).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('API key') },
    });
    const [listed] = must(await server.client.keys.list());
    expect(listed).toMatchObject({ prefix: key.prefix, user: 'ada', lastUsedAt: expect.stringMatching(/^20/) });
    const [act] = await workflow.audit({ act: 'task.created' });
    expect(act).toMatchObject({ person: 'ada', via: 'api', apiKey: key.prefix, taskId: task.id });
    expect(JSON.stringify([listed, await workflow.audit()])).not.toContain(secret.slice(key.prefix.length + 1));

    must(await server.client.keys.revoke(key.prefix));
    expect(await client.tasks.list()).toMatchObject({ ok: false, error: { code: 'unauthorised' } });
    expect(await server.client.keys.add({ name: 'late', expiresAt: '2020-01-01T00:00:00Z' })).toMatchObject({
      ok: false,
    });
    const short = await addFor(200);
    await expect.poll(() => workflow.keyHolder(short.secret)).toBeNull();
    const last = await add();
    expect(await workflow.keyHolder(last.secret)).toMatchObject({ user: { name: 'ada' } });
    must(await workflow.removeUser('ada', OWNER));
    expect(await workflow.keyHolder(last.secret)).toBeNull();
  });

  it('is sent only to a server that proves that it knows it', async () => {
    const { server } = await start();
    const { key, secret } = must(await server.client.keys.add({ name: 'ci' }));
    const challenge = { text: 'c'.repeat(20), at: `127.0.0.1:${server.port}` };
    const asked = async (prefix: string) => {
      const query = new URLSearchParams({ challenge: challenge.text, at: challenge.at, key: prefix });
      return (await fetch(`${server.url}/healthz?${query.toString()}`)).json();
    };
    const hash = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(secret))).toString('hex');
    expect(await asked(key.prefix)).toEqual({ ok: true, proof: proofOf(hash, challenge) });
    expect(await asked('atk_none')).toEqual({ ok: true });
    must(await server.client.keys.revoke(key.prefix));
    expect(await asked(key.prefix)).toEqual({ ok: true });
  });
});

describe('the audit', () => {
  it('tells who did what, also of tasks that are gone, and of sign-ins, users, keys and guessing', async () => {
    const { server, project } = await start();
    must(await server.client.users.add({ name: 'ada', role: 'operator' }));
    const ada = await browser(server, must(await server.client.access.mintKey('ada')).key);
    const task = must(
      await ada.client.tasks.create({ projectId: project.id, title: 'Short-lived', pipelineId: 'simple' }),
    );
    must(await ada.client.tasks.delete(task.id));
    for (let guess = 0; guess < 13; guess += 1)
      await fetch(`${server.url}/api/tasks`, { headers: { authorization: `Bearer guess${guess}` } });
    const entries = must(await server.client.audit.list());
    expect(entries.map(({ person, act }) => `${person} ${act}`).toReversed()).toEqual([
      'owner project.created',
      'owner user.added',
      'owner user.sign_in_offered',
      'ada user.signed_in',
      'ada task.created',
      'ada task.deleted',
      'unknown sign_in.refused',
    ]);
    expect(must(await server.client.audit.list({ person: 'ada', limit: 1 }))).toMatchObject([{ taskId: task.id }]);
    expect(await ada.client.audit.list()).toMatchObject({ ok: false, error: { code: 'forbidden' } });
    const reader = createApiClient({ baseUrl: server.url, token: TOKEN });
    const [newest] = entries;
    expect(must(await reader.audit.list({ beforeEntry: newest?.id ?? '' }))).toHaveLength(entries.length - 1);
  });
});
