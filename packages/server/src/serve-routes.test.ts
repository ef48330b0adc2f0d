import { wishCalls, wishRoutes } from '@attractor/api/testing';
import { Hono } from 'hono';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Env, HttpHandler, Services } from './context.ts';
import { serveRoutes } from './serve-routes.ts';
import { createMemoryWorkflow, newProject } from './test-support/memory-workflow.ts';

const ADA = { type: 'user', name: 'ada' } as const;

type World = {
  readonly wishes: ReturnType<typeof wishCalls>;
  readonly fetch: (path: string, init?: RequestInit) => Promise<readonly [status: number, body: unknown]>;
  readonly workflow: Awaited<ReturnType<typeof createMemoryWorkflow>>;
};

/** A server of one noun that no other place knows of. */
async function plant(handlers: Readonly<Record<string, HttpHandler>>): Promise<World> {
  const workflow = await createMemoryWorkflow();
  workflow.append({ type: 'project.created', summary: 'Project', data: { project: newProject('/repo') } });
  const app = new Hono<Env>();
  app.use(async (context, next) => {
    context.set('actor', ADA);
    context.set('caller', { name: 'ada', userId: null, role: 'admin', projects: null, by: 'token' });
    await next();
  });
  const services: Pick<Services, 'workflow'> = { workflow };
  serveRoutes(app, services as Services, { nouns: { wishes: wishRoutes }, handlers });
  return {
    workflow,
    wishes: wishCalls({ baseUrl: 'http://127.0.0.1', fetch: app.fetch, headers: () => ({}) }),
    fetch: async (path, init) => {
      const response = await app.fetch(new Request(`http://127.0.0.1${path}`, init));
      return [response.status, await response.json()];
    },
  };
}

describe('a noun is its table of routes and its calls', () => {
  let world: World;
  beforeEach(async () => {
    world = await plant({ 'wishes.hear': (context) => context.text(`la ${context.req.param('id')}`) });
  });

  it('whose acts get what was decoded, in the name of who calls', async () => {
    const { wishes, workflow } = world;
    const made = await wishes.make({ projectId: 'prj_1', title: 'A pony' });
    expect(made).toMatchObject({ ok: true, value: { title: 'A pony' } });
    expect(workflow.log.at(-1)).toMatchObject({ type: 'task.created', actor: ADA });
    const listed = await wishes.list({ projectId: 'prj_1' });
    expect(listed).toEqual({ ok: true, value: made.ok ? [made.value] : [] });
    expect(made.ok && (await wishes.get(made.value.id))).toEqual(made);
  });

  it('refuses a query and a body that are not as its schemas say, before it acts', async () => {
    const { fetch, workflow } = world;
    const before = workflow.log.length;
    const said = (message: string) => ({ error: { code: 'bad_request', retryable: false, message } });
    expect(await fetch('/api/wishes?colour=red')).toEqual([
      400,
      said('The query is not as expected. query: Unrecognized key: "colour"'),
    ]);
    expect(await fetch('/api/wishes', { method: 'POST', body: '{"projectId":"prj_1","title":""}' })).toEqual([
      400,
      said('The body is not as expected. title: expected at least 1 character'),
    ]);
    expect(await fetch('/api/wishes', { method: 'POST', body: '{' })).toMatchObject([400, { error: {} }]);
    expect(workflow.log.length).toBe(before);
  });

  it('answers refusals with the status of their code, or the one that its row says', async () => {
    const { wishes, fetch } = world;
    const message = 'There is no wish tsk_none.';
    expect(await fetch('/api/wishes/tsk_none')).toEqual([
      404,
      { error: { code: 'not_found', message, retryable: false } },
    ]);
    expect(await wishes.get('tsk_none')).toMatchObject({ ok: false, error: { code: 'not_found', message } });
    const made = await wishes.make({ projectId: 'prj_1', title: 'A pony' });
    const path = `/api/wishes/${made.ok ? made.value.id : ''}/grant`;
    expect(await fetch(path, { method: 'POST' })).toMatchObject([400, { error: { code: 'blocked' } }]);
  });

  it('leaves what needs more of HTTP to a handler of its own, which has to be there', async () => {
    const heard = await world.wishes.hear('wsh_1');
    expect(heard.ok && (await new Response(heard.value).text())).toBe('la wsh_1');
    await expect(plant({})).rejects.toThrow('wishes.hear');
  });
});
