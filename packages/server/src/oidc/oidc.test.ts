import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import { expect, it, onTestFinished } from 'vitest';
import { must, openRealWorld } from '../test-support/real-world.ts';
import { serve, type Served } from '../test-support/serve.ts';
import { readOidcSettings } from '../oidc-settings.ts';

const OWNER = { type: 'user', name: 'test' } as const;

/** A real issuer on loopback; whoever comes is signed in as `login`. */
async function startIssuer(callback: string, groups: ReadonlyArray<string>) {
  const http = createServer();
  await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const { port } = http.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;
  const person = { sub: 'sub-1', name: 'Ada', groups: [...groups] };
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'attractor',
        client_secret: 's'.repeat(32),
        redirect_uris: [callback],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    pkce: { required: () => true },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    claims: { openid: ['sub', 'preferred_username', 'groups'], profile: [], email: [] },
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, preferred_username: person.name, groups: person.groups }),
    }),
    interactions: { url: (_: unknown, { uid }: { readonly uid: string }) => `/in/${uid}` },
    cookies: { keys: ['k'] },
  });
  const answer = provider.callback();
  http.on('request', (request, response) => {
    if (request.url?.startsWith('/in/') === true) void approve(provider, { request, response, accountId: person.sub });
    else answer(request, response);
  });
  return { issuer, person: Object.assign(person, { issuer }) };
}

type Arriving = {
  readonly request: Parameters<Provider['interactionDetails']>[0];
  readonly response: Parameters<Provider['interactionDetails']>[1];
  readonly accountId: string;
};

async function approve(provider: Provider, { request, response, accountId }: Arriving) {
  const { prompt, params, session } = await provider.interactionDetails(request, response);
  if (prompt.name === 'login') return provider.interactionFinished(request, response, { login: { accountId } });
  const grant = new provider.Grant({ accountId: session?.accountId ?? '', clientId: String(params['client_id']) });
  grant.addOIDCScope('openid profile email');
  return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
}

/** A browser with cookies, which follows redirects. */
function browser() {
  const jar = new Map<string, string>();
  const visit = async (url: string): Promise<{ readonly url: string; readonly response: Response }> => {
    const { host } = new URL(url);
    const cookies = [...jar].flatMap(([name, value]) =>
      name.startsWith(`${host} `) ? [`${name.split(' ')[1]}=${value}`] : [],
    );
    const response = await fetch(url, { redirect: 'manual', headers: { cookie: cookies.join('; ') } });
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';');
      jar.set(`${host} ${pair.slice(0, pair.indexOf('='))}`, pair.slice(pair.indexOf('=') + 1));
    }
    return { url, response };
  };
  const follow = async (
    start: string,
    stopAt?: (url: string) => boolean,
  ): Promise<{ readonly url: string; readonly response: Response }> => {
    let at = await visit(start);
    for (let hops = 0; hops < 20; hops += 1) {
      const location = at.response.headers.get('location');
      if (location === null) return at;
      const next = new URL(location, at.url).href;
      if (stopAt?.(next) === true) return { url: next, response: at.response };
      at = await visit(next);
    }
    throw new Error('too many redirects');
  };
  const session = async (server: Served) => {
    const cookie = [...jar].flatMap(([name, value]) =>
      name.startsWith(`127.0.0.1:${server.port} `) ? [`${name.split(' ')[1]}=${value}`] : [],
    );
    const headers = { cookie: cookie.join('; '), origin: server.url, 'content-type': 'application/json' };
    const response = await fetch(`${server.url}/api/session`, { method: 'POST', headers, body: '{}' });
    return { status: response.status, body: JSON.parse(await response.text()) };
  };
  return { follow, visit, session };
}

async function start(roles: string | undefined, groups: ReadonlyArray<string>) {
  const { workflow } = await openRealWorld();
  const reserved = createServer();
  await new Promise<void>((resolve) => void reserved.listen(0, '127.0.0.1', resolve));
  const { port } = reserved.address() as AddressInfo;
  await new Promise<void>((resolve) => void reserved.close(() => resolve()));
  const { issuer, person } = await startIssuer(`http://127.0.0.1:${port}/api/oidc/callback`, groups);
  const settings = readOidcSettings({
    ATTRACTOR_OIDC_ISSUER: issuer,
    ATTRACTOR_OIDC_CLIENT_ID: 'attractor',
    ATTRACTOR_OIDC_CLIENT_SECRET: 's'.repeat(32),
    ATTRACTOR_OIDC_LABEL: 'Our company',
    ATTRACTOR_OIDC_ROLES: roles,
  });
  if (!settings.ok) throw new Error(settings.error.message);
  const server = await serve({ workflow, oidc: settings.value }, port);
  onTestFinished(() => server.close(100));
  return { workflow, server, person };
}

