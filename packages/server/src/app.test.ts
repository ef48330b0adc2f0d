import { request } from 'node:http';
import { createApiClient } from '@attractor/api';
import { afterEach, describe, expect, it } from 'vitest';
import { createApp } from './app.ts';
import { createAccess } from './auth.ts';
import { listen } from './listen.ts';
import { createMemoryWorkflow, newProject } from './test-support/memory-workflow.ts';
import { serve, TOKEN, type Served } from './test-support/serve.ts';

const servers: Served[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close(100)));
});

async function start() {
  const workflow = await createMemoryWorkflow();
  workflow.append({ type: 'project.created', summary: 'Project', data: { project: newProject('/repo') } });
  const server = await serve({ workflow });
  servers.push(server);
  return { server, workflow };
}

const bearer = { authorization: `Bearer ${TOKEN}` };
const json = { 'content-type': 'application/json' };

describe('the tools of our agents', () => {
  it('are told by name, with what they do and the arguments that say what a call is about', async () => {
    const { server } = await start();
    const client = createApiClient({ baseUrl: server.url, token: TOKEN });
    const answer = await client.agents.tools();
    const tools = answer.ok ? answer.value : [];
    expect(tools.find(({ name }) => name === 'grep')).toEqual({
      name: 'grep',
      names: ['grep', 'Grep', 'search_file_content'],
      does: 'searches file contents',
      subject: ['pattern'],
    });
  });
});

/** Who has no session yet asks for these. */
const WAYS_IN = new Set(['/api/sign-in-ways', '/api/oidc/sign-in', '/api/oidc/callback']);

describe('every route', () => {
  it('answers 401 without a token, as enumerated from the router itself', async () => {
    const { server } = await start();
    const routes = server.app.hono.routes.filter(
      ({ path, method }) => path.startsWith('/api/') && method !== 'ALL' && !WAYS_IN.has(path),
    );
    expect(routes.length).toBeGreaterThan(20);
    for (const { method, path } of routes) {
      const response = await fetch(server.url + path.replaceAll(/:\w+/g, 'x'), {
        method,
        ...(method === 'POST' ? { headers: json, body: '{"key":"wrong"}' } : {}),
      });
      expect([response.status, method, path]).toEqual([401, method, path]);
    }
    expect((await fetch(`${server.url}/api/anything-else`)).status).toBe(401);
  });

  it('answers 401 to a wrong token and slows down after many', async () => {
    const { server } = await start();
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 12; attempt += 1) {
      const response = await fetch(`${server.url}/api/tasks`, { headers: { authorization: `Bearer wrong${attempt}` } });
      statuses.push(response.status);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429]);
    const right = await fetch(`${server.url}/api/tasks`, { headers: bearer });
    expect(right.status).toBe(200);
  });

  it('refuses foreign and null origins on every verb, even with the token', async () => {
    const { server } = await start();
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']) {
      for (const origin of ['http://evil.test', 'null', 'http://127.0.0.1:1', `${server.url}.evil.test`]) {
        for (const path of ['/api/tasks', '/api/events', '/']) {
          const response = await fetch(server.url + path, { method, headers: { ...bearer, ...json, origin } });
          expect([response.status, method, origin, path]).toEqual([403, method, origin, path]);
          expect(response.headers.get('access-control-allow-origin')).toBeNull();
          expect(response.headers.get('vary')).toContain('Origin');
        }
      }
    }
    const own = await fetch(`${server.url}/api/tasks`, { headers: { ...bearer, origin: server.url } });
    expect(own.status).toBe(200);
  });

  it('refuses host names that are not its own', async () => {
    const { server } = await start();
    for (const host of ['evil.test', '127.0.0.1.evil.test', 'localhost.', 'xn--lcalhost-d1a', 'EVIL.test:80'])
      expect([await statusWithHost(server.port, host), host]).toEqual([403, host]);
    for (const host of ['127.0.0.1@evil.test', 'a/b', 'evil.test#127.0.0.1'])
      expect([await statusWithHost(server.port, host), host]).toEqual([400, host]);
    for (const host of ['localhost', 'LOCALHOST:99', '127.0.0.1', '[::1]:80'])
      expect([await statusWithHost(server.port, host), host]).toEqual([200, host]);
  });

  it('carries the security headers: nothing but our own files and our own API, no frame, no guessing, nothing kept', async () => {
    const { server } = await start();
    for (const path of ['/', '/api/tasks', '/healthz', '/api/nope']) {
      const { headers } = await fetch(server.url + path, { headers: bearer });
      const policy = (headers.get('content-security-policy') ?? '').split('; ').toSorted();
      expect(policy).toEqual([
        "base-uri 'none'",
        "connect-src 'self'",
        "default-src 'none'",
        "font-src 'self'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "img-src 'self'",
        "manifest-src 'self'",
        "require-trusted-types-for 'script'",
        "script-src 'self'",
        "style-src 'self'",
      ]);
      expect(Object.fromEntries(headers)).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'x-dns-prefetch-control': 'off',
        'permissions-policy': 'camera=(), geolocation=(), microphone=()',
        ...(path.startsWith('/api/') ? { 'cache-control': 'no-store' } : {}),
      });
    }
  });
});

