import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { connect, createServer as createTcpServer, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { selfSigned } from '../test-support/certificate.ts';
import { listen, startServer } from '../test-support/local-server.ts';
import { createTransport, type TransportOptions } from './transport.ts';
import { TransportFailure } from './transport-failure.ts';
import { webBody } from './web-body.ts';

const cleanups: Array<() => unknown> = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).toReversed()) await clean();
});

function transportWith(options: TransportOptions = {}): typeof globalThis.fetch {
  const transport = createTransport(options);
  cleanups.push(() => transport.close());
  return transport.fetch();
}

async function server(answer: Parameters<typeof startServer>[0]): Promise<string> {
  const started = await startServer(answer);
  cleanups.push(started.close);
  return started.url;
}

async function failureOf(promise: Promise<unknown>): Promise<TransportFailure> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(TransportFailure);
  return error instanceof TransportFailure ? error : Promise.reject(new Error('no failure'));
}

describe('the transport', () => {
  it('sends method, headers and body and gives back status, headers and text', async () => {
    const seen: unknown[] = [];
    const url = await server((request, response, body) => {
      seen.push([request.method, request.url, request.headers['x-one'], request.headers['content-length'], body]);
      response.writeHead(201, { 'X-Two': 'b', 'set-cookie': ['a=1', 'b=2'] }).end('grüße');
    });
    const response = await transportWith()(`${url}/p?q=1`, {
      method: 'POST',
      headers: { 'X-One': 'a' },
      body: 'körper',
    });
    expect(seen).toEqual([['POST', '/p?q=1', 'a', '7', 'körper']]);
    expect([response.status, response.ok, response.headers.get('x-two')]).toEqual([201, true, 'b']);
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(await response.text()).toBe('grüße');
  });

  it('keeps sockets alive and uses one for requests that follow each other', async () => {
    const ports = new Set<unknown>();
    const url = await server((request, response) => {
      ports.add(request.socket.remotePort);
      response.end('x');
    });
    const fetch = transportWith();
    for (let n = 0; n < 3; n += 1) await (await fetch(url)).text();
    expect(ports.size).toBe(1);
  });

  it('sends once more on a fresh socket when a kept one was closed before any byte came back', async () => {
    const bodies: string[] = [];
    const tcp = createTcpServer((socket) => {
      let requests = 0;
      socket.on('error', () => undefined);
      socket.on('data', (data) => {
        requests += 1;
        bodies.push(data.toString().split('\r\n\r\n')[1] ?? '');
        if (requests === 2) socket.destroy();
        else socket.write('HTTP/1.1 200 OK\r\nconnection: keep-alive\r\ncontent-length: 2\r\n\r\nok');
      });
    });
    const port = await listen(tcp);
    cleanups.push(() => tcp.close());
    const fetch = transportWith();
    const post = async (body: string): Promise<string> =>
      (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body })).text();
    expect([await post('one'), await post('two')]).toEqual(['ok', 'ok']);
    expect(bodies).toEqual(['one', 'two', 'two']);
  });

  it('does not send again when a fresh socket is closed without an answer', async () => {
    let connections = 0;
    const tcp = createTcpServer((socket) => {
      connections += 1;
      socket.once('data', () => socket.destroy());
    });
    const port = await listen(tcp);
    cleanups.push(() => tcp.close());
    const failure = await failureOf(transportWith()(`http://127.0.0.1:${port}/`, { method: 'POST', body: 'x' }));
    expect([failure.code, failure.phase, connections]).toEqual(['reset', 'headers', 1]);
  });

  it('never follows a redirect, and says where it would have led', async () => {
    const url = await server((_request, response) =>
      response.writeHead(307, { location: 'https://elsewhere.test/v1' }).end(),
    );
    const failure = await failureOf(transportWith()(url, { method: 'POST', body: 'secret' }));
    expect(failure.code).toBe('redirect');
    expect(failure.message).toContain('https://elsewhere.test/v1');
  });

  it('says what is wrong with an address that nobody listens on, or that is none', async () => {
    const refused = await failureOf(transportWith()('http://127.0.0.1:1/'));
    expect([refused.code, refused.phase]).toEqual(['connect', 'connect']);
    expect(refused.message).toContain('nothing listens there');
    expect((await failureOf(transportWith()('localhost:80'))).code).toBe('bad_url');
  });

  it('reads at the speed of its consumer', async () => {
    const chunk = Buffer.alloc(1024 * 1024);
    let written = 0;
    const url = await server((_request, response) => {
      const pump = (): void => {
        while (written < 64) {
          written += 1;
          if (!response.write(chunk)) return void response.once('drain', pump);
        }
        response.end();
      };
      pump();
    });
    const response = await transportWith()(url);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(written).toBeLessThan(48);
    let length = 0;
    for await (const part of response.body ?? []) length += part.length;
    expect(length).toBe(64 * 1024 * 1024);
  });

  it('reads an answer as it comes, and one that goes on fast in larger steps, to its end', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    cleanups.push(() => vi.useRealTimers());
    const response = Object.assign(new PassThrough(), { statusCode: 200 });
    const headers = new Headers({ 'content-type': 'text/event-stream' });
    const reader = webBody(response as unknown as IncomingMessage, { host: 'here', headers }).getReader();
    const next = async () => Buffer.from((await reader.read()).value ?? []).toString();
    for (const text of 'abcdefghi') {
      response.write(text);
      expect(await next()).toBe(text);
    }
    let isRead = false;
    const gathered = next().finally(() => (isRead = true));
    for (const text of ['one ', 'two ', 'three']) {
      response.write(text);
      await vi.advanceTimersByTimeAsync(5);
    }
    expect(isRead).toBe(false);
    await vi.advanceTimersByTimeAsync(40);
    expect(await gathered).toBe('one two three');
    const last = next();
    response.end('the end');
    await vi.advanceTimersByTimeAsync(50);
    expect(await last).toBe('the end');
    expect((await reader.read()).done).toBe(true);
  });
});

