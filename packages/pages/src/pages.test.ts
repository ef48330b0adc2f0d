import { createServer } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { until } from '@attractor/base/testing';
import { checkUrl, hostMatches, kindOfAddress } from '@attractor/confine';
import { fetchPage, type FetchPageOptions } from './fetch-page.ts';
import { htmlToMarkdown } from './html-to-markdown.ts';
import { searchServiceIn } from './search-services.ts';
import { type Answer, say, serve } from './testing/index.ts';

const HERE: FetchPageOptions = { allowLoopback: true };

describe('an address', () => {
  it.each([
    ['8.8.8.8', 'public'],
    ['93.184.216.34', 'public'],
    ['2606:2800:220:1:248:1893:25c8:1946', 'public'],
    ['127.0.0.1', 'loopback'],
    ['127.8.9.1', 'loopback'],
    ['::1', 'loopback'],
    ['0.0.0.0', 'private'],
    ['10.1.2.3', 'private'],
    ['100.100.100.200', 'private'],
    ['169.254.169.254', 'private'],
    ['168.63.129.16', 'private'],
    ['172.31.0.1', 'private'],
    ['192.168.1.1', 'private'],
    ['224.0.0.1', 'private'],
    ['255.255.255.255', 'private'],
    ['::', 'private'],
    ['::ffff:127.0.0.1', 'private'],
    ['::ffff:8.8.8.8', 'private'],
    ['::127.0.0.1', 'private'],
    ['64:ff9b::7f00:1', 'private'],
    ['64:ff9b:1::a00:1', 'private'],
    ['2002:7f00:1::', 'private'],
    ['2001:0:4136:e378:8000:63bf:3fff:fdd2', 'private'],
    ['2001:db8::1', 'private'],
    ['fc00::1', 'private'],
    ['fd00:ec2::254', 'private'],
    ['fe80::1', 'private'],
    ['fe80::1%eth0', 'private'],
    ['ff02::1', 'private'],
    ['no address', 'private'],
  ])('%s is %s', (address, kind) => {
    expect(kindOfAddress(address)).toBe(kind);
  });
});

describe('a host rule', () => {
  it.each([
    ['good.test', 'good.test', true],
    ['a.b.good.test', 'good.test', true],
    ['GOOD.TEST.', 'good.test', true],
    ['good.test', 'GOOD.test.', true],
    ['good.test.evil.test', 'good.test', false],
    ['evilgood.test', 'good.test', false],
    ['good.test', '*.good.test', false],
    ['x.good.test', '*.good.test', true],
    ['bücher.test', 'xn--bcher-kva.test', true],
    ['good.test', 'good.test@evil.test', false],
    ['good.test', '', false],
    ['test', 'good.test', false],
  ])('%s against %s: %s', (host, rule, expected) => {
    expect(hostMatches(host, rule)).toBe(expected);
  });

  it('holds for the host that is really asked, not for what looks like it', () => {
    const rules = { allowDomains: ['good.test'], denyDomains: ['bad.good.test'] };
    for (const url of ['https://good.test/x', 'https://GOOD.TEST./', 'https://a.good.test:8443/'])
      expect(checkUrl(url, rules), url).toMatchObject({ ok: true });
    for (const url of [
      'https://good.test@evil.test/',
      'https://user:secret@good.test/',
      'https://good.test.evil.test/',
      String.raw`https://evil.test\@good.test/`,
      'https://evil.test/good.test',
      'https://bad.good.test/',
      'https://good.test:22/',
      'ftp://good.test/',
      'file:///etc/passwd',
      'data:text/plain,x',
      'good.test',
      'https://',
    ])
      expect(checkUrl(url, rules), url).toMatchObject({ ok: false, message: expect.any(String) });
  });
});