describe('bodies', () => {
  const post = (server: Served, headers: Record<string, string>, body: string | Uint8Array<ArrayBuffer>) =>
    fetch(`${server.url}/api/tasks`, { method: 'POST', headers: { ...bearer, ...headers }, body });

  it('are JSON only', async () => {
    const { server } = await start();
    const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/jsonp', ''];
    for (const type of types) expect((await post(server, { 'content-type': type }, '{}')).status).toBe(415);
    expect((await post(server, { ...json, 'content-encoding': 'gzip' }, '{}')).status).toBe(415);
  });

  it('that are broken, deep, of another shape or too large give 4xx and leave the server well', async () => {
    const { server } = await start();
    const bodies: ReadonlyArray<[string, number]> = [
      ['{', 400],
      ['', 400],
      ['null', 400],
      ['[]', 400],
      ['"text"', 400],
      ['['.repeat(200_000), 400],
      ['{"a":'.repeat(100_000), 400],
      ['{"projectId":"prj_1","title":""}', 400],
      ['{"projectId":"prj_1","title":7}', 400],
      ['{"projectId":"prj_1","title":"t","extra":1}', 400],
      [`{"projectId":"prj_1","title":"${'x'.repeat(2_000_000)}"}`, 413],
    ];
    for (const [body, status] of bodies) {
      const response = await post(server, json, body);
      expect([response.status, body.slice(0, 40)]).toEqual([status, body.slice(0, 40)]);
      expect(await response.text()).not.toMatch(/\bat .*\.ts:\d+/);
    }
    expect((await server.client.tasks.list()).ok).toBe(true);
  });

  it('that never end are cut off while others are served', async () => {
    const { server } = await start();
    const slow = request({
      host: '127.0.0.1',
      port: server.port,
      path: '/api/tasks',
      method: 'POST',
      headers: { ...bearer, ...json },
    });
    slow.on('error', () => undefined);
    slow.write('{"title":');
    expect((await server.client.tasks.list()).ok).toBe(true);
    slow.destroy();
  });
});

