import { expect, it } from 'vitest';
import { createMemoryWorkflow } from './test-support/memory-workflow.ts';
import { serve, TOKEN } from './test-support/serve.ts';

const bearer = { authorization: `Bearer ${TOKEN}` };

it('whole texts are compressed as the client accepts it, small ones and streams never', async () => {
  const server = await serve({ workflow: await createMemoryWorkflow() });
  const get = async (path: string, accepts: string) => {
    const response = await fetch(server.url + path, { headers: { ...bearer, 'accept-encoding': accepts } });
    const encoding = response.headers.get('content-encoding');
    if (path === '/api/events') await response.body?.cancel();
    return { encoding, vary: response.headers.get('vary'), text: path === '/api/events' ? '' : await response.text() };
  };
  const plain = await get('/api/openapi.json', 'identity');
  expect(plain).toMatchObject({ encoding: null, vary: 'Origin, Accept-Encoding' });
  for (const [accepts, encoding] of [
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['deflate', null],
  ] as const)
    expect(await get('/api/openapi.json', accepts)).toMatchObject({ encoding, text: plain.text });
  expect(await get('/api/tasks', 'gzip')).toMatchObject({ encoding: null, text: '[]' });
  expect(await get('/api/events', 'gzip, br')).toMatchObject({ encoding: null });
  await server.close(0);
});

it('a read that has not changed is 304, and has its headers all the same', async () => {
  const server = await serve({ workflow: await createMemoryWorkflow() });
  const first = await fetch(`${server.url}/api/agents/tools`, { headers: bearer });
  const etag = first.headers.get('etag') ?? '';
  expect(etag).toMatch(/^W\/"[\w-]{22}"$/);
  for (const known of [etag, `"x", ${etag}`, etag.replace('W/', '')]) {
    const again = await fetch(`${server.url}/api/agents/tools`, { headers: { ...bearer, 'if-none-match': known } });
    expect([again.status, await again.text(), again.headers.get('x-content-type-options')]).toEqual([
      304,
      '',
      'nosniff',
    ]);
  }
  const other = await fetch(`${server.url}/api/agents/tools`, { headers: { ...bearer, 'if-none-match': '"x"' } });
  expect(other.status).toBe(200);
  const refused = await fetch(`${server.url}/api/tasks/tsk_none`, { headers: bearer });
  expect([refused.status, refused.headers.get('etag')]).toEqual([404, null]);
  await server.close(0);
});

it('a server that stops answers what it was asked, ends streams with a hint, and says that it is not ready', async () => {
  const workflow = await createMemoryWorkflow();
  const asked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const listTasks: typeof workflow.listTasks = async (filter) => {
    asked.resolve();
    await held.promise;
    return workflow.listTasks(filter);
  };
  const server = await serve({ workflow: { ...workflow, listTasks } });
  const ready = async () => (await server.app.fetch(new Request('http://127.0.0.1/readyz'))).status;
  expect(await ready()).toBe(200);
  const stream = await fetch(`${server.url}/api/events`, { headers: bearer });
  const slow = fetch(`${server.url}/api/tasks`, { headers: bearer });
  await asked.promise;
  const stopped = server.close();
  expect(await stream.text()).toMatch(/retry: \d+\nid: \d+\nevent: closing\n/);
  expect(await ready()).toBe(503);
  held.resolve();
  expect((await slow).status).toBe(200);
  await stopped;
  await expect(fetch(`${server.url}/readyz`)).rejects.toThrow('fetch failed');
  const broken = { ...workflow, lastSeq: () => Promise.reject(new Error('secret')) };
  const { app } = await serve({ workflow: broken });
  const unready = await app.fetch(new Request('http://127.0.0.1/readyz'));
  expect([unready.status, await unready.text()]).toEqual([503, expect.not.stringContaining('secret')]);
});
