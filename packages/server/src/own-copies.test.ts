import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Server } from 'node:net';
import { join } from 'node:path';
import { serveGit } from '@attractor/repository/testing';
import { expect, it, onTestFinished } from 'vitest';
import { ownCopies } from './own-copies.ts';
import { must, newFolder, newRepository, openRealWorld } from './test-support/real-world.ts';

const ENV = { PATH: process.env['PATH'] ?? '/usr/bin:/bin' };
const ACTOR = { type: 'user', name: 'Ada' } as const;

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

async function gitDaemon(folder: string): Promise<string> {
  const { url, close } = await serveGit(folder);
  onTestFinished(close);
  return url;
}

/** A bare repository as a folder of files; `null` serves nobody, otherwise whoever says this name and password. */
async function webServer(folder: string, secret: string | null) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const said = request.headers.authorization ?? '';
    asked.push(said);
    if (secret === null || said !== `Basic ${Buffer.from(secret).toString('base64')}`)
      return void response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
    const file = join(folder, (request.url ?? '').replace(/\?.*$/, ''));
    if (!existsSync(file)) return void response.writeHead(404).end();
    response.end(readFileSync(file));
  });
  return { host: `127.0.0.1:${await portOf(server)}`, asked };
}

function bareIn(folder: string, name: string): void {
  const git = (...args: ReadonlyArray<string>) => execFileSync('git', args, { cwd: folder, env: ENV });
  git('clone', '--quiet', '--bare', newRepository(), name);
  git('-C', name, 'update-server-info');
  writeFileSync(join(folder, name, 'hooks', 'post-checkout'), '#!/bin/sh\ntouch /tmp/ran\n', { mode: 0o755 });
}

it('clones an address below its home and makes a project of it, once', async () => {
  const { client, home } = await openRealWorld();
  const folder = newFolder();
  bareIn(folder, 'slugs.git');
  const url = `${await gitDaemon(folder)}/slugs.git`;
  const project = must(await client.projects.clone({ url }));
  const path = join(home, 'repositories', 'slugs');
  expect(project).toMatchObject({ name: 'slugs', path, defaultBranch: 'main', config: { git: { remoteUrl: url } } });
  expect(readdirSync(path).toSorted()).toEqual(['.git', 'sum.sh']);
  expect(await client.projects.clone({ url })).toMatchObject({
    ok: false,
    error: { code: 'conflict', detail: { project: { id: project.id } } },
  });
  expect(must(await client.projects.clone({ url, name: 'again' }))).toMatchObject({ name: 'again' });
  mkdirSync(join(home, 'repositories', 'other'));
  const taken = await client.projects.clone({ url, name: 'other' });
  expect(taken).toMatchObject({
    ok: false,
    error: { code: 'conflict', message: expect.stringContaining('other name') },
  });
  expect(readdirSync(join(home, 'repositories')).toSorted()).toEqual(['again', 'other', 'slugs']);
});

it('refuses by name what is no address of another machine', async () => {
  const { client, home, fetch } = await openRealWorld();
  const refused: ReadonlyArray<readonly [string, string]> = [
    ['ext::sh -c touch% /tmp/x', 'one word'],
    ['ext::x', '"ext::" would start a program'],
    ['--upload-pack=touch', 'an option of git'],
    ['file:///srv/slugs.git', 'add the folder itself'],
    ['/srv/slugs.git', 'add the folder itself'],
    ['../slugs', 'add the folder itself'],
    ['slugs', 'add the folder itself'],
    ['ftp://host/slugs.git', '"ftp://" is not possible'],
    ['ssh://-oProxyCommand=x/slugs', 'names no host'],
    ['-oProxyCommand=x:slugs', 'an option of git'],
    ['https://host/slugs.git?token=abc', 'no "?"'],
    ['git://ada:hunter2@host/slugs.git', 'git:// has no sign-in'],
  ];
  for (const [url, says] of refused) {
    const response = await fetch('/api/projects/clone', { method: 'POST', body: JSON.stringify({ url }) });
    expect([url, response.status, await response.text()]).toEqual([
      url,
      400,
      expect.stringContaining(JSON.stringify(says).slice(1, -1)),
    ]);
  }
  for (const name of ['..', '.git', 'a/b', 'prj_1', '-x', ' '])
    expect(await client.projects.clone({ url: 'git://127.0.0.1:1/x.git', name })).toMatchObject({
      ok: false,
      error: { code: 'invalid', message: expect.stringContaining('needs a name') },
    });
  expect(existsSync(join(home, 'repositories'))).toBe(false);
});

