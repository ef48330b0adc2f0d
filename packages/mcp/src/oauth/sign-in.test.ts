import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect as dial } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeFolder } from '@attractor/base/testing';
import { callMcpServer, type McpCallOptions, type McpServerCaller } from '../call-server.ts';
import type { McpHttpServer } from '../definition.ts';
import { startIssuer } from '../test-support/issuer.ts';
import { openCallback } from './callback.ts';

function connect(
  url: string,
  { server, ...options }: Partial<McpCallOptions> & { server?: Partial<McpHttpServer> } = {},
): McpServerCaller {
  const caller = callMcpServer(
    { name: 'guarded', scope: 'user', transport: { kind: 'http', url, headers: {}, ...server } },
    { workspace: makeFolder(), version: '1', ...options },
  );
  onTestFinished(() => caller.close());
  return caller;
}

/** A person whose browser is signed in at the issuer already. */
const browser: NonNullable<McpCallOptions['authorize']> = async ({ url }) => {
  await (await fetch(url)).text();
};

describe('signing in to a server', () => {
  it('registers, proves itself, keeps the tokens for the owner alone, and refreshes them without a person', async () => {
    const issuer = await startIssuer();
    const home = makeFolder();
    const first = connect(issuer.url, { home, authorize: browser });
    expect(await first.call('secret', {})).toMatchObject({ ok: true, value: { content: [{ text: 'the secret' }] } });
    expect(issuer.log).toContain('POST /token authorization_code');
    await first.close();

    const folder = path.join(home, 'mcp', 'sign-ins');
    const [file = ''] = readdirSync(folder);
    expect(statSync(path.join(folder, file)).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(readFileSync(path.join(folder, file), 'utf8')).toContain('refresh_token');

    issuer.expire();
    const later = connect(issuer.url, { home });
    expect(await later.call('secret', {})).toMatchObject({ ok: true });
    expect(issuer.log).toContain('POST /token refresh_token');
    expect(issuer.clients()).toBe(1);

    issuer.expire();
    issuer.revoke();
    expect(await later.call('secret', {})).toMatchObject({ ok: false, error: { code: 'unauthorised' } });
    const again = connect(issuer.url, { home, authorize: browser });
    expect(await again.call('secret', {})).toMatchObject({ ok: true });
  });

  it('takes a client id that was given, and without a person says what to do', async () => {
    const issuer = await startIssuer();
    const known = connect(issuer.url, { authorize: browser, server: { oauth: { clientId: 'mine' } } });
    expect(await known.tools()).toMatchObject({ ok: true, value: [{ name: 'secret' }] });
    expect(issuer.clients()).toBe(0);
    const nobody = await connect(issuer.url).tools();
    expect(nobody).toMatchObject({
      ok: false,
      error: { code: 'unauthorised', message: expect.stringContaining('mcp login') },
    });
  });

  it('ends when the issuer sends nobody back in time, and takes only the state that it gave', async () => {
    const callback = await openCallback(0, { isFixed: false });
    onTestFinished(() => callback.close());
    const answer = callback.expect('right', { timeoutMs: 600_000 });
    const visit = async (query: string): Promise<number> => (await fetch(`${callback.redirectUrl}?${query}`)).status;
    expect(await visit('state=wrong&code=stolen')).toBe(400);
    expect(await visit('code=stolen')).toBe(400);
    expect(await visit('state=right&code=c')).toBe(200);
    expect((await answer).get('code')).toBe('c');
    await expect(callback.expect('other', { timeoutMs: 10 })).rejects.toThrow('nobody signed in');
    const left = callback.expect('left', { timeoutMs: 600_000 });
    callback.close();
    await expect(left).rejects.toThrow('nobody waits');
    await expect(callback.expect('late', { timeoutMs: 600_000 })).rejects.toThrow('nobody waits');
  });

  it('never follows a redirect to another origin with what it knows', async () => {
    const seen: string[] = [];
    const start = async (answer: (port: number) => string | null): Promise<string> => {
      const server = createServer((request, response) => {
        seen.push(`${request.headers.authorization ?? ''} ${String(request.headers['x-key'] ?? '')}`);
        const location = answer(request.socket.localPort ?? 0);
        response.writeHead(location === null ? 200 : 307, location === null ? {} : { location }).end();
      });
      await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
      onTestFinished(() => server.close().closeAllConnections());
      const address = server.address();
      return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
    };
    const other = await start(() => null);
    const own = await start(() => `${other}/mcp`);
    for (const kind of ['http', 'sse'] as const) {
      seen.length = 0;
      const headers = { Authorization: 'Bearer s', 'x-key': 'k' };
      const outcome = await connect(`${own}/mcp`, { server: { kind, headers } }).tools();
      expect(outcome.ok).toBe(false);
      expect(seen).toEqual(['Bearer s k']);
    }
  });
});

it('waits for the browser on loopback alone, and for the state that was given', async () => {
  const callback = await openCallback(0, { isFixed: false });
  onTestFinished(callback.close);
  const waited = callback.expect('the-state', { timeoutMs: 600_000 });
  const ask = async (query: string, path = '/callback'): Promise<number> =>
    (await fetch(`http://127.0.0.1:${callback.port}${path}?${query}`)).status;
  expect(await ask('code=evil')).toBe(400);
  expect(await ask('code=evil&state=another')).toBe(400);
  expect(await ask('code=evil&state=the-state', '/elsewhere')).toBe(400);
  expect(await ask('code=good&state=the-state')).toBe(200);
  expect((await waited).get('code')).toBe('good');
  // Every address of 127.0.0.0/8 is this machine: one that listens on all of them answers here too.
  const other = dial(callback.port, '127.0.0.2');
  const answered = await new Promise((resolve) => {
    other.once('connect', () => resolve(true)).once('error', () => resolve(false));
  });
  other.destroy();
  expect(answered).toBe(false);
});
