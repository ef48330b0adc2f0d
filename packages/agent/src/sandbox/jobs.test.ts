import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { createSandbox } from '@attractor/confine';
import { bubblewrapOrSkip, git, sandboxWorld, type SandboxWorld } from './test-support/sandbox-world.ts';

type Job = {
  readonly name: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly command: string;
  readonly says: RegExp;
  readonly file?: readonly [name: string, text: string];
};

const modules = path.resolve(import.meta.dirname, '../../../../node_modules');
const node = `export PATH='${path.dirname(process.execPath)}':$PATH;`;
const TEST_FILE = `import test from 'node:test'; import fs from 'node:fs'; test('adds', () => { fs.writeFileSync('ran', 'yes'); });`;

const JOBS: ReadonlyArray<Job> = [
  {
    name: 'npm test',
    files: { 'package.json': '{"name":"p","type":"module","scripts":{"test":"node --test"}}', 'a.test.js': TEST_FILE },
    command: `${node} npm test`,
    says: /pass 1/,
    file: ['ran', 'yes'],
  },
  {
    name: 'node --test',
    files: { 'a.test.mjs': TEST_FILE },
    command: `${node} node --test`,
    says: /pass 1/,
    file: ['ran', 'yes'],
  },
  {
    name: 'tsc',
    files: { 'a.ts': 'export const a: number = 1;\n' },
    command: `${node} '${modules}/.bin/tsc' --outDir out --target esnext --module esnext --ignoreConfig a.ts; echo "exit $?"`,
    says: /exit 0/,
    file: ['out/a.js', 'export const a = 1;\n'],
  },
  {
    name: 'git add, commit, log, diff and branches',
    command:
      'echo two >> a.txt && git add a.txt && git commit -qm second && git switch -qc topic && echo three >> a.txt && git diff --stat && git stash -q && git stash pop -q && git log --oneline | cat',
    says: /a\.txt[^]*second[^]*first/,
  },
  {
    name: 'git status shows no more than outside',
    command: 'touch new.txt && git status --porcelain && git add -A && git status --porcelain',
    says: /^\?\? \.claude\/\n\?\? new\.txt\n\?\? packages\/\nA {2}\.claude\/settings\.json\nA {2}new\.txt\nA {2}packages\/a\/\.vscode\/settings\.json\n$/,
  },
  {
    name: 'a Python script with a child process',
    files: {
      'a.py':
        'import subprocess, tempfile\nwith tempfile.NamedTemporaryFile() as f:\n    f.write(b"x")\nprint(subprocess.check_output(["echo", "from python"]).decode())\n',
    },
    command: 'python3 a.py',
    says: /from python/,
  },
  {
    name: 'make',
    files: { Makefile: 'all: out.txt\nout.txt:\n\tprintf built > $@\n' },
    command: 'make -j2 && echo made',
    says: /made/,
    file: ['out.txt', 'built'],
  },
  {
    name: 'a search with ripgrep',
    command: `'${modules}/@vscode/ripgrep/bin/rg' -n one . || '${modules}/@vscode/ripgrep-linux-${process.arch}/bin/rg' -n one .`,
    says: /a\.txt:1:one/,
  },
  {
    name: 'patch',
    files: { 'c.diff': '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+uno\n' },
    command: 'patch -p1 < c.diff',
    says: /patching file/,
    file: ['a.txt', 'uno\n'],
  },
  {
    name: 'tar, there and back',
    command:
      'mkdir d && echo x > d/x && tar czf d.tgz d && rm -r d && tar xzf d.tgz && cat d/x && mv d.tgz e.tgz && rm e.tgz',
    says: /^x/,
  },
  {
    name: 'mktemp, and a file in /tmp that the next command reads',
    command: 'f=$(mktemp) && d=$(mktemp -d) && echo kept > /tmp/kept && test -w "$d" && test -O "$f" && echo made',
    says: /made/,
  },
  {
    name: 'a long pipe with a here document and a process substitution',
    command: `seq 1 20000 | sort -rn | awk '{s+=$1} END {print s}' | tee sum | cat; diff <(echo a) <(echo a) && cat <<'E'\nhere\nE`,
    says: /200010000\nhere/,
    file: ['sum', '200010000\n'],
  },
  {
    name: 'a job in the background that ends',
    command: '(sleep 0.2; echo late > late) & wait; cat late',
    says: /late/,
    file: ['late', 'late\n'],
  },
  {
    name: 'a server on its own loopback',
    files: {
      's.mjs': `import http from 'node:http'; const s = http.createServer((q, r) => r.end('hello')).listen(0, async () => { console.log(await (await fetch('http://127.0.0.1:' + s.address().port)).text()); s.close(); });`,
    },
    command: `${node} node s.mjs`,
    says: /hello/,
  },
];