describe('a page', () => {
  it('is shown as markdown without what runs, with links that can be followed', async () => {
    const html = `<title>A &amp; B</title><style>p{}</style><h1>Head</h1><script>alert(1)</script>
      <p>See <a href="../next?a=1#x">the next</a>, not <a href="javascript:x()">this</a>.</p><img src="data:x" alt="a picture">`;
    const { origin, requests } = await serve(say(html, { 'content-type': 'text/html; charset=utf-8' }));
    const page = await fetchPage(`${origin}/docs/start`, HERE);
    expect(page).toMatchObject({ ok: true, title: 'A & B', isCut: false, url: `${origin}/docs/start` });
    expect(page).toMatchObject({ text: `# Head\n\nSee [the next](${origin}/next?a=1#x), not this.\n\na picture` });
    expect(requests[0]?.headers).not.toHaveProperty('cookie');
    expect(requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ])('packed as %s is unpacked', async (encoding, pack) => {
    const { origin } = await serve(
      say(pack('packed words'), { 'content-type': 'text/plain', 'content-encoding': encoding }),
    );
    expect(await fetchPage(origin, HERE)).toMatchObject({ ok: true, text: 'packed words' });
  });

  it('is decoded as its headers, its mark or its own words say', async () => {
    const latin = Buffer.from('<meta charset="iso-8859-1"><p>f\xfcr', 'latin1');
    const answers: Readonly<Record<string, Answer>> = {
      '/header': say(Buffer.from('f\xfcr', 'latin1'), { 'content-type': 'text/plain; charset="ISO-8859-1"' }),
      '/meta': say(latin, { 'content-type': 'text/html' }),
      '/mark': say(Buffer.from('\ufefffür', 'utf16le'), { 'content-type': 'text/plain' }),
      '/unknown': say('für', { 'content-type': 'text/plain; charset=no-such' }),
      '/none': say('für', {}),
    };
    const { origin } = await serve((request, response) => answers[request.url ?? '']?.(request, response));
    for (const path of Object.keys(answers))
      expect(await fetchPage(origin + path, HERE), path).toMatchObject({ text: 'für' });
  });

  it('that is no text, or an error, or damaged, is a failure that says so', async () => {
    const answers: Readonly<Record<string, Answer>> = {
      '/zip': say('PK', { 'content-type': 'application/zip' }),
      '/bytes': say(Buffer.from([0, 1, 2]), {}),
      '/damaged': say('no gzip', { 'content-type': 'text/plain', 'content-encoding': 'gzip' }),
      '/packed': say('x', { 'content-type': 'text/plain', 'content-encoding': 'secret' }),
      '/404': (_request, response) => void response.writeHead(404).end(),
      '/503': (_request, response) => void response.writeHead(503).end(),
      '/cut': (request) => void request.socket.destroy(),
    };
    const { origin } = await serve((request, response) => answers[request.url ?? '']?.(request, response));
    const failures = Object.fromEntries(
      await Promise.all(
        Object.keys(answers).map(async (path) => [path, await fetchPage(origin + path, HERE)] as const),
      ),
    );
    expect(failures).toMatchObject({
      '/zip': { ok: false, code: 'unsupported' },
      '/bytes': { ok: false, code: 'unsupported' },
      '/damaged': { ok: false, code: 'unsupported' },
      '/packed': { ok: false, code: 'unsupported' },
      '/404': { ok: false, code: 'status', retryable: false },
      '/503': { ok: false, code: 'status', retryable: true },
      '/cut': { ok: false, code: 'unreachable', retryable: true },
    });
  });
});

describe('only the open internet', () => {
  it('is asked: this machine under any of its names is not, unless that was allowed', async () => {
    const { port, requests } = await serve(say('secret'));
    for (const host of [
      '127.0.0.1',
      'localhost',
      '2130706433',
      '0x7f.1',
      '0177.0.0.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '0',
    ]) {
      const page = await fetchPage(`http://${host}:${port}/`, { ports: [port] });
      expect(page, host).toMatchObject({ ok: false, code: 'refused' });
    }
    expect(requests).toEqual([]);
    expect(await fetchPage(`http://127.0.0.1:${port}/`, HERE)).toMatchObject({ text: 'secret' });
  });

  it('is asked over IPv6 too', async () => {
    const { origin, port, requests } = await serve(say('six'), '::1');
    expect(await fetchPage(origin, { ports: [port] })).toMatchObject({ ok: false, code: 'refused' });
    expect(requests).toEqual([]);
    expect(await fetchPage(origin, HERE)).toMatchObject({ ok: true, text: 'six' });
    const named = { ...HERE, resolve: async () => ['::1'] };
    expect(await fetchPage(`http://six.test:${port}/`, named)).toMatchObject({ text: 'six' });
    expect(requests.at(-1)?.headers.host).toBe(`six.test:${port}`);
  });

  it('is asked at the address that was checked: a name is looked up once a hop, and all its addresses count', async () => {
    const { port, requests } = await serve((request, response) =>
      request.url === '/hop' ? response.writeHead(302, { location: '/end' }).end() : response.end('end'),
    );
    let looks = 0;
    const rebinding = { ...HERE, resolve: async () => (++looks === 1 ? ['127.0.0.1'] : ['10.0.0.1']) };
    expect(await fetchPage(`http://site.test:${port}/end`, rebinding)).toMatchObject({ ok: true, text: 'end' });
    expect(looks).toBe(1);
    looks = 0;
    expect(await fetchPage(`http://site.test:${port}/hop`, rebinding)).toMatchObject({
      code: 'refused',
      message: expect.stringContaining('10.0.0.1'),
    });
    expect(requests.map(({ url }) => url)).toEqual(['/end', '/hop']);
    const mixed = { ...HERE, resolve: async () => ['127.0.0.1', '169.254.169.254'] };
    expect(await fetchPage(`http://site.test:${port}/end`, mixed)).toMatchObject({ code: 'refused' });
    const gone = { ...HERE, resolve: async () => Promise.reject(new Error('ENOTFOUND')) };
    expect(await fetchPage('http://gone.test/', gone)).toMatchObject({ code: 'unreachable' });
    expect(requests).toHaveLength(2);
  });
});

describe('a redirect', () => {
  it('is followed on the same host, and told when it leads to another one, which nobody asks', async () => {
    const other = await serve(say('other'), '127.0.0.2');
    const { origin, requests } = await serve((request, response) => {
      const targets: Readonly<Record<string, string>> = {
        '/a': '/b?x=1',
        '/elsewhere': `${other.origin}/x`,
        '/metadata': 'http://169.254.169.254/latest/meta-data/',
        '/file': 'file:///etc/passwd',
        '/user': `http://u:p@127.0.0.1:${request.socket.localPort}/b`,
      };
      const location = targets[request.url ?? ''];
      if (location === undefined) response.end('here');
      else response.writeHead(302, { location, 'set-cookie': 'a=b' }).end();
    });
    expect(await fetchPage(`${origin}/a`, HERE)).toMatchObject({ text: 'here', url: `${origin}/b?x=1` });
    expect(requests.at(-1)?.headers).not.toHaveProperty('cookie');
    expect(await fetchPage(`${origin}/elsewhere`, HERE)).toEqual({
      ok: true,
      elsewhere: `${other.origin}/x`,
      url: `${origin}/elsewhere`,
    });
    expect(await fetchPage(`${origin}/metadata`, HERE)).toMatchObject({
      elsewhere: expect.stringContaining('169.254'),
    });
    expect(await fetchPage(`${origin}/file`, HERE)).toMatchObject({ elsewhere: 'file:///etc/passwd' });
    expect(await fetchPage(`${origin}/user`, HERE)).toMatchObject({ ok: false, code: 'refused' });
    expect(other.requests).toEqual([]);
  });

  it('T26: to a host or a port beside the one that was judged is told, be it only www. before it', async () => {
    const targets = ['http://www.name.test/x', 'http://name.test:8080/x', 'https://name.test:8443/x'];
    for (const location of targets) {
      const { port, requests } = await serve((_request, response) => response.writeHead(301, { location }).end());
      const there: FetchPageOptions = { ...HERE, resolve: async () => ['127.0.0.1'] };
      const url = `http://name.test:${port}/`;
      expect(await fetchPage(url, there)).toEqual({ ok: true, elsewhere: location, url });
      expect(requests).toHaveLength(1);
    }
  });

  it('without an end, or to nowhere, is given up', async () => {
    const { origin, requests } = await serve((request, response) =>
      request.url === '/nowhere'
        ? response.writeHead(301).end()
        : response.writeHead(307, { location: `${request.url}x` }).end(),
    );
    expect(await fetchPage(`${origin}/x`, HERE)).toMatchObject({
      code: 'status',
      message: expect.stringContaining('5 times'),
    });
    expect(requests.length).toBe(6);
    expect(await fetchPage(`${origin}/nowhere`, HERE)).toMatchObject({ code: 'status' });
  });
});

describe('a body', () => {
  it('without end is cut at the limit, and the connection is closed', async () => {
    let isClosed = false;
    const { origin } = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      const more = (): void =>
        void (response.write('x'.repeat(65_536)) ? setImmediate(more) : response.once('drain', more));
      response.on('close', () => (isClosed = true));
      more();
    });
    const page = await fetchPage(origin, { ...HERE, maxBytes: 200_000 });
    expect(page).toMatchObject({ ok: true, isCut: true, bytes: 200_000 });
    await until(() => isClosed);
  });

  it('that unpacks to a thousand times its size is cut at the limit', async () => {
    const bomb = gzipSync(Buffer.alloc(64 << 20, 'x'));
    expect(bomb.length).toBeLessThan(100_000);
    const { origin } = await serve(say(bomb, { 'content-type': 'text/plain', 'content-encoding': 'gzip' }));
    expect(await fetchPage(origin, { ...HERE, maxBytes: 100_000 })).toMatchObject({ isCut: true, bytes: 100_000 });
  });

  it('that drips is given up in time; so are headers and names that never come', async () => {
    const { origin } = await serve((request, response) => {
      if (request.url === '/headers') return;
      response.writeHead(200, { 'content-type': 'text/plain' });
      const timer = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(timer));
    });
    const slow = { ...HERE, timeoutMs: 250 };
    const never = { ...slow, resolve: () => new Promise<never>(() => undefined) };
    expect(await fetchPage(`${origin}/drip`, slow)).toMatchObject({ ok: false, code: 'timeout', retryable: true });
    expect(await fetchPage(`${origin}/headers`, slow)).toMatchObject({ ok: false, code: 'timeout' });
    expect(await fetchPage('http://never.test/', never)).toMatchObject({ ok: false, code: 'timeout' });
    const stopper = new AbortController();
    const stopped = fetchPage(`${origin}/drip`, HERE, stopper.signal);
    setTimeout(() => stopper.abort(), 50);
    expect(await stopped).toMatchObject({ ok: false, code: 'aborted' });
  });

  it('of HTML that is made to take for ever still gives its words in time', async () => {
    const base = new URL('https://example.com/');
    expect((await htmlToMarkdown('<script>'.repeat(50_000), base)).text).toBe('');
    expect((await htmlToMarkdown('<!--'.repeat(100_000), base)).text).toBe('');
    expect((await htmlToMarkdown(`${'<div>'.repeat(60_000)}deep`, base)).text).toContain('deep');
  });
});