describe('browsers', () => {
  async function signIn(server: Served, key: string) {
    const headers = { ...json, origin: server.url };
    const response = await fetch(`${server.url}/api/login`, { method: 'POST', headers, body: JSON.stringify({ key }) });
    const cookie = response.headers.get('set-cookie') ?? '';
    const csrf = /"csrf":"([^"]+)"/.exec(await response.text())?.[1] ?? '';
    return { status: response.status, cookie, pair: cookie.split(';')[0] ?? '', csrf };
  }

  it('trade a one-time key for a cookie that scripts cannot read, once', async () => {
    const { server } = await start();
    const key = server.app.mintKey();
    const first = await signIn(server, key);
    expect(first.status).toBe(200);
    expect(first.cookie).toMatch(/HttpOnly/);
    expect(first.cookie).toMatch(/SameSite=Strict/);
    expect(first.cookie).toMatch(/Path=\/api/);
    expect(first.cookie).not.toContain(TOKEN);
    expect((await signIn(server, key)).status).toBe(401);
    expect((await signIn(server, TOKEN)).status).toBe(200);
    const [oldest = '', ...newer] = Array.from({ length: 65 }, server.app.mintKey);
    expect((await signIn(server, oldest)).status).toBe(401);
    expect((await signIn(server, newer[0] ?? '')).status).toBe(200);
  });

  it('must show the CSRF value with the cookie on every call, and an origin on every change', async () => {
    const { server } = await start();
    const { pair, csrf } = await signIn(server, server.app.mintKey());
    const call = (method: string, headers: Record<string, string>) =>
      fetch(`${server.url}/api/tasks`, {
        method,
        headers: { cookie: pair, ...json, ...headers },
        ...(method === 'POST' ? { body: '{"projectId":"prj_1","title":"From the browser"}' } : {}),
      }).then((response) => response.status);
    expect(await call('GET', {})).toBe(403);
    expect(await call('GET', { 'x-attractor-csrf': 'guess' })).toBe(403);
    expect(await call('GET', { 'x-attractor-csrf': csrf })).toBe(200);
    expect(await call('POST', { origin: server.url })).toBe(403);
    expect(await call('POST', { 'x-attractor-csrf': csrf })).toBe(403);
    expect(await call('POST', { 'x-attractor-csrf': csrf, origin: 'http://evil.test' })).toBe(403);
    expect(await call('POST', { 'x-attractor-csrf': csrf, origin: server.url })).toBe(200);
    const stream = await fetch(`${server.url}/api/events`, { headers: { cookie: pair } });
    expect(stream.status).toBe(403);
  });

  it('keep their session over a restart, lose it with the token, and cannot forge one', async () => {
    const { server, workflow } = await start();
    const { pair, csrf } = await signIn(server, server.app.mintKey());
    const again = createApp({ workflow, token: TOKEN });
    const other = createApp({ workflow, token: 'another-token' });
    const get = (app: typeof again, cookie: string) =>
      app.fetch(new Request('http://127.0.0.1/api/tasks', { headers: { cookie, 'x-attractor-csrf': csrf } }));
    expect((await get(again, pair)).status).toBe(200);
    expect((await get(other, pair)).status).toBe(401);
    const [name = '', value = ''] = pair.split('=');
    const [expires = '0', nonce = '', mac = ''] = value.split('.');
    expect((await get(again, `${name}=${Number(expires) + 1}.${nonce}.${mac}`)).status).toBe(401);
    expect((await get(again, `${name}=${expires}.${nonce}x.${mac}`)).status).toBe(401);
    expect((await get(again, `${name}=`)).status).toBe(401);
  });
});

const DAY_MS = 24 * 60 * 60 * 1000;

it('a session ends thirty days after it began, whatever is asked with its cookie', () => {
  let now = Date.UTC(2026, 0, 1);
  const access = createAccess({ token: 'a-token', now: () => now });
  const session = access.signIn(access.mintKey());
  const cookie = session?.cookie ?? '';
  expect(access.readCookie(cookie)).toEqual(session);
  now += 30 * DAY_MS - 1000;
  expect(access.readCookie(cookie)).toMatchObject({ csrf: session?.csrf });
  now += 1000;
  expect(access.readCookie(cookie)).toBeNull();
});

it('sessions differ from each other, and none gives away the token', () => {
  const access = createAccess({ token: 'a-token', now: Date.now });
  const sessions = [access.signIn('a-token'), access.signIn('a-token')];
  expect(new Set(sessions.flatMap((session) => [session?.cookie, session?.csrf])).size).toBe(4);
  expect(
    JSON.stringify([...sessions, access.cookieName, access.prove({ text: 'challenge', at: '127.0.0.1:1' })]),
  ).not.toContain('a-token');
});

