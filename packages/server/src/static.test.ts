import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMemoryWorkflow } from './test-support/memory-workflow.ts';
import { serve, type Served } from './test-support/serve.ts';

const world: { folder: string; server: Served | null } = { folder: '', server: null };

beforeAll(async () => {
  world.folder = await mkdtemp(join(tmpdir(), 'attractor-static-'));
  const root = join(world.folder, 'web');
  await mkdir(join(root, 'assets'), { recursive: true });
  await writeFile(join(world.folder, 'secret.txt'), 'secret');
  await writeFile(join(root, 'index.html'), '<!doctype html><title>app</title>');
  await writeFile(join(root, 'assets', 'app-1a2b.js'), 'export {};');
  await writeFile(join(root, 'assets', 'app-1a2b.js.br'), 'as brotli');
  await writeFile(join(root, 'assets', 'app-1a2b.js.gz'), 'as gzip');
  await symlink(join(world.folder, 'secret.txt'), join(root, 'link.txt'));
  await symlink(world.folder, join(root, 'out'));
  await mkdir(`${root}-private`);
  await writeFile(join(`${root}-private`, 'secret.txt'), 'secret');
  await symlink(`${root}-private`, join(root, 'beside'));
  world.server = await serve({ workflow: await createMemoryWorkflow(), webRoot: root });
});

afterAll(async () => {
  await world.server?.close(100);
  await rm(world.folder, { recursive: true, force: true });
});

/** Sends the path as it is: `fetch` would tidy it first. */
function get(path: string, method = 'GET', headers: Readonly<Record<string, string>> = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number;
    type: string;
    cache: string;
    tag: string;
    encoding: string;
    body: string;
  }>();
  request({ host: '127.0.0.1', port: world.server?.port, path, method, headers }, (response) => {
    let body = '';
    response.on('data', (chunk: Buffer) => (body += chunk.toString()));
    response.on('end', () =>
      resolve({
        status: response.statusCode ?? 0,
        type: response.headers['content-type'] ?? '',
        cache: response.headers['cache-control'] ?? '',
        tag: response.headers.etag ?? '',
        encoding: response.headers['content-encoding'] ?? '',
        body,
      }),
    );
  })
    .on('error', reject)
    .end();
  return promise;
}

describe('the web app’s files', () => {
  it('are served with their type; hashed ones may be kept for ever, the page is asked for again', async () => {
    const script = await get('/assets/app-1a2b.js');
    expect(script).toMatchObject({ status: 200, type: 'text/javascript; charset=utf-8' });
    expect(script.cache).toContain('immutable');
    expect(await get('/')).toMatchObject({ status: 200, type: 'text/html; charset=utf-8', cache: 'no-cache' });
  });

  it('are sent as the build compressed them, and not at all to who has them', async () => {
    const [brotli, zipped, plain] = [
      await get('/assets/app-1a2b.js', 'GET', { 'accept-encoding': 'gzip, br' }),
      await get('/assets/app-1a2b.js', 'GET', { 'accept-encoding': 'gzip' }),
      await get('/assets/app-1a2b.js'),
    ];
    expect([brotli.encoding, brotli.body]).toEqual(['br', 'as brotli']);
    expect([zipped.encoding, zipped.body]).toEqual(['gzip', 'as gzip']);
    expect([plain.encoding, plain.body]).toEqual(['', 'export {};']);
    expect(brotli.tag).toBe(plain.tag);
    expect(await get('/tasks/tsk_1', 'GET', { 'if-none-match': (await get('/')).tag })).toMatchObject({
      status: 304,
      body: '',
    });
  });

  it('give way to the page for every address of the app, but not for a missing file', async () => {
    expect((await get('/tasks/tsk_1')).body).toContain('<title>app');
    expect((await get('/assets/missing.js')).status).toBe(404);
    expect((await get('/', 'POST')).status).toBe(405);
  });

  it('never lie outside the folder, however they are asked for', async () => {
    const paths = [
      '/../secret.txt',
      '/..%2fsecret.txt',
      '/%2e%2e/secret.txt',
      '/assets/../../secret.txt',
      '/assets/%2e%2e%2f%2e%2e%2fsecret.txt',
      '/link.txt',
      '/out/secret.txt',
      '/beside/secret.txt',
      '/..%2fweb-private%2fsecret.txt',
      '//secret.txt',
      '/..%5csecret.txt',
      '/%00',
      '/%ff',
    ];
    for (const path of paths) {
      const answer = await get(path);
      expect(answer.body, path).not.toBe('secret');
    }
  });
});
