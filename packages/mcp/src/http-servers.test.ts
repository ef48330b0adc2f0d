import { createServer } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeFolder } from '@attractor/base/testing';
import { boundedFetch } from './bounded-fetch.ts';
import { callMcpServer } from './call-server.ts';
import { openMcp } from './open-mcp.ts';
import { answerMessage } from './test-support/issuer.ts';

type Address = {
  readonly port: number;
  readonly stop: () => Promise<void>;
  /** Forgets the sessions of before, as after a restart. */
  readonly forget: () => void;
  readonly started: () => number;
};

/** A server with sessions, on loopback. */
async function serve(port = 0): Promise<Address> {
  let [session, started] = ['', 0];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => {
      if (request.method !== 'POST') return void response.writeHead(405).end();
      const message = JSON.parse(Buffer.concat(chunks).toString());
      if (message.method === 'initialize') session = `session-${++started}`;
      else if (request.headers['mcp-session-id'] !== session) return void response.writeHead(404).end();
      const { status, headers, body } = answerMessage(message);
      return void response.writeHead(status, { ...headers, 'mcp-session-id': session }).end(body);
    });
  });
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve));
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(stop);
  const address = server.address();
  const at = typeof address === 'object' && address !== null ? address.port : 0;
  return { port: at, stop, forget: () => void (session = 'none'), started: () => started };
}

describe('a server at an address', () => {
  it('that forgot the session is met anew, and one that is gone is an error until it is back', async () => {
    let now = 0;
    const server = await serve();
    const transport = { kind: 'http', url: `http://127.0.0.1:${server.port}/mcp`, headers: {} } as const;
    const folder = makeFolder();
    const clock = { now: () => now };
    const mcp = openMcp({
      servers: [{ name: 'web', scope: 'flag', transport }],
      workspace: folder,
      version: '1',
      clock,
    });
    onTestFinished(() => mcp.close());
    await mcp.ready();
    const call = () => mcp.list()[0]?.executor({}, null, { toolCallId: 'c' });
    expect(await call()).toMatchObject({ isError: false });
    server.forget();
    expect(await call()).toMatchObject({ isError: false });
    expect(server.started()).toBe(2);
    await server.stop();
    expect(await call()).toMatchObject({ isError: true, output: expect.stringContaining('web') });
    expect(await call()).toMatchObject({ isError: true });
    const back = await serve(server.port);
    now += 60_000;
    expect(await call()).toMatchObject({ isError: false });
    expect(back.started()).toBe(1);
  });

  it('that never answers a start ends with whoever closes it', async () => {
    const server = createServer(() => undefined);
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => server.close().closeAllConnections());
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/`;
    const mute = callMcpServer(
      { name: 'mute', scope: 'flag', transport: { kind: 'http', url, headers: {} } },
      { workspace: makeFolder(), version: '1' },
    );
    const listed = mute.tools();
    await mute.close();
    expect(await listed).toMatchObject({ ok: false });
    expect(await mute.tools()).toMatchObject({ ok: false, error: { code: 'closed' } });
  });

  it.each<readonly [status: number, type: string, body: string, says: RegExp]>([
    [
      502,
      'text/html',
      `<html><title>Bad gateway</title>${'x'.repeat(9_000)}`,
      /: it answered 502 with a web page \("Bad gateway"\)\.$/,
    ],
    [500, 'text/plain', 'db down '.repeat(200), /: it answered 500: db down .{300,400}…\.$/],
    [401, 'text/plain', '', /does not let us in \(it answered 401\)\. .*attractor mcp login/],
    [302, 'text/plain', '', /: it leads to http:\/\/elsewhere\.test\/, which is not followed: use that address/],
    [200, 'text/html', '<html>', /: it answered with text\/html, not with a message\.$/],
    [200, 'text/event-stream', 'data: {"jsonrpc":', /: Its answer ended in the middle\.$/],
    [202, 'text/plain', '', /^The MCP server web did not start: it answered 202 to initialize, without the answer/],
    [
      200,
      'application/json',
      JSON.stringify({
        jsonrpc: '2.0',
        id: 77,
        result: { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: {} },
      }),
      /^The MCP server web did not start: it answered initialize under the id 77, not 0\.$/,
    ],
  ])('that answers %i %s is told in one short line', async (status, type, body, says) => {
    const server = createServer((_, response) => {
      response.writeHead(status, { 'content-type': type, location: 'http://elsewhere.test/' }).end(body);
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => server.close().closeAllConnections());
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/`;
    const transport = { kind: 'http', url, headers: {} } as const;
    const mcp = openMcp({
      servers: [{ name: 'web', scope: 'flag', transport }],
      workspace: makeFolder(),
      version: '1',
    });
    onTestFinished(() => mcp.close());
    expect(await mcp.ready()).toMatchObject([{ problem: { message: expect.stringMatching(says) } }]);
  });

  it('can fill no memory with one answer, nor with one event; many events may pass', async () => {
    const mebibyte = 'x'.repeat(1 << 20);
    const body = (count: number, end: string) => {
      let left = count;
      return new ReadableStream<Uint8Array<ArrayBuffer>>({
        pull: (controller) => {
          if (left-- > 0) controller.enqueue(new TextEncoder().encode(`data: ${mebibyte}${end}`));
          else controller.close();
        },
      });
    };
    const sizeOf = async (end: string, type: string): Promise<number> => {
      const fetch = boundedFetch(async () => new Response(body(40, end), { headers: { 'content-type': type } }));
      return (await (await fetch('http://x')).arrayBuffer()).byteLength;
    };
    await expect(sizeOf('\n\n', 'application/json')).rejects.toThrow('32 MiB');
    await expect(sizeOf('\n', 'text/event-stream')).rejects.toThrow('32 MiB');
    expect(await sizeOf('\n\n', 'text/event-stream')).toBeGreaterThan(40 << 20);
  });
});