describe('services that search', () => {
  it.each([
    ['SearXNG', { SEARXNG_URL: '' }, '/search?format=json&q=words%20site%3Aa.test%20-site%3Ab.test', {}],
    ['Brave', { BRAVE_API_KEY: 'k', BRAVE_BASE_URL: '' }, '/res/v1/web/search', { 'x-subscription-token': 'k' }],
    ['Tavily', { TAVILY_API_KEY: 'k', TAVILY_BASE_URL: '' }, '/search', { authorization: 'Bearer k' }],
    ['Exa', { EXA_API_KEY: 'k', EXA_BASE_URL: '' }, '/search', { 'x-api-key': 'k' }],
  ])('%s is asked as it wants to be, and what it found is told', async (name, variables, asked, headers) => {
    const heard: Array<{ url: string; headers: object; body: string }> = [];
    let status = 200;
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => void chunks.push(chunk));
      request.on('end', () => {
        heard.push({ url: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() });
        const results = [
          { url: 'https://a.test/x', title: 'X', description: '<b>about</b> x' },
          { title: 'no address' },
          { url: 'javascript:x', title: 'no page' },
        ];
        response.writeHead(status).end(JSON.stringify(name === 'Brave' ? { web: { results } } : { results }));
      });
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    const service = searchServiceIn(
      Object.fromEntries(Object.entries(variables).map(([key, value]) => [key, value || base])),
    );
    const query = { query: 'words', allowedDomains: ['a.test'], blockedDomains: ['b.test'], signal: undefined };
    expect(await service?.(query)).toEqual([{ url: 'https://a.test/x', title: 'X', snippet: 'about x' }]);
    expect(heard[0]?.url.startsWith(asked)).toBe(true);
    expect(heard[0]?.headers).toMatchObject(headers);
    expect(`${decodeURIComponent(heard[0]?.url ?? '')}${heard[0]?.body}`).toMatch(/words.*a\.test.*b\.test/);
    status = 401;
    await expect(service?.(query)).rejects.toThrow(`${name} answered with 401: its key is not accepted.`);
  });

  it.each<readonly [status: number, body: string, says: RegExp]>([
    [200, '<html>Sign in</html>', /SearXNG answered with a web page: check its address/],
    [200, '{"results":', /answered with what is no JSON/],
    [200, '{"error":"rate limited"}', /answered with no list of pages: rate limited/],
    [200, '{"results":"none"}', /no list of pages: \{"results":"none"\}/],
    [200, 'x'.repeat(9 << 20), /more than 8 MB/],
    [302, '', /leads to http:\/\/elsewhere\.test\/: set its address/],
    [500, 'boom', /answered with 500\./],
  ])('that answer %i %.24s fail, and say why', async (status, body, says) => {
    const server = createServer((_, response) => {
      response.writeHead(status, { location: 'http://elsewhere.test/' }).end(body);
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const at = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    const query = { query: 'words', allowedDomains: [], blockedDomains: [], signal: undefined };
    await expect(searchServiceIn({ SEARXNG_URL: at })?.(query)).rejects.toThrow(says);
    server.closeAllConnections();
    await new Promise((resolve) => void server.close(resolve));
    await expect(searchServiceIn({ SEARXNG_URL: at })?.(query)).rejects.toThrow(/did not answer at 127.*ECONNREFUSED/);
  });

  it("are chosen by name where a person does so, the provider's own among them", async () => {
    const own = async () => [{ url: 'https://own.test/', title: 'Own' }];
    const query = { query: 'words', allowedDomains: [], blockedDomains: [], signal: undefined };
    const keys = { BRAVE_API_KEY: 'k', SEARXNG_URL: 'http://x' };
    expect(searchServiceIn(keys, own)).not.toBe(own);
    expect(searchServiceIn({}, own)).toBeUndefined();
    expect(searchServiceIn({ ...keys, ATTRACTOR_WEB_SEARCH: 'provider' }, own)).toBe(own);
    expect(searchServiceIn({ ...keys, ATTRACTOR_WEB_SEARCH: 'none' }, own)).toBeUndefined();
    expect(searchServiceIn({ ATTRACTOR_WEB_SEARCH: 'Tavily' }, own)).toBeUndefined();
    await expect(searchServiceIn({ ...keys, ATTRACTOR_WEB_SEARCH: 'bing' }, own)?.(query)).rejects.toThrow(
      'ATTRACTOR_WEB_SEARCH is bing, which is none of searxng, brave, tavily, exa, provider and none',
    );
  });

  it('are none without a key or an address', () => {
    expect(searchServiceIn({ BRAVE_BASE_URL: 'http://x', SEARXNG_URL: ' ' })).toBeUndefined();
  });
});
