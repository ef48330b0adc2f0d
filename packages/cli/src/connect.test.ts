import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { proofOf } from '@attractor/server/reach';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { makeRepository, openWorld } from './test-support/command-world.ts';
import { runCommand, type Ran } from './test-support/run-command.ts';

const UNSET = ['ATTRACTOR_SERVER', 'ATTRACTOR_TOKEN', 'ATTRACTOR_PROJECT_ID', 'ATTRACTOR_DATABASE_URL'];

let home: string;
let repository: string;

beforeEach(() => {
  const folder = makeFolder();
  [home, repository] = [join(folder, 'home'), join(folder, 'repository')];
  makeRepository(repository);
  vi.stubEnv('ATTRACTOR_HOME', home);
  for (const name of UNSET) vi.stubEnv(name, '');
});

afterEach(() => vi.unstubAllEnvs());

function makeFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'attractor-connect-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function parsed(ran: Ran): ReadonlyArray<Record<string, unknown>> {
  expect({ exit: ran.exit, stderr: ran.stderr }).toEqual({ exit: 0, stderr: '' });
  return ran.stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Record<string, unknown> => JSON.parse(line));
}

describe('a command without a server', () => {
  it('works in its own process on the same database, and opens no port', async () => {
    const [project] = parsed(await runCommand(['projects', 'create', '--json'], { cwd: repository }));
    const [task] = parsed(await runCommand(['task', 'create', 'Here', '--json'], { cwd: repository }));
    expect(task).toMatchObject({ projectId: project?.['id'], title: 'Here' });
    const told = await runCommand(['tasks', 'list', '--verbose', '--quiet'], { cwd: repository });
    expect(told).toEqual({ exit: 0, stdout: `${String(task?.['id'])}\n`, stderr: `in this process, on ${home}\n` });
    expect(readdirSync(home)).not.toContain('server.json');
  });

  it('goes by the record of a server only while its process lives', async () => {
    mkdirSync(home, { recursive: true });
    const child = execFile(process.execPath, ['-e', '']);
    const pid = child.pid ?? 0;
    await new Promise((resolve) => child.once('exit', resolve));
    writeFileSync(join(home, 'server.json'), JSON.stringify({ url: 'http://127.0.0.1:1', pid }));
    expect(parsed(await runCommand(['projects', 'list', '--json']))).toEqual([]);
  });

  it('shows its token to nobody who does not know it already', async () => {
    const seen: string[] = [];
    const stranger = createServer((request, response) => {
      seen.push(`${request.headers.authorization ?? 'nothing'} ${request.url?.split('?')[0] ?? ''}`);
      // What a real server on another port would prove, passed on.
      const text = new URL(request.url ?? '/', 'http://127.0.0.1').searchParams.get('challenge') ?? '';
      const token = readFileSync(join(home, 'token'), 'utf8').trim();
      const proof = proofOf(token, { text, at: '127.0.0.1:4180' });
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ ok: true, proof }));
    });
    await new Promise<void>((resolve) => void stranger.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void stranger.close());
    const address = stranger.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
    parsed(await runCommand(['projects', 'list', '--json']));
    writeFileSync(join(home, 'server.json'), JSON.stringify({ url, pid: process.pid }));
    expect(parsed(await runCommand(['projects', 'list', '--json']))).toEqual([]);
    const named = await runCommand(['projects', 'list', '--server', url]);
    expect([named.exit, named.stdout]).toEqual([6, '']);
    expect(seen).toEqual(['nothing /healthz', 'nothing /healthz']);
    expect(named.stderr).not.toContain(readFileSync(join(home, 'token'), 'utf8').trim());
  });

  it('says in one line that the database is not there or damaged, and makes nothing', async () => {
    const unreachable = await runCommand(['tasks', 'list'], {
      env: { ATTRACTOR_DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:1/x' },
    });
    expect([unreachable.exit, unreachable.stdout]).toEqual([5, '']);
    expect(unreachable.stderr).toContain('127.0.0.1:1');
    expect(unreachable.stderr).not.toContain('secret');
    expect(unreachable.stderr.trim().split('\n')).toHaveLength(1);
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, 'attractor.db'), 'this is no database, whatever its name says. '.repeat(100));
    const damaged = await runCommand(['tasks', 'create', 'x', '--project', 'y']);
    expect([damaged.exit, damaged.stdout]).toEqual([5, '']);
    expect(damaged.stderr).toContain('damaged');
  });
});

