import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { dirname, join } from 'node:path';
import { makeFolder } from '@attractor/store/testing';
import { git, makeRepository } from './git-world.ts';

const FILTER = ['-c', 'filter.lfs.process=git-lfs filter-process', '-c', 'filter.lfs.required=true'];

/** As somebody with Git LFS set up runs git. */
export const gitWithLfs = (cwd: string, ...args: ReadonlyArray<string>): Promise<string> =>
  git(cwd, ...FILTER, ...args);

/** A remote that keeps `*.bin` with Git LFS, and a person's clone of it, whole. */
export async function makeLargeFilesWorld(files: Readonly<Record<string, string>>, attributes = '.gitattributes') {
  const folder = makeFolder();
  const [remote, path] = [join(folder, 'remote.git'), join(folder, 'clone')];
  const origin = await makeRepository({ [attributes]: '*.bin filter=lfs diff=lfs merge=lfs -text\n' });
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(origin, name)), { recursive: true });
    writeFileSync(join(origin, name), content);
  }
  await gitWithLfs(origin, 'add', '--all');
  await gitWithLfs(origin, 'commit', '--quiet', '-m', 'large files');
  await git(folder, 'init', '--quiet', '--bare', '-b', 'main', remote);
  await git(origin, 'remote', 'add', 'origin', remote);
  await git(origin, 'lfs', 'push', 'origin', 'main');
  await git(origin, 'push', '--quiet', 'origin', 'main');
  await gitWithLfs(folder, 'clone', '--quiet', '--', remote, path);
  return { folder, remote, path };
}

/** A server of Git LFS on loopback: the batch API, and the objects themselves. */
export async function serveLargeFiles() {
  const objects = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    void answer(request).then(({ status = 200, body = '' }) => {
      response.writeHead(status, { 'content-type': 'application/vnd.git-lfs+json' });
      response.end(body);
    });
  });
  const answer = async (
    request: IncomingMessage,
  ): Promise<{ readonly status?: number; readonly body?: string | Buffer }> => {
    const content = Buffer.concat(await request.toArray());
    const oid = /^\/objects\/([0-9a-f]{64})$/.exec(request.url ?? '')?.[1];
    if (oid !== undefined && request.method === 'PUT') objects.set(oid, content);
    if (oid !== undefined) return { body: objects.get(oid) ?? '' };
    if (request.url !== '/objects/batch') return { status: 404, body: '{"message":"no such place"}' };
    const batch: Batch = JSON.parse(content.toString('utf8'));
    const answered = batch.objects.map(({ oid: id, size }) => {
      const isHere = objects.has(id);
      if (batch.operation === 'download' && !isHere)
        return { oid: id, size, error: { code: 404, message: 'not here' } };
      const isWanted = batch.operation === 'download' || !isHere;
      return {
        oid: id,
        size,
        ...(isWanted ? { actions: { [batch.operation]: { href: `${url()}/objects/${id}` } } } : {}),
      };
    });
    return { body: JSON.stringify({ transfer: 'basic', objects: answered }) };
  };
  const url = (): string => {
    const address = server.address();
    return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  };
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  const put = (content: string): void => {
    objects.set(createHash('sha256').update(content).digest('hex'), Buffer.from(content));
  };
  const has = (content: string): boolean => objects.has(createHash('sha256').update(content).digest('hex'));
  return { url: url(), put, has, close: () => void server.close() };
}

type Batch = {
  readonly operation: 'download' | 'upload';
  readonly objects: ReadonlyArray<{ readonly oid: string; readonly size: number }>;
};
