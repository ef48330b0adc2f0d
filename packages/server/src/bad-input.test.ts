import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { bytes, describedRoutes } from '@attractor/api';
import { openStore, type PipelineDefinition, savePipeline } from '@attractor/store';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { z } from 'zod';
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

it('a part of a body that a rule of its own judges is 400 too, with each place', async () => {
  const world = await openRealWorld();
  const project = must(await world.client.projects.create({ path: newRepository() }));
  const { id } = must(await world.client.tasks.create({ projectId: project.id, title: 'One' }));
  const plan = JSON.stringify({ files_to_create: 'a', tests: [{}] });
  const parts: ReadonlyArray<readonly [string, string, object, ReadonlyArray<string>]> = [
    ['PATCH', `/api/projects/${project.id}`, { config: { approver: 7 } }, ['config.approver']],
    ['PATCH', `/api/projects/${project.id}`, { config: { nonsense: 7 } }, ['config.nonsense']],
    ['PATCH', `/api/tasks/${id}`, { plan }, ['$.files_to_create', '$.tests[0].path']],
    ['POST', '/api/projects/clone', { url: 'ext::sh' }, ['url']],
    ['POST', '/api/projects/clone', { url: 'git://127.0.0.1:1/x.git', name: '..' }, ['name']],
    ['POST', '/api/pipelines', { id: 'x' }, ['$.name', '$.statuses']],
  ];
  for (const [method, path, body, places] of parts) {
    const { status, text } = await ask(world, { method, path, body: JSON.stringify(body) });
    const detail = places.map((place) => expect.objectContaining({ path: place, expected: expect.any(String) }));
    const { error } = JSON.parse(text);
    expect([path, status, error.detail]).toEqual([path, 400, expect.arrayContaining(detail)]);
  }
});

it('a name that nobody could see or say is 400 wherever one is given, with what is expected, and nothing is kept of it', async () => {
  const world = await openRealWorld();
  const project = must(await world.client.projects.create({ path: newRepository() }));
  const { id } = must(await world.client.tasks.create({ projectId: project.id, title: 'One' }));
  const other = newRepository();
  const pipeline = { ...must(await world.client.pipelines.get('simple')), id: 'own' };
  const action = { kind: 'start', taskId: id, mode: 'plan' };
  const [status, ...statuses] = pipeline.statuses;
  const bodies: ReadonlyArray<readonly [string, string, (name: string) => object]> = [
    ['POST', '/api/projects', (name) => ({ path: other, name })],
    ['PATCH', `/api/projects/${project.id}`, (name) => ({ name })],
    ['PATCH', `/api/projects/${project.id}`, (key) => ({ key })],
    ['PATCH', `/api/projects/${project.id}`, (label) => ({ config: { labels: [label] } })],
    ['POST', '/api/tasks', (tag) => ({ projectId: project.id, title: 'Two', tags: [tag] })],
    ['PATCH', `/api/tasks/${id}`, (tag) => ({ tags: ['fine', tag] })],
    ['POST', '/api/tasks/bulk-update', (tag) => ({ taskIds: [id], edit: { tags: [tag] } })],
    ['POST', `/api/tasks/${id}/split`, (name) => ({ subtasks: [{ name, title: 'Part' }] })],
    ['POST', `/api/tasks/${id}/artifacts`, (label) => ({ type: 'document', label, content: 'x' })],
    ['POST', '/api/templates', (name) => ({ name, fields: {} })],
    ['POST', '/api/schedules', (name) => ({ projectId: project.id, name, cron: '@daily', action })],
    ['POST', '/api/keys', (name) => ({ name })],
    ['POST', '/api/users', (name) => ({ name, role: 'viewer' })],
    ['POST', '/api/channels', (name) => ({ name, channel: { type: 'desktop' } })],
    ['PUT', '/api/queue/limits', (name) => ({ kind: 'agent', name, max: 1 })],
    ['POST', '/api/pipelines', (own) => ({ ...pipeline, id: own })],
    ['POST', '/api/pipelines', (name) => ({ ...pipeline, name })],
    ['POST', '/api/pipelines', (label) => ({ ...pipeline, statuses: [{ ...status, label }, ...statuses] })],
  ];
  const before = await world.workflow.lastSeq();
  for (const [method, path, body] of bodies)
    for (const name of ['', '   ', '\u200B', '..', 'a\u001Bb', 'a\u202Eb', 'a\nb', 'x'.repeat(600)]) {
      const { status: answered, text } = await ask(world, { method, path, body: JSON.stringify(body(name)) });
      expect([answered >= 400 && answered < 500, method, path, name]).toEqual([true, method, path, name]);
      expect(JSON.parse(text).error.message).toMatch(
        /expected|is no name|is not a name|can't be the name|letters and digits/,
      );
    }
  for (const own of ['new', 'New', '../../x', 'a/b', 'a b', 'a,b', '*']) {
    const { status: answered, text } = await ask(world, {
      method: 'POST',
      path: '/api/pipelines',
      body: JSON.stringify({ ...pipeline, id: own }),
    });
    expect([answered, own, text]).toEqual([400, own, expect.stringContaining('$.id: expected ')]);
  }
  expect(await world.workflow.lastSeq()).toBe(before);
});