describe('the project of a folder', () => {
  it('is the innermost one around it, also from a worktree that lies elsewhere', async () => {
    const inner = join(repository, 'vendor', 'inner');
    makeRepository(inner);
    const worktree = join(makeFolder(), 'elsewhere');
    execFileSync('git', ['-C', repository, 'worktree', 'add', '--quiet', worktree]);
    const [outerProject] = parsed(await runCommand(['projects', 'create', '--json'], { cwd: repository }));
    mkdirSync(join(repository, 'src'));
    const at = async (cwd: string) => parsed(await runCommand(['projects', 'get', '--json'], { cwd }))[0]?.['id'];
    expect(await at(inner)).toBe(outerProject?.['id']);
    const [innerProject] = parsed(await runCommand(['projects', 'create', '--json'], { cwd: inner }));
    expect(await at(inner)).toBe(innerProject?.['id']);
    expect(await at(join(repository, 'src'))).toBe(outerProject?.['id']);
    expect(await at(worktree)).toBe(outerProject?.['id']);
    const outside = await runCommand(['projects', 'get'], { cwd: makeFolder() });
    expect([outside.exit, outside.stdout]).toEqual([3, '']);
    expect(parsed(await runCommand(['tasks', 'list', '--json'], { cwd: makeFolder() }))).toEqual([]);
  });
});

describe('a command with a server', () => {
  it('finds the one of its home, and changes nothing where it is refused', async () => {
    const world = await openWorld();
    onTestFinished(world.close);
    const told = await runCommand(['projects', 'list', '--verbose', '--quiet']);
    expect(told).toEqual({ exit: 0, stdout: `${world.project.id}\n`, stderr: `server: ${world.server.url}\n` });
    const before = await world.workflow.lastSeq();
    const refused = [
      await runCommand(['tasks', 'create', 'x', '--depends-on', 'tsk_none']),
      await runCommand(['tasks', 'create', 'x', '--parent', 'tsk_none']),
      await runCommand(['tasks', 'create'], { stdin: '{"title":"x","priority":"soon"}' }),
    ];
    expect(refused.map(({ exit, stdout }) => [exit, stdout])).toEqual([
      [3, ''],
      [3, ''],
      [4, ''],
    ]);
    expect(refused[2]?.stderr).toContain('priority: ');
    expect(await world.workflow.lastSeq()).toBe(before);
  });

  it('shows its token to nobody who lets another prove that it is known', async () => {
    const world = await openWorld();
    onTestFinished(world.close);
    const seen: string[] = [];
    const stranger = createServer((request, response) => {
      seen.push(`${request.headers.authorization ?? 'nothing'} ${request.url?.split('?')[0] ?? ''}`);
      response.writeHead(307, { location: `${world.server.url}${request.url ?? ''}` }).end();
    });
    await new Promise<void>((resolve) => void stranger.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void stranger.close());
    const address = stranger.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
    const named = await runCommand(['projects', 'list', '--server', url]);
    expect([named.exit, named.stdout, seen]).toEqual([1, '', ['nothing /healthz']]);
  });

  it('shows what others wrote without obeying it', async () => {
    const world = await openWorld();
    onTestFinished(world.close);
    const { id } = await world.task({ title: 'Red \u001b[31malert\u202e' });
    for (const verb of [['list'], ['get', id]]) {
      const { stdout } = await runCommand(['tasks', ...verb]);
      expect(stdout).toContain('Red \\u{1b}[31malert\\u{202e}');
      expect(stdout).not.toContain('\u001b');
    }
  });
});