describe('the sandbox does not disturb', () => {
  test.for(JOBS)('$name', async ({ files = {}, command, says, file }, context) => {
    const world = await sandboxWorld(context);
    write(world, files);
    const { stdout, stderr, exitCode } = await world.run(command);
    expect({ exitCode, stderr, stdout }).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(says) });
    if (file !== undefined) expect(readFileSync(path.join(world.root, file[0]), 'utf8')).toBe(file[1]);
  });

  test('a file in /tmp from one command to the next', async (context) => {
    const world = await sandboxWorld(context);
    await world.run('echo kept > /tmp/kept');
    expect((await world.run('cat /tmp/kept')).stdout).toBe('kept\n');
  });

  test('git commit in a worktree, whose repository stays closed otherwise', async (context) => {
    const world = await sandboxWorld(context);
    const tree = path.join(world.top, 'tree');
    const other = path.join(world.top, 'other');
    git(world.root, 'worktree', 'add', '-q', '-b', 'topic', tree);
    git(world.root, 'worktree', 'add', '-q', '-b', 'other', other);
    const sandbox = createSandbox({ bubblewrap: await bubblewrapOrSkip(context), roots: [tree], homes: [world.home] });
    const environment = createLocalExecutionEnvironment(tree, 'inherit_core', {
      sandbox,
      env: { PATH: '/usr/bin:/bin', HOME: world.home },
    });
    const done = await environment.execCommand(
      'echo two > b.txt && git add b.txt && git commit -qm second && git log --oneline | cat',
    );
    expect(done).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/second[^]*first/) });
    expect(git(world.root, 'log', '--format=%s', 'topic')).toBe('second\nfirst\n');
    const repository = path.join(world.root, '.git');
    await environment.execCommand(
      [
        `echo evil > '${repository}/hooks/post-commit'`,
        `git config core.fsmonitor evil`,
        `echo evil >> '${repository}/config'`,
        `echo evil > '${repository}/worktrees/other/HEAD'`,
        `echo evil > '${repository}/worktrees/tree/commondir'`,
        `echo 'gitdir: /evil' > .git`,
        `echo evil > '${world.root}/a.txt'`,
        `echo evil > '${other}/a.txt'`,
      ].join('; '),
    );
    expect(readFileSync(path.join(repository, 'config'), 'utf8')).not.toContain('evil');
    expect(readFileSync(path.join(repository, 'worktrees/other/HEAD'), 'utf8')).toBe('ref: refs/heads/other\n');
    expect(readFileSync(path.join(repository, 'worktrees/tree/commondir'), 'utf8')).toBe('../..\n');
    expect(readFileSync(path.join(tree, '.git'), 'utf8')).not.toContain('evil');
    expect(readFileSync(path.join(world.root, 'a.txt'), 'utf8')).toBe('one\n');
    expect(readFileSync(path.join(other, 'a.txt'), 'utf8')).toBe('one\n');
    await environment.cleanup();
    await sandbox.close();
  });

  test('a .git file that names a repository of somebody else opens nothing', async (context) => {
    const world = await sandboxWorld(context);
    const forged = path.join(world.top, 'forged');
    mkdirSync(forged);
    git(world.root, 'worktree', 'add', '-q', '-b', 'topic', path.join(world.top, 'tree'));
    writeFileSync(path.join(forged, '.git'), `gitdir: ${world.root}/.git/worktrees/tree\n`);
    const sandbox = createSandbox({
      bubblewrap: await bubblewrapOrSkip(context),
      roots: [forged],
      homes: [world.home],
    });
    const environment = createLocalExecutionEnvironment(forged, 'inherit_core', {
      sandbox,
      env: { PATH: '/usr/bin:/bin' },
    });
    const before = readFileSync(path.join(world.root, '.git/worktrees/tree/HEAD'), 'utf8');
    await environment.execCommand(
      `echo evil > '${world.root}/.git/worktrees/tree/HEAD'; echo evil > '${world.root}/.git/refs/heads/evil'`,
    );
    expect(readFileSync(path.join(world.root, '.git/worktrees/tree/HEAD'), 'utf8')).toBe(before);
    expect(git(world.root, 'branch', '--list', 'evil')).toBe('');
    await environment.cleanup();
    await sandbox.close();
  });
});

function write({ root }: SandboxWorld, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(root, name), text);
}
