import { type AccessRule, openRoutes, ROUTES } from '@attractor/api';
import type { Role } from '@attractor/facts';
import { expect, it } from 'vitest';
import { type App, createApp } from './app.ts';
import { createMemoryWorkflow } from './test-support/memory-workflow.ts';
import { must } from './test-support/real-world.ts';
import { TOKEN } from './test-support/serve.ts';
import { FOREIGN, openTwoProjects, type TwoProjects } from './test-support/two-projects.ts';

type Row = { readonly at: string; readonly method: string; readonly path: string; readonly access: AccessRule };

const rowOf = ({ method, path, access }: Omit<Row, 'at'>): Row => ({ at: `${method} ${path}`, method, path, access });

const ROWS: ReadonlyArray<Row> = Object.values(ROUTES)
  .flatMap((routes) => Object.values(routes()))
  .map(rowOf);

/** Routes that are no noun's: whether the server is well, the ways to a session, and what a reply token opens, and nothing else. */
const BESIDE: ReadonlyArray<Row> = Object.values(openRoutes()).map(rowOf);

/** What the router serves and no row tells of, and the rows of what it does not serve. */
function withoutRow({ hono }: Pick<App, 'hono'>): ReadonlyArray<string> {
  const served = hono.routes.filter(({ method, path }) => method !== 'ALL' && !path.includes('*'));
  const told = new Set([...ROWS, ...BESIDE].map(({ at }) => at));
  const there = new Set(served.map(({ method, path }) => `${method} ${path}`));
  return [...there.symmetricDifference(told)];
}

/** How a call names something of another project where its path does not. */
const SAID: Readonly<Record<string, (foreign: TwoProjects['foreign']) => { query?: string; body?: unknown }>> = {
  'GET /api/tasks/states': ({ tsk }) => ({ query: `ids=${tsk}` }),
  'POST /api/tasks': ({ prj }) => ({ body: { projectId: prj, title: 'x' } }),
  'POST /coding/start': ({ prj }) => ({ body: { project_id: prj, request: 'x' } }),
  'POST /coding/:session_id/approve': () => ({ body: { decision: 'reject' } }),
  'POST /api/tasks/bulk-update': ({ tsk }) => ({ body: { taskIds: [tsk], to: 'done' } }),
  'POST /api/tasks/bulk-delete': ({ tsk }) => ({ body: { taskIds: [tsk] } }),
  'POST /api/prompts/answers': ({ prm }) => ({
    body: { answers: [{ promptId: prm, answer: { decision: 'approve' } }] },
  }),
  'GET /api/ids/:given': () => ({ query: 'kinds=tsk,run,prm' }),
  'GET /api/ids': ({ tsk }) => ({ query: `of=${tsk}` }),
  'GET /api/costs': ({ prj }) => ({ query: `projectId=${prj}` }),
  'GET /api/stats': ({ tsk }) => ({ query: `taskId=${tsk}` }),
  'GET /api/agent-comparison': ({ prj }) => ({ query: `projectId=${prj}` }),
  'POST /api/queue/pause': ({ prj }) => ({ body: { projectId: prj } }),
  'POST /api/queue/resume': ({ prj }) => ({ body: { projectId: prj } }),
  'POST /api/queue/drain': ({ prj }) => ({ body: { projectId: prj } }),
  'POST /api/schedules': ({ prj, tsk }) => ({
    body: { projectId: prj, name: 'x', cron: '@daily', action: { kind: 'start', taskId: tsk, mode: 'plan' } },
  }),
};

/** The kind of the id in a path, by the noun that it begins with. */
const KIND_OF: Readonly<Record<string, string>> = {
  tasks: 'tsk',
  runs: 'run',
  prompts: 'prm',
  projects: 'prj',
  artifacts: 'art',
  attachments: 'att',
  attempts: 'atg',
  templates: 'tpl',
  schedules: 'sch',
  budgets: 'bud',
};

/** A role that is not enough. */
const BELOW: Readonly<Record<Role, Role | null>> = { viewer: null, operator: 'viewer', admin: 'operator' };

type Secrets = Readonly<Record<Role | 'limited', string>>;

async function keysOf({ workflow, ours }: TwoProjects): Promise<Secrets> {
  const key = async (role: Role, projects: ReadonlyArray<string> | null = null) =>
    must(await workflow.addApiKey({ name: role, role, projects }, { type: 'user', name: 'test' })).secret;
  return {
    viewer: await key('viewer'),
    operator: await key('operator'),
    admin: await key('admin'),
    limited: await key('admin', [ours.id]),
  };
}

type Sent = { readonly secret?: string; readonly headers?: Record<string, string>; readonly host?: string };