it('a pipeline that has an odd name from before is read, changed and used as it is; it gets no other odd one', async () => {
  const { home, client } = await openRealWorld();
  const simple = must(await client.pipelines.get('simple'));
  const [open, ...statuses] = simple.statuses;
  const odd = { ...simple, id: 'our own/way', name: 'a\u202Eb', statuses: [{ ...open, label: '\u200B' }, ...statuses] };
  const store = await openStore({ home });
  if (!store.ok) throw new Error(store.error.message);
  await store.value.transact((tx) => savePipeline(tx, odd as PipelineDefinition));
  await store.value.close();
  expect(must(await client.pipelines.get(odd.id)).name).toBe(odd.name);
  const changed = { ...odd, description: 'As it was.' };
  expect(must(await client.pipelines.validate(changed)).name).toBe(odd.name);
  expect(must(await client.pipelines.save(changed)).version).toBe(odd.version + 1);
  const project = must(await client.projects.create({ path: newRepository() }));
  const task = must(await client.tasks.create({ projectId: project.id, title: 'One', pipelineId: odd.id }));
  expect(task.pipelineId).toBe(odd.id);
  expect(await client.pipelines.save({ ...odd, name: 'a\u202Ec' })).toMatchObject({
    ok: false,
    error: { detail: [{ path: '$.name' }] },
  });
});

it('every query that is not as described is 400, with the place and what is expected', async () => {
  const world = await openRealWorld();
  let asked = 0;
  for (const { route } of ROUTES) {
    const fields = route.query === undefined ? {} : (schemaOf(route.query()).properties ?? {});
    for (const [name, field] of Object.entries(fields)) {
      if (field.type === 'string' && field.enum === undefined) continue;
      const path = `${route.path.replaceAll(/:\w+/g, 'x')}?${name}=no%20such`;
      const { status, text } = await ask(world, { method: route.method, path });
      expect([status, route.method, path, text]).toEqual([400, route.method, path, expect.stringContaining(name)]);
      asked += 1;
    }
  }
  expect(asked).toBeGreaterThan(20);
});

/** Bodies for which the least that their schema wants is not enough. */
const BODIES: Readonly<Record<string, unknown>> = {
  'POST /api/tasks/:id/attempts': { attempts: [{}, {}] },
  'POST /api/tasks/:id/criteria': { number: 1, isMet: true },
};