describe('commands', () => {
  it('travel through the typed client, in process as over HTTP', async () => {
    const { server, workflow } = await start();
    const inProcess = createApiClient({ baseUrl: 'http://127.0.0.1', token: TOKEN, fetch: server.app.fetch });
    for (const client of [server.client, inProcess]) {
      const task = await client.tasks.create({ projectId: 'prj_1', title: 'Add a flag' });
      if (!task.ok) throw new Error(task.error.message);
      const run = await client.tasks.startRun(task.value.id, { mode: 'plan' });
      if (!run.ok) throw new Error(run.error.message);
      expect(await client.runs.stop(run.value.id)).toMatchObject({ ok: true, value: { status: 'cancelled' } });
      expect(await client.runs.stop(run.value.id)).toMatchObject({ ok: false, error: { code: 'conflict' } });
      const view = await client.tasks.view(task.value.id);
      expect(view).toMatchObject({
        ok: true,
        value: { task: { title: 'Add a flag' }, runs: [{ run: { status: 'cancelled' } }] },
      });
    }
    expect(workflow.log.at(-1)?.actor).toEqual({ type: 'user', name: 'api' });
  });

  it('that are refused answer with the code and status of the refusal', async () => {
    const { server } = await start();
    const { client } = server;
    expect(await client.tasks.get('tsk_none')).toMatchObject({ ok: false, error: { code: 'not_found' } });
    expect(await client.tasks.view('tsk_none')).toMatchObject({ ok: false, error: { code: 'not_found' } });
    expect(await client.runs.view('run_none')).toMatchObject({ ok: false, error: { code: 'not_found' } });
    const task = await client.tasks.create({ projectId: 'prj_1', title: 'T' });
    if (!task.ok) throw new Error(task.error.message);
    const moved = await client.tasks.transition(task.value.id, { to: 'nowhere' });
    expect(moved).toMatchObject({ ok: false, error: { code: 'blocked', retryable: false } });
  });

  it('that fail inside tell the caller nothing but that, and the log everything', async () => {
    const seen: unknown[] = [];
    const broken = {
      ...(await createMemoryWorkflow()),
      listTasks: () => Promise.reject(new Error('secret path /root/.ssh')),
    };
    const app = createApp({ workflow: broken, token: TOKEN, onError: (error) => seen.push(error) });
    const response = await app.fetch(new Request('http://127.0.0.1/api/tasks', { headers: bearer }));
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('secret');
    expect(String(seen[0])).toContain('secret');
  });
});

describe('listening', () => {
  it('refuses other machines unless allowed, and says so', async () => {
    const app = createApp({ workflow: await createMemoryWorkflow(), token: TOKEN });
    const like = ['127.evil.test', '127.0.0.1.evil.test', 'localhost.evil.test', '1270.0.0.1', '::1%eth0'];
    for (const host of ['0.0.0.0', '::', '192.168.0.1', 'example.test', '', ...like]) {
      const result = await listen(app, { host, port: 0 });
      expect(result).toMatchObject({ ok: false, error: { code: 'remote_refused' } });
    }
    const allowed = await listen(app, { host: '0.0.0.0', port: 0, allowRemote: true });
    expect(allowed.ok).toBe(true);
    if (allowed.ok) await allowed.value.close(0);
  });

  it('tells when the port is taken, and two servers share a machine', async () => {
    const { server } = await start();
    const second = await start();
    expect(second.server.port).not.toBe(server.port);
    const app = createApp({ workflow: await createMemoryWorkflow(), token: TOKEN });
    const result = await listen(app, { host: '127.0.0.1', port: server.port });
    expect(result).toMatchObject({ ok: false, error: { code: 'port_in_use' } });
    expect(result.ok ? '' : result.error.message).toContain('--port');
  });
});

/** `fetch` sets Host by itself; a plain request lets us choose. */
function statusWithHost(port: number, host: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  request({ host: '127.0.0.1', port, path: '/api/tasks', headers: { ...bearer, host } }, (response) => {
    response.resume();
    resolve(response.statusCode ?? 0);
  })
    .on('error', reject)
    .end();
  return promise;
}
