/**
 * On a small separate file system (run it in a mount namespace): `full-disk-child.ts <empty folder>`. Creates a project and a task, fills
 * the disk, tries to change something with and without a server, makes room and continues. Prints what happened as one line of JSON.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const COMMAND = path.resolve(import.meta.dirname, '../../../packages/cli/dist/attractor.js');
const [folder = ''] = process.argv.slice(2);
execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'none', folder]);
const [home, repository, filler] = ['home', 'repository', 'filler'].map((name) => path.join(folder, name)) as [
  string,
  string,
  string,
];
mkdirSync(home);
const env = { PATH: '/usr/bin:/bin', HOME: home, ATTRACTOR_HOME: home };
const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.test'];
execFileSync('git', ['init', '--quiet', '-b', 'main', repository]);
execFileSync('git', [...who, '-C', repository, 'commit', '--quiet', '--allow-empty', '-m', 'first']);
attractor('projects', 'create', repository, '--quiet');
attractor('tasks', 'create', 'before', '--quiet');

fill();
const alone = attractor('tasks', 'create', 'while it is full');
rmSync(filler);

const server = spawn(process.execPath, [COMMAND, 'serve', '--port', '0', '--allow-unsandboxed'], {
  env,
  cwd: repository,
});
const [line] = (await once(server.stdout.setEncoding('utf8'), 'data')) as [string];
const address = /http:\/\/[\d.]+:\d+/.exec(line)?.[0] ?? '';
fill();
const served = attractor('tasks', 'create', 'while it is full');
const body = JSON.stringify({
  title: 'while it is full',
  projectId: attractor('projects', 'list', '--quiet').stdout.trim(),
});
const token = readFileSync(path.join(home, 'token'), 'utf8').trim();
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
const answer = await fetch(`${address}/api/tasks`, { method: 'POST', headers, body });
const http = { status: answer.status, text: await answer.text() };
const reading = attractor('tasks', 'list').code;
rmSync(filler);

attractor('tasks', 'create', 'after', '--quiet');
const titles = attractor('tasks', 'list', '--json')
  .stdout.trim()
  .split('\n')
  .map((text) => (JSON.parse(text) as { readonly title: string }).title);
server.kill('SIGTERM');
const [stopped] = (await once(server, 'exit')) as [number];
console.log(JSON.stringify({ alone, served, http, reading, titles, stopped }));

/** Up to the last block. */
function fill(): void {
  for (const size of [65_536, 4_096, 1])
    try {
      for (;;) writeFileSync(filler, Buffer.alloc(size), { flag: 'a' });
    } catch {
      continue;
    }
}

function attractor(...args: ReadonlyArray<string>) {
  const ended = spawnSync(process.execPath, [COMMAND, ...args], { env, cwd: repository, encoding: 'utf8' });
  return { code: ended.status, stdout: ended.stdout, stderr: ended.stderr };
}