it('every unknown id is 404, whatever is asked of it', async () => {
  const world = await openRealWorld();
  const calls = ROUTES.filter(({ route }) => route.path.includes('/:id') && route.body !== bytes);
  expect(calls.length).toBeGreaterThan(60);
  const short: unknown[] = [];
  for (const { route } of calls) {
    const wanted = route.query === undefined ? {} : leastOf(schemaOf(route.query()));
    const query = new URLSearchParams(wanted as Record<string, string>);
    const path = `${route.path.replace(':id', 'ZZZ-99').replaceAll(/:\w+/g, 'x')}?${query.toString()}`;
    const at = `${route.method} ${route.path}`;
    const body = route.body === undefined ? {} : (BODIES[at] ?? leastOf(schemaOf(route.body())));
    const { status, text } = await ask(world, { method: route.method, path, body: JSON.stringify(body) });
    if (status !== 404 || !text.includes('ZZZ-99')) short.push([at, body, status, text]);
  }
  expect(short).toEqual([]);
});

it('a call that does not fit how things stand is 409 with how they stand, and leaves them so', async () => {
  const world = await openRealWorld();
  const { client } = world;
  const folder = newRepository();
  const project = must(await client.projects.create({ path: folder }));
  const copied = join(world.home, 'repositories', 'copy');
  cpSync(folder, copied, { recursive: true });
  const copy = must(await client.projects.create({ path: copied }));
  const task = must(await client.tasks.create({ projectId: project.id, title: 'One', pipelineId: 'simple' }));
  const run = must(await client.tasks.startRun(task.id, { mode: 'implement' }));
  await world.idle();
  const user = must(await client.users.add({ name: 'ada', role: 'viewer' }));
  const now = must(await client.tasks.get(task.id));
  const [builtIn] = must(await client.templates.list());
  const [ofTask, title] = [`/api/tasks/${task.id}`, 'Two'];
  const empty = must(await client.tasks.create({ projectId: project.id, title: 'Not begun', pipelineId: 'simple' }));
  const refused: ReadonlyArray<readonly [string, string, object, object]> = [
    ...['merge', 'push', 'rebase', 'rollback', 'checks'].map(
      (verb) => ['POST', `/api/tasks/${empty.id}/${verb}`, {}, { task: { id: empty.id } }] as const,
    ),
    ['PATCH', ofTask, { title, version: 99 }, { task: now }],
    ['POST', `${ofTask}/reopen`, {}, { task: now }],
    ['POST', `${ofTask}/messages`, { text: 'x', interrupts: true }, { task: now }],
    ['POST', `/api/runs/${run.id}/stop`, {}, { run: { id: run.id } }],
    ['POST', '/api/projects', { path: folder }, { project: { id: project.id } }],
    ['POST', '/api/users', { name: 'ada', role: 'viewer' }, { user: { id: user.id } }],
    ['DELETE', '/api/pipelines/simple', {}, { pipeline: { id: 'simple' } }],
    ['POST', '/api/projects/clone', { url: 'git://127.0.0.1:1/x.git', name: 'copy' }, { project: { id: copy.id } }],
    ['POST', '/api/templates', { name: builtIn?.name, fields: {} }, { template: { id: builtIn?.id } }],
    ['POST', `/coding/${task.id}/approve`, { content_hash: 'x' }, { prompt: { taskId: task.id } }],
  ];
  const answers: unknown[] = [];
  for (const [method, path, body] of refused) {
    const { status, text } = await ask(world, { method, path, body: JSON.stringify(body) });
    answers.push([method, path, status, JSON.parse(text)]);
  }
  expect(answers).toMatchObject(
    refused.map(([method, path, _body, detail]) => [method, path, 409, { error: { detail } }]),
  );
  const moved = await client.tasks.transition(task.id, { to: 'nowhere' });
  expect(moved).toMatchObject({ ok: false, error: { message: expect.stringContaining(now.status) } });
  expect(must(await client.tasks.get(task.id))).toEqual(now);
});

