import { cpSync, lstatSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { sandboxWorld } from './test-support/sandbox-world.ts';

/** Four ordinary commands for each kind of project. Times and people are fixed, so that commits are the same. */
const PROJECTS: Readonly<Record<string, ReadonlyArray<string>>> = {
  node: [
    'mkdir -p src node_modules/.bin',
    `echo '{"name":"p"}' > package.json`,
    'chmod 755 node_modules/.bin',
    'ls -A',
  ],
  python: [
    'mkdir -p pkg/__pycache__',
    'echo "x = 1" > pkg/__init__.py',
    'cp -r pkg other',
    'find . -name "*.py" | sort',
  ],
  go: [
    'echo "module m" > go.mod',
    'mkdir -p cmd/m internal',
    'touch cmd/m/main.go',
    'grep -rl module . --include=go.mod',
  ],
  rust: ['mkdir -p src target/debug', 'echo "fn main() {}" > src/main.rs', 'ln -s src/main.rs link', 'cat link'],
  java: [
    'mkdir -p src/main/java build',
    'echo "class A {}" > src/main/java/A.java',
    'tar cf a.tar src --mtime=@0',
    'tar tf a.tar',
  ],
  c: [`printf 'all:\\n\\t@echo built > out\\n' > Makefile`, 'make', 'cat out', 'mv out bin && chmod 750 bin'],
  monorepo: [
    'mkdir -p packages/{b,c}/src',
    'touch packages/{b,c}/src/index.ts',
    'sed -i "1i // x" a.txt',
    'wc -l a.txt',
  ],
  plain: ['ls -A', 'git init -q -b main', 'git add a.txt && git commit -qm one', 'git status --porcelain'],
  worktree: [
    'git worktree add -q w -b w',
    'echo 2 > w/f',
    'git -C w add f && git -C w commit -qm two',
    'git log --format=%s w',
  ],
  nested: [
    'git init -q -b main n',
    'echo 3 > n/f',
    'git -C n add f && git -C n commit -qm three',
    'git -C n rev-parse HEAD',
  ],
};

const FIXED = 'export GIT_AUTHOR_DATE=@0+0000 GIT_COMMITTER_DATE=@0+0000;';

test('forty ordinary commands in ten kinds of project give and leave the same as outside', async (context) => {
  for (const [kind, commands] of Object.entries(PROJECTS)) {
    const inside = await sandboxWorld(context);
    if (kind === 'plain') rmSync(path.join(inside.root, '.git'), { recursive: true });
    const copy = path.join(inside.top, 'copy');
    cpSync(inside.root, copy, { recursive: true });
    const bare = createLocalExecutionEnvironment(copy, 'inherit_core', {
      env: { PATH: '/usr/bin:/bin', HOME: inside.home },
    });
    onTestFinished(() => bare.cleanup());
    for (const command of commands) {
      const [there, here] = [
        await inside.run(`${FIXED} ${command}`),
        await bare.execCommand(`${FIXED} ${command}`, 60_000),
      ];
      const told = ({ stdout, stderr, exitCode }: typeof here) => ({ kind, command, stdout, stderr, exitCode });
      expect(told(there)).toEqual(told(here));
    }
    expect(treeOf(inside.root)).toEqual(treeOf(copy));
  }
});

/** Names, modes and content; of git's own files those that hold no times, and no path of the checkout. */
function treeOf(root: string): ReadonlyArray<string> {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => !/(?:^|\/)\.git\/(?:index$|logs\/|worktrees\/[^/]+\/(?:index|gitdir|logs))/.test(name))
    .toSorted()
    .map((name) => {
      const at = path.join(root, name);
      const stats = lstatSync(at);
      const mode = stats.mode.toString(8);
      if (stats.isSymbolicLink()) return `${name} ${mode} -> ${readlinkSync(at)}`;
      return stats.isFile() ? `${name} ${mode} ${readFileSync(at, 'base64')}` : `${name} ${mode}`;
    })
    .filter((line) => !line.startsWith('w/.git '));
}
