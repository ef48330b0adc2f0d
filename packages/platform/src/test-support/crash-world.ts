import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { defined } from '@attractor/base';
import { bundledProgram, compileCache } from '@attractor/base/testing';
import { openPlatform, type Platform } from '../platform.ts';
import { unconfined } from '@attractor/run';
import { RUN_STEPS } from '@attractor/store';
import { crashAgent, type Death } from './crash-plan.ts';
import { expectLogTellsAll } from './log-tells-all.ts';
import { type Receiver, startReceiver } from '@attractor/notify/testing';
import { addTask } from './world.ts';
import { ENV, git, makeRepository } from '@attractor/repository/testing';
import { makeFolder, must, PERSON } from '@attractor/store/testing';

/**
 * A project with a remote, a setup and a check; a task to implement; and programs that can kill a worker. `tools` is the home folder of all
 * processes: its git wraps the real git and may strike before or after it.
 */
export type CrashWorld = {
  readonly home: string;
  readonly databaseUrl: string | undefined;
  readonly tools: string;
  readonly path: string;
  readonly bare: string;
  readonly receiver: Receiver;
};

const CONFIG = {
  setup: 'sh "$HOME/strike" setup',
  checks: { test: { command: 'sh "$HOME/strike" check; sh check.sh' } },
};

const FILES = {
  'sum.sh': 'echo $(( $1 - $2 ))\n',
  'check.sh': 'test "$(sh sum.sh 2 3)" = 5\n',
  '.attractor/config.json': JSON.stringify(CONFIG),
};

const STRIKE = `#!/bin/sh
echo "$1" >> "$HOME/effects"
[ -f "$HOME/armed" ] || exit 0
read -r pid when word < "$HOME/armed"
[ "$word" = "$1" ] && rm "$HOME/armed" && kill -9 "$pid"
exit 0
`;

const GIT = `#!/bin/sh
tools=@TOOLS@
strike() {
  [ -f "$tools/armed" ] || return 0
  read -r pid when word < "$tools/armed"
  [ "$when" = "$1" ] && [ "$word" = "$2" ] && rm "$tools/armed" && kill -9 "$pid"
  return 0
}
name=
for arg in "$@"; do
  case "$name:$arg" in
    :-*|:*=*) ;;
    :*) name=$arg ;;
    worktree:*) name=worktree-$arg; break ;;
    *) break ;;
  esac
done
strike before "$name"
/usr/bin/git "$@"
code=$?
strike after "$name"
exit $code
`;

export async function makeCrashWorld(databaseUrl?: string): Promise<CrashWorld> {
  const tools = makeFolder();
  writeFileSync(join(tools, 'strike'), STRIKE);
  mkdirSync(join(tools, 'bin'));
  writeFileSync(join(tools, 'bin', 'git'), GIT.replace('@TOOLS@', tools), { mode: 0o755 });
  const world = { home: makeFolder(), databaseUrl, tools, receiver: await startReceiver(), ...(await makeRemote()) };
  const platform = await openCrashPlatform(world, 'looks on');
  must(
    await platform.workflow.saveChannel(
      { name: 'team', channel: { type: 'webhook', url: world.receiver.url } },
      PERSON,
    ),
  );
  const { task } = await addTask(platform, { path: world.path, title: 'Let sum add' });
  must(await platform.workflow.transition({ taskId: task.id, to: 'implementing' }, PERSON));
  await platform.close();
  return world;
}

let template: Promise<string> | null = null;

async function makeRemote(): Promise<Pick<CrashWorld, 'path' | 'bare'>> {
  template ??= makeTemplate();
  const from = await template;
  const folder = makeFolder();
  cpSync(from, folder, { recursive: true });
  const [path, bare] = [join(folder, 'checkout'), join(folder, 'origin.git')];
  const config = join(path, '.git', 'config');
  writeFileSync(config, readFileSync(config, 'utf8').replaceAll(from, folder));
  mkdirSync(join(bare, 'hooks'), { recursive: true });
  writeFileSync(join(bare, 'hooks', 'post-receive'), `#!/bin/sh\ncat >> ${folder}/pushes\n`, { mode: 0o755 });
  return { path, bare };
}

async function makeTemplate(): Promise<string> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'attractor-template-')));
  const [path, bare] = [join(folder, 'checkout'), join(folder, 'origin.git')];
  cpSync(await makeRepository(FILES), path, { recursive: true });
  await git(path, 'init', '--quiet', '--bare', '-b', 'main', bare);
  await git(path, 'config', 'remote.origin.url', bare);
  await git(path, 'config', 'remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*');
  await git(path, 'push', '--quiet', 'origin', 'main');
  await git(path, 'fetch', '--quiet', 'origin');
  return folder;
}

const CHILD = join(import.meta.dirname, 'crash-child.ts');

/** A process that takes the run and dies that way; resolves when it is dead. */
export async function dieInChild({ home, tools, databaseUrl }: CrashWorld, death: Death): Promise<void> {
  const args = [
    bundledProgram(CHILD),
    home,
    JSON.stringify(death),
    ...(databaseUrl === undefined ? [] : [databaseUrl]),
  ];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { PATH: `${join(tools, 'bin')}:${ENV.PATH}`, HOME: tools, ...compileCache() },
    timeout: 600_000,
  });
  const [, signal] = await once(child, 'exit');
  expect({ death, signal }).toEqual({ death, signal: 'SIGKILL' });
}