/** The call of a route; what its path names belongs to the other project. Failed sign-ins are counted anew for each. */
async function call({ workflow, foreign }: TwoProjects, { at, method, path }: Row, sent: Sent): Promise<Response> {
  const said = SAID[at]?.(foreign) ?? {};
  const kind = KIND_OF[/^\/api\/(?:views\/)?([a-z-]+)/.exec(path)?.[1] ?? ''];
  const filled = path
    .replace(':id', kind === undefined ? 'x' : (foreign[kind] ?? ''))
    .replace(/:other|:given|:session_id/, foreign['tsk'] ?? '')
    .replaceAll(/:\w+/g, 'x');
  const bytes = at === 'POST /api/tasks/:id/attachments';
  const isRead = method === 'GET';
  const request = new Request(
    `http://${sent.host ?? '127.0.0.1'}${filled}${said.query === undefined ? '' : `?${said.query}`}`,
    {
      method,
      headers: {
        ...(sent.secret === undefined ? {} : { authorization: `Bearer ${sent.secret}` }),
        ...(isRead ? {} : { 'content-type': bytes ? 'application/octet-stream' : 'application/json' }),
        ...sent.headers,
      },
      ...(isRead ? {} : { body: JSON.stringify(said.body ?? {}) }),
    },
  );
  return createApp({ workflow, token: TOKEN }).fetch(request);
}

it('every route has a row in the tables, and there is a sample for each that names a project outside its path', async () => {
  const app = createApp({ workflow: await createMemoryWorkflow(), token: TOKEN });
  expect(withoutRow(app)).toEqual([]);
  for (const path of ['/api/tasks/:id/planted', '/coding/planted', '/planted']) {
    app.hono.post(path, (context) => context.text(''));
    expect(withoutRow(app)).toContain(`POST ${path}`);
  }
  const silent = ROWS.filter(({ at, path, access }) => access[1] === 'named' && !path.includes(':id') && !(at in SAID));
  expect(silent).toEqual([]);
  expect(ROWS.filter(({ access }) => access === 'open').map(({ at }) => at)).toEqual(['POST /api/login']);
});

it('no route is open to strangers, foreign pages, foreign names of this machine or other types of bodies', async () => {
  const world = await openTwoProjects();
  const { admin } = await keysOf(world);
  for (const row of [...ROWS, ...BESIDE]) {
    const status = async (sent: Sent) => [row.at, (await call(world, row, sent)).status];
    if (row.access !== 'open') {
      expect(await status({})).toEqual([row.at, 401]);
      expect(await status({ secret: 'wrong' })).toEqual([row.at, 401]);
      expect(await status({ secret: `${admin.slice(0, -2)}__` })).toEqual([row.at, 401]);
    }
    expect(await status({ secret: TOKEN, headers: { origin: 'http://evil.test' } })).toEqual([row.at, 403]);
    expect(await status({ secret: TOKEN, host: 'evil.test' })).toEqual([row.at, 403]);
    if (row.method === 'GET') continue;
    expect(await status({ secret: TOKEN, headers: { 'content-type': 'text/plain' } })).toEqual([row.at, 415]);
  }
});

it('every route takes its role, and tells nothing of projects that are not the caller’s', async () => {
  const world = await openTwoProjects();
  const secrets = await keysOf(world);
  await expectOwnSeen(world, secrets);
  const betrays = new RegExp(`${FOREIGN}|${world.theirs.id}|${world.foreign['tsk'] ?? ''}`);
  for (const row of ROWS) {
    if (row.access === 'open') continue;
    const [role, rule] = row.access;
    const below = BELOW[role];
    if (below !== null) {
      const refused = await call(world, row, { secret: secrets[below] });
      expect([row.at, refused.status, await refused.text()]).toEqual([row.at, 403, expect.stringContaining(role)]);
    }
    const response = await call(world, row, { secret: secrets.limited });
    const text = await beginningOf(response);
    const wanted = { named: [404], every: [403], visible: [200, 404], shared: [200, 400, 401, 403, 404] }[rule];
    expect([row.at, wanted.includes(response.status), text]).toEqual([row.at, true, text]);
    // A refusal may repeat what was asked for.
    if (response.status === 200) expect([row.at, text]).toEqual([row.at, expect.not.stringMatching(betrays)]);
  }
});

/** Whoever has one project sees it whole, and the owner sees both. */
async function expectOwnSeen(world: TwoProjects, { limited }: Secrets): Promise<void> {
  const fetchAs = async (secret: string, path: string) =>
    (await world.fetch(path, { headers: { authorization: `Bearer ${secret}` } })).text();
  for (const path of ['/api/tasks', '/api/tasks/page', '/api/projects', '/api/views/task-list', '/api/events/page']) {
    expect(await fetchAs(limited, path)).toContain(world.ours.id);
    expect(await fetchAs(TOKEN, path)).toContain(world.theirs.id);
  }
  expect(await fetchAs(TOKEN, '/api/inbox')).toContain(FOREIGN);
  expect(JSON.parse(await fetchAs(limited, '/api/inbox'))).toEqual({ items: [], left: 0 });
  expect(await fetchAs(limited, '/api/costs')).toContain('say which one you mean');
}

/** A stream does not end by itself: as far as the end of the log. */
async function beginningOf(response: Response): Promise<string> {
  if (response.headers.get('content-type')?.startsWith('text/event-stream') !== true) return response.text();
  let text = '';
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    if (text.includes('caught_up')) break;
  }
  return text;
}