it('an unknown agent is 422 wherever a call can name one, with the known ones and the nearest', async () => {
  const world = await openRealWorld();
  const project = must(await world.client.projects.create({ path: newRepository() }));
  const { id } = must(await world.client.tasks.create({ projectId: project.id, title: 'One' }));
  const [overrides, title] = [{ agentType: 'scriptd' }, 'Two'];
  const hooks = [{ type: 'start_agent', params: { mode: 'plan', ...overrides } }];
  const pipeline = must(await world.client.pipelines.get('simple'));
  const bodies: Readonly<Record<string, object>> = {
    'POST /api/tasks': { projectId: project.id, title, overrides },
    'POST /api/tasks/:id/runs': { mode: 'implement', overrides },
    'POST /api/tasks/:id/attempts': { attempts: [overrides, overrides] },
    'POST /api/tasks/:id/split': { subtasks: [{ name: 'a', title, ...overrides }] },
    'POST /coding/start': { request: title, project_id: project.id, overrides },
    'POST /api/schedules': {
      projectId: project.id,
      name: 'Nightly',
      cron: '@daily',
      action: { kind: 'create', task: { title, overrides } },
    },
    'PATCH /api/projects/:id': { config: { defaultAgentType: 'scriptd' } },
    'POST /api/pipelines': {
      ...pipeline,
      id: 'own',
      transitions: pipeline.transitions.map((transition, at) => (at === 0 ? { ...transition, hooks } : transition)),
    },
  };
  const naming = ROUTES.filter(({ route }) => route.body !== undefined && namesAgent(route.body()));
  // An answer names agents only for the split that it approves: packages/platform/src/workflow/tasks/split.test.ts.
  const known = new Set([...Object.keys(bodies), 'POST /api/prompts/:id/answer', 'POST /api/prompts/answers']);
  expect(naming.map(({ route }) => `${route.method} ${route.path}`).filter((one) => !known.has(one))).toEqual([]);
  for (const [route, body] of Object.entries(bodies)) {
    const [method = '', path = ''] = route.split(' ');
    const place = path.replace(':id', path.includes('projects') ? project.id : id);
    const { status, text } = await ask(world, { method, path: place, body: JSON.stringify(body) });
    expect([status, route, text]).toEqual([422, route, expect.stringContaining('Did you mean \\"scripted\\"?')]);
  }
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

type JsonShape = {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, JsonShape>>;
  readonly required?: ReadonlyArray<string>;
  readonly items?: JsonShape;
  readonly anyOf?: ReadonlyArray<JsonShape>;
  readonly oneOf?: ReadonlyArray<JsonShape>;
  readonly enum?: ReadonlyArray<unknown>;
  readonly const?: unknown;
  readonly minimum?: number;
  readonly minItems?: number;
};

function schemaOf(shape: z.ZodType): JsonShape {
  return z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' }) as JsonShape;
}

/** The smallest value that fits. */
function leastOf(shape: JsonShape): unknown {
  const [first] = [...(shape.anyOf ?? []), ...(shape.oneOf ?? [])];
  if (first !== undefined) return leastOf(first);
  if (shape.const !== undefined) return shape.const;
  if (shape.enum !== undefined) return shape.enum[0];
  const fields = (shape.required ?? []).map((name) => [name, leastOf(shape.properties?.[name] ?? {})]);
  const items = Array.from({ length: shape.minItems ?? 0 }, () => leastOf(shape.items ?? {}));
  const minimum = Math.max(1, shape.minimum ?? 1);
  return (
    { object: Object.fromEntries(fields), array: items, integer: minimum, number: minimum, boolean: true }[
      shape.type ?? ''
    ] ?? 'x'
  );
}

function namesAgent(shape: z.ZodType): boolean {
  return JSON.stringify(z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' })).includes('agentType"');
}

function fieldsOf(body: (() => object) | undefined): ReadonlyArray<string> {
  const shape: unknown = body === undefined ? null : Reflect.get(body(), 'shape');
  return typeof shape === 'object' && shape !== null ? Object.keys(shape) : [];
}