it('asks nobody for a password, keeps none, and tells none', async () => {
  const { client, home } = await openRealWorld();
  const folder = newFolder();
  bareIn(folder, 'slugs.git');
  const shut = await webServer(folder, null);
  const closed = `http://${shut.host}/slugs.git`;
  const entry = {
    code: 'unavailable',
    message: expect.stringContaining(`${closed} refused access. Make "git ls-remote`),
  };
  expect(await client.projects.clone({ url: closed })).toMatchObject({ ok: false, error: entry });
  const wrong = await client.projects.clone({ url: `http://ada:hun%24ter2@${shut.host}/slugs.git` });
  expect(wrong).toMatchObject({ ok: false, error: entry });
  expect(JSON.stringify(wrong)).not.toMatch(/hun|ada/);
  expect(shut.asked.some((said) => said !== '')).toBe(true);
  expect(readdirSync(join(home, 'repositories'))).toEqual([]);

  const open = await webServer(folder, 'ada:hun$ter2');
  const project = must(await client.projects.clone({ url: `http://ada:hun%24ter2@${open.host}/slugs.git` }));
  expect(project.config).toEqual({ git: { remoteUrl: `http://${open.host}/slugs.git` } });
  const kept = spawnSync('grep', ['-rlaE', 'hun(%24|[$])ter2', home], { env: ENV, encoding: 'utf8' }).stdout;
  expect(kept).toBe('');
});

it('leaves nothing of a clone that fails or is stopped, and clears away what a killed one left', async () => {
  const { client, home, workflow } = await openRealWorld();
  const clones = join(home, 'repositories');
  mkdirSync(join(clones, '.clone-abandoned', 'objects'), { recursive: true });
  const gone = await client.projects.clone({ url: `${await gitDaemon(newFolder())}/none.git` });
  expect(gone).toMatchObject({ ok: false, error: { message: expect.stringContaining('none.git') } });
  expect(readdirSync(clones)).toEqual([]);

  let asked = 0;
  const silent = createSocketServer((socket) => {
    asked += 1;
    socket.on('error', () => null).resume();
  });
  const host = `127.0.0.1:${await portOf(silent)}`;
  const url = `git://${host}/slugs.git`;
  const waiting = client.projects.clone({ url });
  await expect.poll(() => asked).toBe(1);
  const [state] = must(await client.projects.clones());
  expect(state).toMatchObject({ url, phase: 'connecting', percent: null });
  expect(await client.projects.stopClone('nosuch')).toMatchObject({ ok: false, error: { code: 'not_found' } });
  must(await client.projects.stopClone(state?.id ?? ''));
  const stopped = { code: 'blocked', message: expect.stringContaining('was stopped') };
  expect(await waiting).toMatchObject({ ok: false, error: stopped });
  expect([must(await client.projects.clones()), readdirSync(clones)]).toEqual([[], []]);

  const copies = ownCopies({ workflow, home, env: { ...ENV, HOME: home } });
  const cloning = copies.clone({ url: `http://ada:hunter2@${host}/other.git` }, ACTOR);
  await expect.poll(() => asked).toBe(2);
  expect(copies.clones().map((clone) => clone.url)).toEqual([`http://${host}/other.git`]);
  await copies.close();
  expect(await cloning).toMatchObject({ ok: false, error: { code: 'unavailable' } });
  expect(readdirSync(clones)).toEqual([]);
});

it('makes the sample once, for whoever asks at the same time', async () => {
  const { client, home } = await openRealWorld();
  const made = (await Promise.all([client.projects.sample(), client.projects.sample()])).map(must);
  expect(made[1]).toEqual(made[0]);
  expect(made[0]).toMatchObject({ name: 'sample', path: join(home, 'sample'), config: {} });
  expect(must(await client.projects.sample())).toEqual(made[0]);
  expect(readdirSync(home).filter((name) => name.startsWith('.clone-'))).toEqual([]);
});