describe('decoding', () => {
  const text = 'data: {"a":"ä😀"}\n\n'.repeat(500);
  it.each([
    ['gzip', gzipSync(text)],
    ['br', brotliCompressSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate, gzip', gzipSync(deflateSync(text))],
    ['identity', Buffer.from(text)],
  ])('reads %s', async (encoding, bytes) => {
    const url = await server((_request, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(bytes),
    );
    expect(await (await transportWith()(url)).text()).toBe(text);
  });

  it('refuses an encoding that it does not know', async () => {
    const url = await server((_request, response) => response.writeHead(200, { 'content-encoding': 'zstd9' }).end('x'));
    expect((await failureOf(transportWith()(url))).code).toBe('encoding');
  });

  it('reports bytes that are not what the header says', async () => {
    const url = await server((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip'),
    );
    const failure = await failureOf((await transportWith()(url)).text());
    expect(failure.phase).toBe('body');
  });
});

describe('aborting', () => {
  it('rejects at once when the signal is aborted already', async () => {
    await expect(transportWith()('http://127.0.0.1:1/', { signal: AbortSignal.abort() })).rejects.toThrow(/abort/i);
  });

  it('ends the wait for the headers and closes the socket', async () => {
    const controller = new AbortController();
    let closed: Promise<unknown> | undefined;
    const url = await server((request) => {
      closed = once(request.socket, 'close');
      controller.abort();
    });
    await expect(transportWith()(url, { signal: controller.signal })).rejects.toThrow(/abort/i);
    await closed;
  });

  it('ends a body in the middle and closes the socket', async () => {
    const controller = new AbortController();
    let closed: Promise<unknown> | undefined;
    const url = await server((request, response) => {
      closed = once(request.socket, 'close');
      response.write('first');
    });
    const response = await transportWith()(url, { signal: controller.signal });
    const reader = response.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('first');
    controller.abort();
    await expect(reader?.read()).rejects.toThrow(/abort/i);
    await closed;
  });

  it('closes the socket when the reader cancels', async () => {
    let closed: Promise<unknown> | undefined;
    const url = await server((request, response) => {
      closed = once(request.socket, 'close');
      response.write('first');
    });
    const response = await transportWith()(url);
    await response.body?.cancel();
    expect(await closed).toBeDefined();
  });

  it('reports a body that was cut as a failure of the body', async () => {
    const url = await server((request, response) => {
      response.write('first');
      setTimeout(() => request.socket.destroy(), 20);
    });
    const failure = await failureOf((await transportWith()(url)).text());
    expect([failure.code, failure.phase]).toEqual(['reset', 'body']);
  });
});

describe('TLS and connecting', () => {
  async function tlsServer(): Promise<{ port: number; cert: string }> {
    const { key, cert } = selfSigned();
    const tls = createTlsServer({ key, cert }, (_request, response) => response.end('secure'));
    const port = await listen(tls);
    cleanups.push(() => {
      tls.closeAllConnections();
      tls.close();
    });
    return { port, cert };
  }

  it('trusts the authorities that it was given', async () => {
    const { port, cert } = await tlsServer();
    expect(await (await transportWith({ ca: cert })(`https://127.0.0.1:${port}/`)).text()).toBe('secure');
  });

  it('names the remedy for an unknown certificate, and for plain HTTP behind https', async () => {
    const { port } = await tlsServer();
    const unknown = await failureOf(transportWith()(`https://127.0.0.1:${port}/`));
    expect(unknown.code).toBe('tls');
    expect(unknown.message).toContain('NODE_EXTRA_CA_CERTS');
    const plain = await server((_request, response) => response.end());
    const wrong = await failureOf(transportWith()(plain.replace('http:', 'https:')));
    expect([wrong.code, wrong.phase]).toEqual(['tls', 'connect']);
  });

  it('gives up on a connection that is never ready', async () => {
    const tcp = createTcpServer(() => undefined);
    const port = await listen(tcp);
    const sockets: Socket[] = [];
    tcp.on('connection', (socket) => sockets.push(socket));
    cleanups.push(() => {
      for (const socket of sockets) socket.destroy();
      tcp.close();
    });
    const failure = await failureOf(transportWith({ connectTimeoutMs: 100 })(`https://127.0.0.1:${port}/`));
    expect(failure.code).toBe('connect_timeout');
    expect(failure.message).toContain('within 0.1 s');
  });

  it('does not count the wait for an answer as connecting', async () => {
    const url = await server((_request, response) => setTimeout(() => response.end('late'), 1_200));
    expect(await (await transportWith({ connectTimeoutMs: 1_000 })(url)).text()).toBe('late');
  });

  it('goes through a proxy: absolute addresses for http, a tunnel for https, and not for NO_PROXY', async () => {
    const { port, cert } = await tlsServer();
    const seen: string[] = [];
    const proxy = await startServer((request, response) => {
      seen.push(`${request.method} ${request.url} ${request.headers['proxy-authorization']}`);
      response.end('by proxy');
    });
    proxy.server.on('connect', (request, client: Socket, head: Buffer) => {
      seen.push(`CONNECT ${request.url}`);
      const upstream = connect(port, '127.0.0.1', () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n');
        upstream.write(head);
        upstream.pipe(client).pipe(upstream);
      });
      client.on('error', () => undefined);
      upstream.on('error', () => undefined);
      cleanups.push(() => upstream.destroy() && client.destroy());
    });
    cleanups.push(proxy.close);
    const proxyUrl = proxy.url.replace('http://', 'http://u:p@');
    const direct = await server((_request, response) => response.end('direct'));
    const fetch = transportWith({
      ca: cert,
      proxies: { http: proxyUrl, https: proxyUrl, no: `127.0.0.1:${new URL(direct).port}` },
    });
    expect(await (await fetch('http://far.test/v1')).text()).toBe('by proxy');
    expect(await (await fetch(`https://127.0.0.1:${port}/v1`)).text()).toBe('secure');
    expect(await (await fetch(direct)).text()).toBe('direct');
    expect(seen).toEqual(['GET http://far.test/v1 Basic dTpw', `CONNECT 127.0.0.1:${port}`]);
  });

  it('says so when a proxy refuses the tunnel', async () => {
    const proxy = await startServer((_request, response) => response.end());
    proxy.server.on('connect', (_request, client: Socket) =>
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'),
    );
    cleanups.push(proxy.close);
    const failure = await failureOf(transportWith({ proxies: { https: proxy.url } })('https://far.test/'));
    expect(failure.message).toMatch(/far\.test.*proxy/i);
  });
});