it('signs in whom an issuer knows, as the user of that name, and nobody whose answer does not fit what was asked', async () => {
  const { workflow, server, person } = await start(undefined, []);
  const way = `${server.url}/api/oidc/sign-in`;
  expect(await (await fetch(`${server.url}/api/sign-in-ways`)).json()).toEqual({ oidc: 'Our company' });
  const stranger = await browser().follow(way);
  expect([stranger.response.status, await stranger.response.text()]).toEqual([
    403,
    expect.stringContaining('There is no user ada here'),
  ]);
  must(await workflow.addUser({ name: 'ada', role: 'operator' }, OWNER));
  const ada = browser();
  const isEnd = (url: string) => url === `${server.url}/`;
  expect((await ada.follow(way, isEnd)).url).toBe(`${server.url}/`);
  expect(await ada.session(server)).toMatchObject({ status: 200, body: { user: { name: 'ada', role: 'operator' } } });
  expect(await workflow.audit({ act: 'user.signed_in' })).toMatchObject([{ person: 'ada', via: 'oidc' }]);

  const isBack = (url: string) => url.includes('/api/oidc/callback');
  const eve = browser();
  const { url: back } = await eve.follow(way, isBack);
  // Without the cookie of who asked, with another state, and a second time.
  expect((await fetch(back)).status).toBe(401);
  expect((await eve.visit(back.replace(/state=[^&]+/, 'state=other'))).response.status).toBe(403);
  const again = browser();
  const { url: once } = await again.follow(way, isBack);
  expect((await again.visit(once)).response.status).toBe(302);
  expect((await again.visit(once)).response.status).toBe(401);
  Object.assign(person, { sub: 'sub-9', name: 'owner' });
  expect((await browser().follow(way)).response.status).toBe(403);
});

it('a person is who the issuer says by its own id: a name is taken once, by nobody who would gain from it', async () => {
  const { workflow, server, person } = await start(undefined, []);
  const way = `${server.url}/api/oidc/sign-in`;
  const isEnd = (url: string) => url === `${server.url}/`;
  const arrives = async (sub: string, name: string) => {
    Object.assign(person, { sub, name });
    const one = browser();
    const { url, response } = await one.follow(way, isEnd);
    return isEnd(url) ? (await one.session(server)).body.user.name : [response.status, await response.text()];
  };
  for (const [name, role] of [
    ['ada', 'operator'],
    ['ben', 'operator'],
    ['eve', 'admin'],
  ] as const)
    must(await workflow.addUser({ name, role }, OWNER));
  must(await workflow.addApiKey({ name: 'ci', user: 'ben' }, OWNER));
  expect(await arrives('sub-1', 'ada')).toBe('ada');
  // The name is another one by now; somebody else has taken the old one.
  expect(await arrives('sub-1', 'countess')).toBe('ada');
  expect(await arrives('sub-2', 'ada')).toEqual([403, expect.stringContaining('is somebody else at the issuer')]);
  // An account that is used already, and one with more rights than a name should give.
  for (const name of ['ben', 'eve'])
    expect(await arrives('sub-2', name)).toEqual([403, expect.stringContaining(`users edit ${name} --linked`)]);
  const linked = { issuer: person.issuer, subject: 'sub-2' };
  must(await workflow.changeUser('eve', { linked }, OWNER));
  expect(await arrives('sub-2', 'whoever')).toBe('eve');
  expect(await workflow.changeUser('ben', { linked }, OWNER)).toMatchObject({ ok: false, error: { code: 'conflict' } });
  must(await workflow.changeUser('eve', { linked: null }, OWNER));
  expect(await arrives('sub-2', 'eve')).toMatchObject([403, expect.anything()]);
});

it('takes the role from the groups that the issuer tells, anew at each sign-in', async () => {
  const { workflow, server, person } = await start('devs=operator,leads=admin', ['devs', 'leads']);
  const way = `${server.url}/api/oidc/sign-in`;
  const isEnd = (url: string) => url === `${server.url}/`;
  const ada = browser();
  await ada.follow(way, isEnd);
  expect(await ada.session(server)).toMatchObject({ body: { user: { name: 'ada', role: 'admin' } } });
  person.groups = ['devs'];
  await browser().follow(way, isEnd);
  expect(await workflow.getUser('ada')).toMatchObject({ role: 'operator' });
  person.groups = [];
  expect((await browser().follow(way)).response.status).toBe(403);
});

it('refuses settings that are half made or unsafe, and is off without any', () => {
  expect(readOidcSettings({})).toEqual({ ok: true, value: null });
  const of = (env: Record<string, string>) => readOidcSettings(env);
  expect(of({ ATTRACTOR_OIDC_ISSUER: 'https://x.test' })).toMatchObject({ ok: false });
  const both = { ATTRACTOR_OIDC_ISSUER: 'http://x.test', ATTRACTOR_OIDC_CLIENT_ID: 'a' };
  expect(of(both)).toMatchObject({ error: { message: expect.stringContaining('https') } });
  expect(of({ ...both, ATTRACTOR_OIDC_ISSUER: 'https://x.test', ATTRACTOR_OIDC_ROLES: 'a=king' })).toMatchObject({
    error: { message: expect.stringContaining('a=king') },
  });
});
