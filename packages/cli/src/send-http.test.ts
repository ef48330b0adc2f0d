import { execFileSync } from 'node:child_process';
import { createServer, type RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sendHttp } from './send-http.ts';

const GET = { method: 'GET', headers: {} };
const POST = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":"ä"}' };

async function serve(answer: RequestListener, host = '127.0.0.1'): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => void server.listen(0, host, resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://${host}:${typeof address === 'object' && address !== null ? address.port : 0}`;
}

describe('a call of a server', () => {
  it('carries its content, and brings status, headers and text', async () => {
    const url = await serve((request, response) => {
      response.writeHead(409, { 'x-left': '3' });
      response.write(`${request.method ?? ''} ${request.headers['content-type'] ?? ''} `);
      request.pipe(response);
    });
    const answer = await sendHttp(url, POST);
    expect([answer.ok, answer.status, answer.headers.get('X-Left'), answer.headers.get('none')]).toEqual([
      false,
      409,
      '3',
      null,
    ]);
    expect(await answer.text()).toBe('POST application/json {"a":"ä"}');
  });

  it('is read once more where the server had closed a socket that was kept; a change is sent once, on a socket of its own', async () => {
    const sockets = new Set<unknown>();
    const asked: string[] = [];
    const url = await serve((request, response) => {
      asked.push(`${request.method ?? ''} ${sockets.has(request.socket) ? 'kept' : 'new'}`);
      if (sockets.has(request.socket) || asked.length === 4) request.socket.destroy();
      else response.end('well');
      sockets.add(request.socket);
    });
    expect(await (await sendHttp(url, GET)).text()).toBe('well');
    expect(await (await sendHttp(url, GET)).text()).toBe('well');
    await expect(sendHttp(url, POST)).rejects.toThrow('socket hang up');
    expect(asked).toEqual(['GET new', 'GET kept', 'GET new', 'POST new']);
  });

  it('asks for a compressed answer only where it comes from another machine', async () => {
    const answer: RequestListener = ({ headers }, response) => {
      const isGzip = headers['accept-encoding'] === 'gzip';
      const said = Buffer.from(headers['accept-encoding'] ?? 'nothing');
      response.writeHead(200, isGzip ? { 'content-encoding': 'gzip' } : {}).end(isGzip ? gzipSync(said) : said);
    };
    expect(await (await sendHttp(await serve(answer), GET)).text()).toBe('nothing');
    expect(await (await sendHttp(await serve(answer, '127.0.0.2'), GET)).text()).toBe('gzip');
  });

  it('follows no redirect', async () => {
    const url = await serve((_request, response) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end());
    expect(await sendHttp(url, GET)).toMatchObject({ ok: false, status: 307 });
  });

  it('can be a stream, which ends with its reader or with the signal', async () => {
    const closed = Array.from({ length: 2 }, () => Promise.withResolvers<void>());
    const left = [...closed];
    const url = await serve((_request, response) => {
      response.on('close', () => left.shift()?.resolve()).write('one');
    });
    const reader = (await sendHttp(url, GET)).body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? [])).toEqual(Buffer.from('one'));
    await reader?.cancel();
    await closed[0]?.promise;
    const stop = new AbortController();
    const answer = await sendHttp(url, { ...GET, signal: stop.signal });
    stop.abort();
    await expect(answer.text()).rejects.toThrow('aborted');
    await closed[1]?.promise;
    await expect(sendHttp(url, { ...GET, signal: stop.signal })).rejects.toThrow('aborted');
  });

  it('does without the fetch of the platform', () => {
    const script = `import { sendHttp } from ${JSON.stringify(new URL('send-http.ts', import.meta.url).href)};
      await sendHttp('http://127.0.0.1:1/', { method: 'GET', headers: {} }).catch(({ code }) => console.log(code));
      console.log(process.moduleLoadList.filter((name) => name.includes('undici')).length);`;
    const said = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    expect(said).toBe('ECONNREFUSED\n0\n');
  });
});
