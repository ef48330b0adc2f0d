import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApiClient } from '@attractor/api';
import { afterEach, describe, expect, it } from 'vitest';
import { composeServer, composeWorker, type ComposedServer } from './compose.ts';
import { readServerRecord, writeServerRecord } from './server-record.ts';
import { readOrMakeToken } from './token-file.ts';

const folders: string[] = [];
const servers: ComposedServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
});

async function newHome() {
  const folder = await mkdtemp(join(tmpdir(), 'attractor-server-'));
  folders.push(folder);
  return folder;
}

async function start(home: string, port = 0) {
  const composed = await composeServer({ home, env: {}, llm: {}, port });
  if (!composed.ok) throw new Error(composed.error.message);
  servers.push(composed.value);
  return composed.value;
}

describe('a composed server', () => {
  it('serves the real platform on loopback, to who has the token', async () => {
    const home = await newHome();
    const server = await start(home);
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const client = createApiClient({ baseUrl: server.url, token: server.token });
    expect(await client.projects.list()).toEqual({ ok: true, value: [] });
    expect(await client.pipelines.get('coding')).toMatchObject({ ok: true, value: { id: 'coding' } });
    expect(await client.tasks.listView()).toMatchObject({ ok: true, value: { rows: {} } });
    const byName = await server.app.fetch(new Request(`http://${hostname()}:${server.port}/healthz`));
    expect(byName.status).toBe(hostname() === 'localhost' ? 200 : 403);
    const stranger = createApiClient({ baseUrl: server.url, token: 'guess' });
    expect(await stranger.projects.list()).toMatchObject({ ok: false, error: { code: 'unauthorised' } });
  });

  it('says of agents whether those that are the default somewhere can work', async () => {
    const home = await newHome();
    const mine = { type: 'cli', command: ['/bin/true', '{promptFile}'] };
    await writeFile(join(home, 'config.json'), JSON.stringify({ agents: { mine } }));
    const { workflow, url, token } = await start(home);
    const client = createApiClient({ baseUrl: url, token });
    const ready = async () => {
      const status = await client.health.status();
      return status.ok ? status.value.health.parts.find(({ name }) => name === 'agents') : undefined;
    };
    expect(await ready()).toMatchObject({ ok: false, summary: expect.stringMatching(/^native can't work: /) });
    const path = await newHome();
    execFileSync('git', ['init', '--quiet', path]);
    const ada = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.test'];
    execFileSync('git', ['-C', path, ...ada, 'commit', '--quiet', '--allow-empty', '-m', 'first']);
    const actor = { type: 'user', name: 'test' } as const;
    const project = await workflow.createProject({ path, name: 'slugs' }, actor);
    expect(await ready()).toMatchObject({
      ok: false,
      summary: expect.stringContaining("native, the default of slugs, can't work: No API key"),
    });
    await workflow.updateProject(project.ok ? project.value.id : '', { config: { defaultAgentType: 'mine' } }, actor);
    expect(await ready()).toMatchObject({ ok: true, summary: 'mine, scripted can work' });
    await writeFile(join(home, 'config.json'), JSON.stringify({ agents: { mine }, defaultAgentType: 'mine' }));
    const agents = await client.agents.list();
    expect(agents.ok ? agents.value.filter(({ isDefault }) => isDefault).map(({ type }) => type) : []).toEqual([
      'mine',
    ]);
    await writeFile(join(home, 'config.json'), '{\n  "agents": ');
    const unread = await client.agents.list();
    expect(unread.ok && unread.value.length > 0).toBe(true);
    for (const { available, reason } of unread.ok ? unread.value : [])
      expect([available, reason]).toEqual([false, expect.stringMatching(/^\/.*\/config\.json:2: [^\n]+$/)]);
    expect(await ready()).toMatchObject({ ok: false, summary: expect.stringContaining('config.json:2: ') });
  });

  it('is not reachable from other machines before there are users, and says how to make one', async () => {
    const home = await newHome();
    const remote = { home, env: {}, llm: {}, host: '0.0.0.0', allowRemote: true } as const;
    const refused = await composeServer(remote);
    expect(refused).toMatchObject({ ok: false, error: { message: expect.stringContaining('attractor users add') } });
    const local = await start(home);
    await local.workflow.addUser({ name: 'ada', role: 'admin' }, { type: 'user', name: 'test' });
    await local.close();
    servers.pop();
    const reachable = await composeServer(remote);
    expect(reachable.ok).toBe(true);
    if (reachable.ok) await reachable.value.close();
  });

  it('keeps its token in a file of its owner alone, over restarts', async () => {
    const home = await newHome();
    const first = await start(home);
    const file = join(home, 'token');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await readFile(file, 'utf8')).trim()).toBe(first.token);
    expect(Buffer.from(first.token, 'base64url')).toHaveLength(32);
    await first.close();
    servers.pop();
    const second = await start(home);
    expect(second.token).toBe(first.token);
  });

  it('puts the sign-in key behind #, where no server, log or Referer sees it, and never the token', async () => {
    const server = await start(await newHome());
    const address = new URL(server.signInUrl('/tasks/tsk_1'));
    expect(address.pathname).toBe('/tasks/tsk_1');
    expect(address.search).toBe('');
    expect(address.hash).toMatch(/^#key=[\w-]{43}$/);
    expect(address.hash).not.toContain(server.token);
    expect(server.signInUrl()).not.toBe(server.signInUrl());
  });

  it('writes into its home only and leaves a port in use, a broken token or an unusable home as one clear line', async () => {
    const home = await newHome();
    const server = await start(home);
    expect((await readdir(home)).toSorted()).toContain('token');
    const other = await newHome();
    const busy = await composeServer({ home: other, env: {}, llm: {}, port: server.port });
    expect(busy).toMatchObject({ ok: false, error: { code: 'port_in_use' } });
    const remote = await composeServer({ home: other, env: {}, llm: {}, host: '0.0.0.0' });
    expect(remote).toMatchObject({ ok: false, error: { code: 'remote_refused' } });
    const broken = await newHome();
    await writeFile(join(broken, 'token'), 'short');
    expect(await composeServer({ home: broken, env: {}, llm: {} })).toMatchObject({
      ok: false,
      error: { code: 'database' },
    });
    const file = join(await newHome(), 'file');
    await writeFile(file, '');
    const unusable = await composeServer({ home: file, env: {}, llm: {} });
    expect(unusable).toMatchObject({ ok: false, error: { code: 'database' } });
  });
});

const modeOf = async (file: string): Promise<number> => (await stat(file)).mode & 0o777;

it('the home folder, the token and the record of the server are for their owner alone', async () => {
  const home = join(await newHome(), 'home');
  expect(await readOrMakeToken(home)).toMatchObject({ ok: true });
  const record = { url: 'http://127.0.0.1:1', pid: process.pid };
  await writeServerRecord(home, record);
  expect(await readServerRecord(home)).toEqual(record);
  expect(await modeOf(home)).toBe(0o700);
  for (const name of ['token', 'server.json']) expect([name, await modeOf(join(home, name))]).toEqual([name, 0o600]);
});

it('a token that others could read is theirs no longer once it is read', async () => {
  const home = join(await newHome(), 'home');
  await readOrMakeToken(home);
  await writeFile(join(home, 'token'), 'x'.repeat(43));
  await chmod(join(home, 'token'), 0o644);
  expect(await readOrMakeToken(home)).toEqual({ ok: true, value: 'x'.repeat(43) });
  expect(await modeOf(join(home, 'token'))).toBe(0o600);
});

it('a worker does not start where it can not write to its home, wherever the database is', async () => {
  const file = join(await newHome(), 'file');
  await writeFile(file, '');
  const env = { ATTRACTOR_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
  const worker = await composeWorker({ home: join(file, 'home'), env, llm: {} });
  expect(worker).toMatchObject({ ok: false, error: { message: expect.stringContaining("home can't be written to") } });
});
