import { describedRoutes } from '@attractor/api';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { must, newRepository, openRealWorld, type RealWorld } from './test-support/real-world.ts';

const SOAK = process.env['SOAK'] === '1';
const REQUESTS = SOAK ? 20_000 : 2_000;

/** Everything but signing in and out, and streams, which do not end. */
const ROUTES = describedRoutes().filter(
  ({ noun, route }) => noun !== 'access' && noun !== 'open' && route.path !== '/api/events',
);

type Asked = { readonly method: string; readonly path: string; readonly body?: string };

async function ask({ fetch }: RealWorld, { method, path, body }: Asked) {
  const response = await fetch(path, { method, ...(method === 'GET' ? {} : { body: body ?? '{}' }) });
  return { status: response.status, text: await response.text() };
}

it('every body that is not as described is 400, with the place and what is expected', async () => {
  const world = await openRealWorld();
  const bodies = ROUTES.filter(({ route }) => route.body !== undefined && !/attachments|pipelines/.test(route.path));
  expect(bodies.length).toBeGreaterThan(25);
  for (const { route } of bodies) {
    const path = route.path.replaceAll(/:\w+/g, 'x');
    for (const body of ['', '{', 'null', '7', '[]', '"text"', '{"no such field":1}']) {
      const { status, text } = await ask(world, { method: route.method, path, body });
      expect([status, route.method, path, body]).toEqual([400, route.method, path, body]);
      expect(text).toMatch(/is not JSON|is not (?:as expected\.|valid:) \S+: /);
    }
  }
});

it('every unknown id is 404, whatever is asked of it', async () => {
  const world = await openRealWorld();
  const reads = ROUTES.filter(({ route }) => route.path.includes('/:id') && route.body === undefined);
  expect(reads.length).toBeGreaterThan(30);
  for (const { route } of reads) {
    const path = route.path.replace(':id', 'ZZZ-99').replaceAll(/:\w+/g, 'x');
    const { status, text } = await ask(world, { method: route.method, path });
    expect([status, route.method, path]).toEqual([404, route.method, path]);
    expect(text).toContain('ZZZ-99');
  }
});

it('a call that does not fit how things stand is 409, and leaves them as they are', async () => {
  const world = await openRealWorld();
  const { client } = world;
  const project = must(await client.projects.create({ path: newRepository() }));
  const task = must(await client.tasks.create({ projectId: project.id, title: 'One' }));
  const refused = async (method: string, path: string, body: object) => {
    const { status, text } = await ask(world, { method, path, body: JSON.stringify(body) });
    return [status, text];
  };
  expect(await refused('PATCH', `/api/tasks/${task.id}`, { title: 'Two', version: 99 })).toEqual([
    409,
    expect.stringContaining(`"title":"One"`),
  ]);
  const stale = await client.tasks.update(task.id, { title: 'Two', version: task.version + 7 });
  expect(stale).toMatchObject({ ok: false, error: { code: 'conflict' } });
  const moved = await client.tasks.transition(task.id, { to: 'nowhere' });
  expect(moved).toMatchObject({ ok: false, error: { message: expect.stringContaining(task.status) } });
  expect(must(await client.tasks.get(task.id))).toEqual(task);
});

it(`${REQUESTS} requests of any kind, half of them nearly right, and none fails the server`, async () => {
  const world = await openRealWorld();
  const project = must(await world.client.projects.create({ path: newRepository() }));
  const task = must(await world.client.tasks.create({ projectId: project.id, title: 'One' }));
  const place = fc.oneof(
    fc.constantFrom(task.id, task.key, project.id, project.key, 'x', '..', '%00', '%ff', 'a'.repeat(300)),
    fc.string({ unit: 'binary', maxLength: 20 }).map((text) => encodeURIComponent(text.toWellFormed())),
  );
  const names = [...new Set(ROUTES.flatMap(({ route }) => fieldsOf(route.body)))];
  const field = fc.oneof(fc.constantFrom(...names), fc.string({ maxLength: 8 }));
  const value = fc.oneof(fc.constantFrom<unknown>(task.id, project.id, 'open', 'implement', true, 1), fc.jsonValue());
  const body = fc.oneof(
    fc.dictionary(field, value, { maxKeys: 6 }).map((object) => JSON.stringify(object)),
    fc.json(),
    fc.string({ unit: 'binary', maxLength: 60 }),
  );
  const query = fc.dictionary(field, fc.string({ unit: 'binary', maxLength: 12 }), { maxKeys: 3 });
  const told = ROUTES.filter(
    ({ route }) => route.query !== undefined || route.body !== undefined || route.path.includes(':'),
  );
  const request = fc.tuple(fc.constantFrom(...told), fc.array(place, { minLength: 2, maxLength: 2 }), query, body);
  const before = process.memoryUsage().heapUsed;
  for (const [{ route }, places, given, text] of fc.sample(request, { numRuns: REQUESTS, seed: 15 })) {
    const path = route.path.replace(/:\w+/, places[0] ?? '').replace(/:\w+/, places[1] ?? '');
    const search = new URLSearchParams(
      Object.entries(given).map(([name, one]) => [name, one.toWellFormed()] as [string, string]),
    );
    const asked = { method: route.method, path: `${path}?${search.toString()}`, body: text.toWellFormed() };
    const answer = await ask(world, asked);
    expect([answer.status < 500, answer, asked]).toEqual([true, answer, asked]);
    expect(answer.text).not.toMatch(/\bat .*\.ts:\d+/);
  }
  expect(await world.client.health.status()).toMatchObject({ ok: true });
  // What is kept of a request is not much, however many there are.
  if (SOAK) expect(process.memoryUsage().heapUsed - before).toBeLessThan(64e6);
});

function fieldsOf(body: (() => object) | undefined): ReadonlyArray<string> {
  const shape: unknown = body === undefined ? null : Reflect.get(body(), 'shape');
  return typeof shape === 'object' && shape !== null ? Object.keys(shape) : [];
}
