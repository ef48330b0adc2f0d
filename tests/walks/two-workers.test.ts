import { execFileSync } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openPlatform, type Platform, type Result, unconfined } from '@attractor/platform';
import { sharedDatabase } from '@attractor/store/testing';
import { type ScriptInput, startSimulator } from '@attractor/simulator';
import { expect, it, onTestFinished } from 'vitest';
import { ANYWHERE, makeFolder, type Running, startAttractor } from './attractor.ts';

const PERSON = { type: 'user', name: 'Ada' } as const;
const LONG_MS = 600_000;

/** The same conversation on both machines; on the first one the model thinks for ever about its second turn. */
function conversation(thinkMs: number): ScriptInput {
  return {
    turns: [
      { text: 'The first half.', toolCalls: [{ use: 'write', path: 'half.txt', content: 'one\n' }] },
      { delayMs: thinkMs, toolCalls: [{ use: 'write', path: 'rest.txt', content: 'two\n' }] },
      { toolCalls: [{ name: 'report_outcome', args: { outcome: 'pr_ready' } }] },
      { text: 'Done.' },
    ],
  };
}

function must<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

function git(folder: string, ...args: ReadonlyArray<string>): string {
  const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.test'];
  return execFileSync('git', [...author, ...args], { cwd: folder, encoding: 'utf8' }).trimEnd();
}

function makeRemote(): { readonly remote: string; readonly clone: string } {
  const [first, folder] = [makeFolder(), makeFolder()];
  writeFileSync(path.join(first, 'a.txt'), 'a\n');
  git(first, 'init', '-q', '-b', 'main');
  git(first, 'add', '--all');
  git(first, 'commit', '-q', '-m', 'first');
  const [remote, clone] = [path.join(folder, 'remote.git'), path.join(folder, 'clone')];
  git(folder, 'clone', '-q', '--bare', '--', first, remote);
  git(folder, 'clone', '-q', '--', remote, clone);
  return { remote, clone };
}

async function startMachine(databaseUrl: string, thinkMs: number) {
  const simulator = await startSimulator({ script: conversation(thinkMs) });
  onTestFinished(() => simulator.close());
  const home = makeFolder();
  const model = ['--provider', 'anthropic', '--model', 'claude-sonnet-4-5-20250929'];
  const flags = [...model, '--base-url', simulator.baseUrls.anthropic, '--concurrency', '1', ...ANYWHERE];
  const start = (): Running =>
    startAttractor(['worker', ...flags], {
      home,
      env: { ATTRACTOR_HOME: home, ANTHROPIC_API_KEY: 'none', ATTRACTOR_DATABASE_URL: databaseUrl },
    });
  const asked = () => simulator.requests({ operation: 'generate' }).map(({ position }) => position);
  return { home, simulator, start, asked };
}

async function eventually(holds: () => Promise<boolean> | boolean, what: () => string): Promise<void> {
  const deadline = performance.now() + 600_000;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`Waited in vain; ${what()}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** The remote has the file, and the agent's memory of having written it. */
function isCarried(remote: string, runId: string): boolean {
  const refs = git(remote, 'for-each-ref', '--format=%(refname)', `refs/attractor/${runId}/state/`).split('\n');
  return refs.some((ref) => {
    try {
      git(remote, 'grep', '-q', 'half.txt', ref);
      return git(remote, 'ls-tree', '--name-only', ref.replace('/state/', '/')).includes('half.txt');
    } catch {
      return false;
    }
  });
}

async function observe(databaseUrl: string): Promise<Platform> {
  const platform = must(
    await openPlatform({
      home: makeFolder(),
      databaseUrl,
      agents: [],
      defaultAgentType: 'native',
      env: process.env,
      confine: unconfined,
      concurrency: 0,
    }),
  );
  onTestFinished(() => platform.close());
  return platform;
}

it('a worker that is killed in the middle of a run is followed by another with a clone of its own, which goes on in the same conversation', async () => {
  const databaseUrl = await sharedDatabase();
  const { remote, clone } = makeRemote();
  const platform = await observe(databaseUrl);
  const project = must(await platform.workflow.createProject({ path: clone }, PERSON));
  const task = must(await platform.workflow.createTask({ projectId: project.id, title: 'Two halves' }, PERSON));
  const run = must(await platform.workflow.startAgent({ taskId: task.id, mode: 'implement' }, PERSON));
  const [one, two] = [await startMachine(databaseUrl, LONG_MS), await startMachine(databaseUrl, 0)];

  const first = one.start();
  await eventually(
    () => one.asked().includes(1) && isCarried(remote, run.id),
    () => first.output(),
  );
  first.child.kill('SIGKILL');
  await first.ended;
  renameSync(clone, `${clone}-lost`);

  const second = two.start();
  const status = async (): Promise<string | undefined> => (await platform.workflow.getRun(run.id))?.status;
  const steps = async (): Promise<ReadonlyArray<unknown>> => {
    const events = await platform.workflow.events({ runId: run.id, limit: 10_000 });
    return events.filter((event) => event.type === 'run.step_finished').map(({ data }) => data.step);
  };
  await eventually(
    async () => (await steps()).includes('cleanup'),
    () => second.output(),
  );
  second.child.kill('SIGTERM');
  expect((await second.ended).code).toBe(0);

  expect(await status()).toBe('completed');
  // Each step once, each turn of the model answered to whoever went on from there.
  const finished = await steps();
  expect(new Set(finished).size).toBe(finished.length);
  expect(finished).toHaveLength(10);
  expect([Math.min(...one.asked().map(Number)), Math.max(...one.asked().map(Number))]).toEqual([0, 1]);
  expect(two.asked()).toEqual([1, 2, 3]);
  const ended = await platform.workflow.getRun(run.id);
  expect(ended?.worktree?.startsWith(path.join(two.home, 'repositories', project.id))).toBe(true);
  const worktree = ended?.worktree ?? '';
  expect(git(worktree, 'diff', '--name-only', 'origin/main...HEAD').split('\n')).toEqual(['half.txt', 'rest.txt']);
  expect(git(worktree, 'status', '--porcelain')).toBe('');
  const messages = (await platform.workflow.events({ runId: run.id, limit: 10_000 }))
    .filter((event) => event.type === 'agent.message')
    .map(({ data }) => JSON.stringify(data));
  expect(new Set(messages).size).toBe(messages.length);
  expect(git(remote, 'for-each-ref', 'refs/attractor/')).toBe('');
});
