import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, openSync, closeSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { spawn } from 'node:child_process';
import path from 'node:path';
import fc from 'fast-check';
import { runs } from '@attractor/base/testing';
import { expect, onTestFinished, test } from 'vitest';
import { sandboxWorld, type SandboxWorld } from './test-support/sandbox-world.ts';

/** A server of the host that acts for whoever reaches it, as agents for keys and terminal multiplexers do. */
type Helper = { readonly at: string; readonly visits: () => number };

async function helperAt(at: string): Promise<Helper> {
  let visits = 0;
  mkdirSync(path.dirname(at), { recursive: true });
  const server = createServer((socket) => {
    visits += 1;
    socket.on('error', () => undefined).end('REACHED\n');
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(at, resolve));
  onTestFinished(() => void server.close());
  return { at, visits: () => visits };
}

function folderIn(parent: string): string {
  const made = mkdtempSync(path.join(parent, 'at-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** Where people's helpers listen: temporary folders, run folders, the home folder, and the folders of the desktop in it. */
async function helpersOf({ home, root }: SandboxWorld): Promise<ReadonlyArray<Helper>> {
  const renamed = await helperAt(path.join(home, 'r/bound.sock'));
  renameSync(renamed.at, path.join(home, 'r/s'));
  const told = [
    path.join(folderIn('/tmp'), 's'),
    path.join(folderIn('/var/tmp'), 's'),
    ...(process.getuid?.() === 0 ? [path.join(folderIn('/run'), 's')] : []),
    ...['a.sock', '.cache/k/s', '.config/x/s', '.local/share/y/s', '.local/state/s', '.ssh/s'].map((name) =>
      path.join(home, name),
    ),
    path.join(root, 'tmp/sockets/s'),
  ];
  return [{ ...renamed, at: path.join(home, 'r/s') }, ...(await Promise.all(told.map(helperAt)))];
}

/** One line of perl: connects to the file that its last word names, and says who it met. */
const CONNECT = `perl -MSocket -e 'socket(S,AF_UNIX,SOCK_STREAM,0) && connect(S,sockaddr_un($ARGV[-1])) && print scalar <S>'`;

/** Texts around the attempt: each of them once brought a folder of the host into the sandbox, or is of that kind. */
const SHAPES: ReadonlyArray<(at: string) => string> = [
  (at) => `${path.dirname(at)}/x;${CONNECT} ${at}`,
  (at) => `'${path.dirname(at)}/x' ; ${CONNECT} "${at}"`,
  (at) => `/proc/self/root${path.dirname(at)}/x;${CONNECT} /proc/self/root${at}`,
  (at) => `${path.dirname(at)};p=$(printf '%s/%s' '${path.dirname(at)}' '${path.basename(at)}');${CONNECT} "$p"`,
  (at) =>
    `bash -c '${path.dirname(at)}/x; exec perl -MSocket -e "socket(S,AF_UNIX,SOCK_STREAM,0); connect(S,sockaddr_un(q(${at}))) && print scalar <S>"'`,
  (at) => `env A=${path.dirname(at)}/x ${CONNECT} ${at}`,
  (at) => `cd ${path.dirname(at)} && ${CONNECT} ./${path.basename(at)}`,
  (at) => `ln -s ${path.dirname(at)} l 2>/dev/null; ${CONNECT} l/${path.basename(at)}; rm -f l`,
  (at) => `ls ${path.dirname(at)} | grep -Fx '${path.basename(at)}' >/dev/null && test -S ${at} && echo REACHED`,
  (at) => `test -p ${at} && echo REACHED; echo x > ${at}`,
  (at) =>
    `/bin/sh ${path.dirname(at)}/x; ${CONNECT} ${path.dirname(at)}/../${path.basename(path.dirname(at))}/${path.basename(at)}`,
];

test('no text of a command brings a socket of the host into reach', async (context) => {
  const world = await sandboxWorld(context);
  const helpers = await helpersOf(world);
  const texts = fc.sample(
    fc.record({
      shape: fc.constantFrom(...SHAPES),
      helper: fc.constantFrom(...helpers),
      tail: fc.constantFrom('', ';true', ' #'),
    }),
    runs(30, 3_000),
  );
  const all = [
    ...SHAPES.flatMap((shape) => helpers.slice(0, 4).map((helper) => ({ shape, helper, tail: '' }))),
    ...texts,
  ];
  for (let at = 0; at < all.length; at += 5) {
    const part = all.slice(at, at + 5);
    const [first, ...rest] = part.map(({ shape, helper, tail }) => shape(helper.at) + tail);
    const { stdout, stderr } = await world.run([first, ...rest.map((text) => `(${text}\n)`)].join('\n'));
    expect(stdout).not.toContain('REACHED');
    expect(stderr).not.toContain('bwrap:');
  }
  expect(helpers.map(({ visits }) => visits())).toEqual(helpers.map(() => 0));
});

test('what a policy shows of /tmp comes without its sockets and its pipes', async (context) => {
  const folder = folderIn('/tmp');
  const helper = await helperAt(path.join(folder, 'deep/s'));
  writeFileSync(path.join(folder, 'tool'), 'a tool\n');
  execFileSync('mkfifo', [path.join(folder, 'pipe')]);
  const world = await sandboxWorld(context, { readable: [folder] });
  const { stdout } = await world.run(
    `cat ${folder}/tool; ${CONNECT} ${helper.at}; test -p ${folder}/pipe && echo REACHED; test -S ${helper.at} && echo REACHED`,
  );
  expect(stdout).toBe('a tool\n');
  expect(helper.visits()).toBe(0);
});

test('a socket that was bound by a relative name is covered as well', async (context) => {
  const world = await sandboxWorld(context);
  const script = `require('net').createServer((s) => s.end('REACHED\\n')).listen('rel.sock', () => console.log('up'))`;
  const child = spawn(process.execPath, ['-e', script], { cwd: world.home, stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  const { stdout } = await world.run(`${CONNECT} ${world.home}/rel.sock; test -S ~/rel.sock && echo REACHED`);
  expect(stdout).toBe('');
});

test('a server that a command starts for itself is reached, in the workspace and in /tmp', async (context) => {
  const world = await sandboxWorld(context);
  // It has its name once it listens.
  const serve = (at: string): string =>
    `perl -MSocket -e 'socket(S,AF_UNIX,SOCK_STREAM,0); bind(S,sockaddr_un("$ARGV[0].new")); listen(S,1); rename("$ARGV[0].new",$ARGV[0]); accept(C,S); syswrite(C,"own\\n")' ${at} & until test -S ${at}; do sleep 0.02; done; ${CONNECT} ${at}; rm ${at}`;
  const { stdout } = await world.run(`${serve('./own.sock')}; ${serve('/tmp/own.sock')}`);
  expect(stdout).toBe('own\nown\n');
});

test('open descriptors of whoever started us do not come along, in the first command and in later ones', async (context) => {
  const world = await sandboxWorld(context);
  const secret = path.join(world.home, '.netrc');
  const held = Array.from({ length: 3 }, () => openSync(secret, 'r'));
  onTestFinished(() => held.forEach((descriptor) => closeSync(descriptor)));
  const text =
    'cd . ; for f in /proc/self/fd/*; do echo "${f##*/} $(readlink $f)"; done | grep -vE "^(0|1|2|3|97|255) "; true';
  const program = [
    `import { createSandbox, findSandbox } from '@attractor/confine';`,
    `import { createLocalExecutionEnvironment } from '@attractor/agent';`,
    `const found = await findSandbox({ roots: [] });`,
    `const sandbox = createSandbox({ bubblewrap: found, roots: [${JSON.stringify(world.root)}] });`,
    `const environment = createLocalExecutionEnvironment(${JSON.stringify(world.root)}, 'inherit_core', { sandbox });`,
    `for (let n = 0; n < 3; n++) console.log(JSON.stringify(await environment.execCommand(${JSON.stringify(text)}, { timeoutMs: 60000, ...(n === 2 ? { tellWorkingDir: true } : {}) })));`,
    `await environment.cleanup(); await sandbox.close();`,
  ].join('\n');
  const file = path.resolve(import.meta.dirname, `../../../../.cache/descriptors-${process.pid}.ts`);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, program);
  onTestFinished(() => rmSync(file, { force: true }));
  const said = execFileSync(
    '/bin/bash',
    ['-c', `exec 20<'${secret}' 45<'${secret}' 200>>/dev/null; exec '${process.execPath}' '${file}'`],
    { encoding: 'utf8' },
  );
  const ended: ReadonlyArray<{ readonly stdout: string; readonly exitCode: number }> = said
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(ended.map(({ stdout, exitCode }) => ({ stdout, exitCode }))).toEqual(
    Array.from({ length: 3 }, () => ({ stdout: '', exitCode: 0 })),
  );
});

test('neither bit that makes a program run as somebody else can be set, by any call', async (context) => {
  const world = await sandboxWorld(context);
  const { stdout } = await world.run(
    [
      'cp /bin/true p; mkdir d',
      'for m in u+s g+s 4755 2755 6711 ug+s,o+x; do chmod $m p 2>/dev/null && echo "SET $m"; done',
      `perl -e 'use Fcntl; for my $m (04755, 02755, 06777) { umask 0; sysopen(F, "n$m", O_CREAT|O_WRONLY, $m) and print "MADE\\n"; chmod($m, "p") and print "SET\\n"; }'`,
      'install -m 2755 /bin/true i 2>/dev/null; cp -p /usr/bin/passwd c 2>/dev/null; true',
      'chmod 755 p && chmod 1777 d && stat -c %a p d',
      'find . -perm /6000 -not -path "./.git/*"',
    ].join('\n'),
  );
  expect(stdout).toBe('755\n1777\n');
  expect(readFileSync(path.join(world.root, 'a.txt'), 'utf8')).toBe('one\n');
});