async function openCrashPlatform(
  { home, tools, databaseUrl }: Pick<CrashWorld, 'home' | 'tools' | 'databaseUrl'>,
  role: 'works' | 'looks on',
): Promise<Platform> {
  return must(
    await openPlatform({
      home,
      ...defined({ databaseUrl }),
      agents: [crashAgent()],
      env: { PATH: ENV.PATH, HOME: tools },
      confine: unconfined,
      concurrency: role === 'works' ? 1 : 0,
      supervise: false,
    }),
  );
}

/** Another process continues to the end: everything must look as if no process had died. */
export async function expectGoesOn(world: CrashWorld): Promise<void> {
  const platform = await openCrashPlatform(world, 'works');
  try {
    await platform.worker.idle();
    await untilTold(world);
    await expectOneRun(platform, world);
    await expectWorkIntact(platform, world);
    await expectLogTellsAll(platform);
  } finally {
    await platform.close();
  }
  expectToldOnce(world);
}

async function expectOneRun({ workflow }: Platform, { home }: CrashWorld): Promise<void> {
  const [task] = await workflow.listTasks();
  const [run, ...others] = await workflow.listRuns({});
  expect(others).toEqual([]);
  expect(run).toMatchObject({ status: 'completed', outcome: 'pr_ready', error: null });
  expect(run?.tokenUsage).toMatchObject({ inputTokens: 400, outputTokens: 50, totalCost: 0.003 });
  expect(run?.checks.map(({ phase, passed }) => [phase, passed])).toEqual([
    ['base', false],
    ['branch', true],
  ]);
  expect(task?.status).toBe('pr_review');
  const events = await workflow.events({ taskId: task?.id ?? '', limit: 100_000 });
  const count = (type: string): number => events.filter((event) => event.type === type).length;
  expect(events.filter((event) => event.type === 'run.step_finished').map(({ data }) => data.step)).toEqual(RUN_STEPS);
  const ONCE = ['agent.started', 'agent.completed', 'notification.raised', 'prompt.created', 'branch.created'];
  expect(ONCE.map((type) => [type, count(type)])).toEqual(ONCE.map((type) => [type, 1]));
  expect([count('status.changed'), count('run.check_finished'), count('agent.failed')]).toEqual([2, 2, 0]);
  const messages = events.filter((event) => event.type === 'agent.message').map(({ data }) => messageKey(data.message));
  expect([messages.length, new Set(messages).size]).toEqual([12, 12]);
  const journal = readFileSync(join(home, 'runs', run?.id ?? '', 'scripted.jsonl'), 'utf8')
    .trim()
    .split('\n');
  const acted = journal.filter((line) => !line.includes('"script"'));
  expect([acted.length, new Set(acted).size]).toEqual([8, 8]);
  const { running, queued } = await workflow.queueState();
  expect({ running, queued }).toEqual({ running: 0, queued: 0 });
}

function messageKey(message: unknown): unknown {
  return typeof message === 'object' && message !== null && 'key' in message ? message.key : message;
}

/** Branch, worktree, remote and the person's own checkout. */
async function expectWorkIntact({ workflow }: Platform, { path, bare }: CrashWorld): Promise<void> {
  const [run] = await workflow.listRuns({});
  const branch = run?.branch ?? '';
  const worktree = run?.worktree ?? '';
  expect(await git(path, 'log', '--format=%s', `main..${branch}`)).toBe('Let sum add\nMake sum add');
  expect(await git(worktree, 'status', '--porcelain', '--branch')).toBe(`## ${branch}`);
  expect(['sum.sh', 'notes.md'].map((name) => readFileSync(join(worktree, name), 'utf8'))).toEqual([
    'echo $(( $1 + $2 ))\n',
    'sum adds\n',
  ]);
  expect(await git(path, 'worktree', 'list', '--porcelain')).not.toMatch(/locked|prunable/);
  expect(await git(path, 'status', '--porcelain', '--branch')).not.toContain('\n');
  expect(await git(path, 'for-each-ref', '--format=%(refname)', 'refs/attractor/rescue/')).toBe('');
  await git(path, 'fsck', '--strict');
  const head = await git(path, 'rev-parse', branch);
  const pushes = readFileSync(join(bare, '..', 'pushes'), 'utf8')
    .trim()
    .split('\n');
  expect(pushes.filter((line) => line.includes('refs/heads/'))).toEqual([
    `${'0'.repeat(40)} ${head} refs/heads/${branch}`,
  ]);
  const [task] = await workflow.listTasks();
  const artifacts = (await workflow.listArtifacts(task?.id ?? '')).map(({ type }) => type);
  expect(artifacts).toEqual(['branch', 'commit', 'commit', 'diff', 'pull_request']);
}

const TOLD = ['agent.completed', 'agent.started', 'pipeline.waiting', 'task.created'];

/** A call may be repeated after a crash, and then has its earlier number. */
function toldOf({ receiver }: CrashWorld): ReadonlyArray<unknown> {
  const told = new Map(receiver.received.map(({ headers, json }) => [headers['x-attractor-delivery'], json['type']]));
  return [...told.values()].toSorted();
}

async function untilTold(world: CrashWorld): Promise<void> {
  const deadline = performance.now() + 600_000;
  while (toldOf(world).length < TOLD.length && performance.now() < deadline) await sleep(20);
}

function expectToldOnce(world: CrashWorld): void {
  expect(toldOf(world)).toEqual(TOLD);
  expect(existsSync(join(world.tools, 'armed'))).toBe(false);
}
