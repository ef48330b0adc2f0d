import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import { type TestContext, onTestFinished } from 'vitest';
import { createLocalExecutionEnvironment } from '../../execution/local.ts';
import type { ExecResult, ExecutionEnvironment } from '../../types/index.ts';
import { type Bubblewrap, createSandbox, findSandbox, type Sandbox, type SandboxPolicy } from '@attractor/confine';

/**
 * A workspace with a repository in it, a folder beside it and a home with secrets, all outside /tmp: a sandbox has its own /tmp, and a file
 * that is merely absent there proves nothing.
 */
export type SandboxWorld = {
  readonly top: string;
  readonly root: string;
  readonly beside: string;
  readonly home: string;
  readonly sandbox: Sandbox;
  readonly environment: ExecutionEnvironment;
  readonly run: (command: string) => Promise<ExecResult>;
};

export const SECRET = 'CANARY-b1946ac92492d234';

/** The checkout may itself be below /tmp. */
const MODULES = path.resolve(import.meta.dirname, '../../../../../node_modules');

const looked = findSandbox({ roots: [] });

/** Skips the test if the kernel offers no namespaces, with the kernel's own message as the reason. */
export async function bubblewrapOrSkip({ skip }: Pick<TestContext, 'skip'>): Promise<Bubblewrap> {
  const found = await looked;
  if (!found.available) skip(`no sandbox here: ${found.reason}`);
  return found.available ? found : { path: '', lacks: [] };
}

export async function sandboxWorld(
  context: Pick<TestContext, 'skip'>,
  policy: Partial<SandboxPolicy> = {},
): Promise<SandboxWorld> {
  const bubblewrap = await bubblewrapOrSkip(context);
  const folders = makeFolders();
  const own = { bubblewrap, roots: [folders.root], homes: [folders.home], readable: [MODULES] };
  const sandbox = createSandbox({ ...own, ...policy });
  const env = {
    PATH: '/usr/bin:/bin',
    HOME: folders.home,
    ANTHROPIC_API_KEY: SECRET,
    SSH_AUTH_SOCK: path.join(folders.home, '.ssh/agent.sock'),
  };
  const environment = createLocalExecutionEnvironment(folders.root, 'inherit_core', { sandbox, env });
  onTestFinished(async () => {
    await environment.cleanup();
    await sandbox.close();
  });
  return { ...folders, sandbox, environment, run: (command) => environment.execCommand(command, 600_000) };
}

function makeFolders(): Pick<SandboxWorld, 'top' | 'root' | 'beside' | 'home'> {
  // Not what HOME says: that may be below /tmp as well.
  const cache = path.join(userInfo().homedir, '.cache');
  mkdirSync(cache, { recursive: true });
  const top = mkdtempSync(path.join(cache, 'attractor-test-'));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const place = (name: string): string => path.join(top, name);
  for (const [file, text] of Object.entries(FILES)) {
    mkdirSync(path.dirname(place(file)), { recursive: true });
    writeFileSync(place(file), text);
  }
  git(place('work'), 'init', '-q', '-b', 'main');
  git(place('work'), 'add', '-A', '--', 'a.txt');
  git(place('work'), 'commit', '-q', '-m', 'first');
  return { top, root: place('work'), beside: place('beside'), home: place('home') };
}

const FILES: Readonly<Record<string, string>> = {
  'work/a.txt': 'one\n',
  'work/packages/a/.vscode/settings.json': '{}',
  'work/.claude/settings.json': '{}',
  'beside/b.txt': 'beside\n',
  'home/.bashrc': 'true\n',
  'home/.gitconfig': '[user]\n\tname = A\n\temail = a@example.com\n',
  'home/.ssh/id_ed25519': SECRET,
  'home/.aws/credentials': SECRET,
  'home/.netrc': SECRET,
  'home/.npmrc': SECRET,
  'home/.config/gh/hosts.yml': SECRET,
  'home/.kube/config': SECRET,
  'home/.docker/config.json': SECRET,
  'home/.claude/.credentials.json': SECRET,
  'home/.claude/skills/s/SKILL.md': 'a skill\n',
  'home/.attractor/config.json': SECRET,
  'home/.mozilla/firefox/p/cookies.sqlite': SECRET,
  'home/.bash_history': SECRET,
  'home/.some_tool_token': SECRET,
};

export function git(cwd: string, ...args: ReadonlyArray<string>): string {
  const person = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];
  return execFileSync('git', [...person, ...args], { cwd, encoding: 'utf8' });
}
