import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Agent, createScriptedAgent, type Script } from '@attractor/adapters';
import { describe, expect, it, onTestFinished } from 'vitest';
import { unconfined } from '@attractor/run';
import { openPlatformOn, type Platform } from '../platform.ts';
import { type AgentRun, openStore, type PlatformEvent, RUN_STEPS, type RunStep, type Task } from '@attractor/store';
import { expectLogTellsAll } from '../test-support/log-tells-all.ts';
import { type Moments, watchStore } from '../test-support/watched-store.ts';
import { addTask, openTestPlatform, statusOf } from '../test-support/world.ts';
import { ENV, git, makeRepository } from '@attractor/repository/testing';
import { makeFolder, must, PERSON, runs } from '@attractor/store/testing';

const WORK: Script = {
  steps: [
    { do: 'output', text: 'On it.' },
    { do: 'createFile', path: 'a.txt', content: 'a\n' },
    { do: 'commit', message: 'Add a' },
    { do: 'createFile', path: 'b.txt', content: 'b\n' },
    { do: 'output', text: 'Done.' },
  ],
  replies: { 'repair:outcome': [{ do: 'outcome', outcome: 'pr_ready' }] },
};

type Boundary = 'run.step_started' | 'run.step_finished';
const BOUNDARIES: ReadonlyArray<Boundary> = ['run.step_started', 'run.step_finished'];
const isLong = runs(1) > 1;

/** Both boundaries of each step in a soak (SOAK=1), otherwise one of them in turn. */
const STOPS: ReadonlyArray<string> = RUN_STEPS.flatMap((step, index) =>
  BOUNDARIES.filter((_type, boundary) => isLong || boundary === index % 2).map((type) => `${type} ${step}`),
);

/** Every step in a soak, otherwise those that do something outside the database. */
const FREEZES: ReadonlyArray<RunStep> = isLong ? RUN_STEPS : ['prepare', 'execute', 'validate', 'artifacts', 'trigger'];

async function openWatched(home: string, moments: Moments, concurrency: number): Promise<Platform> {
  const store = watchStore(must(await openStore({ home })), moments);
  const unexpected: unknown[] = [];
  const platform = must(
    await openPlatformOn(store, {
      home,
      agents: [createScriptedAgent([WORK])],
      env: ENV,
      confine: unconfined,
      concurrency,
      supervise: false,
      onUnexpected: (error) => unexpected.push(error),
    }),
  );
  onTestFinished(async () => {
    await platform.close();
    expect(unexpected).toEqual([]);
  });
  return platform;
}

async function addTasks(platform: Platform, titles: ReadonlyArray<string>): Promise<ReadonlyArray<Task>> {
  const path = await makeRepository({ 'old.txt': 'old\n' });
  const { task: first, project } = await addTask(platform, { path, title: titles[0] ?? '' });
  const others: Task[] = [];
  for (const title of titles.slice(1))
    others.push(must(await platform.workflow.createTask({ projectId: project.id, title }, PERSON)));
  return [first, ...others];
}

const ENDS = new Set(['agent.completed', 'agent.failed', 'agent.cancelled']);

async function expectOneEnd({ workflow }: Platform, task: Task): Promise<AgentRun> {
  const [run, ...others] = await workflow.listRuns({ taskId: task.id });
  if (run === undefined) throw new Error('no run');
  const events = await workflow.events({ taskId: task.id, limit: 10_000 });
  const steps = events.filter((event) => event.type === 'run.step_finished').map(({ data }) => data.step);
  expect({ title: task.title, others, ends: events.filter(({ type }) => ENDS.has(type)).length }).toEqual({
    title: task.title,
    others: [],
    ends: 1,
  });
  expect(steps).toEqual(RUN_STEPS.filter((step) => steps.includes(step)));
  expect(steps.slice(-2)).toEqual(['trigger', 'cleanup']);
  return run;
}

/** Nothing that was committed is lost, nothing is committed twice, and nothing is left locked. */
async function expectIntact(run: AgentRun, committed: ReadonlyArray<string>): Promise<void> {
  if (run.worktree === null) return;
  const log = (await git(run.worktree, 'log', '--format=%s', 'main..HEAD')).split('\n').filter((line) => line !== '');
  expect({ run: run.id, log }).toEqual({ run: run.id, log: committed });
  expect(await git(run.worktree, 'symbolic-ref', '--short', 'HEAD')).toBe(run.branch);
  expect(await git(run.worktree, 'worktree', 'list', '--porcelain')).not.toContain('locked');
}

/** What the branch holds once a step was finished. */
function commitsAfter(title: string, finished: ReadonlyArray<unknown>): ReadonlyArray<string> {
  if (finished.includes('validate')) return [title, 'Add a'];
  return finished.includes('execute') ? [`Work in progress: ${title}`, 'Add a'] : [];
}

describe('a stop at each boundary of each step', () => {
  it('ends the run once: cancelled while there was something left to stop, completed after that', async () => {
    const byTask = new Map<string, string>();
    const platform: Platform = await openWatched(
      makeFolder(),
      {
        committed: async (events) => {
          for (const { taskId, runId, type, data } of events) {
            if (byTask.get(taskId ?? '') !== `${type} ${'step' in data ? data.step : ''}`) continue;
            await platform.workflow.stopAgent(runId ?? '', PERSON);
            await nextTurn();
          }
        },
      },
      2,
    );
    const tasks = await addTasks(platform, STOPS);
    for (const task of tasks) byTask.set(task.id, task.title);
    for (const task of tasks) must(await platform.workflow.transition({ taskId: task.id, to: 'implementing' }, PERSON));
    await platform.worker.idle();
    for (const task of tasks) {
      const run = await expectOneEnd(platform, task);
      const [type, step] = task.title.split(' ');
      const at = RUN_STEPS.findIndex((name) => name === step) + (type === 'run.step_finished' ? 1 : 0);
      const isOver = at >= RUN_STEPS.indexOf('trigger');
      expect({ title: task.title, status: run.status, to: await statusOf(platform, task.id) }).toEqual({
        title: task.title,
        status: isOver ? 'completed' : 'cancelled',
        to: isOver ? 'pr_review' : 'implementing',
      });
      await expectIntact(run, commitsAfter(task.title, await finishedWell(platform, task)));
    }
    await expectLogTellsAll(platform);
  });
});

async function finishedWell({ workflow }: Platform, task: Task): Promise<ReadonlyArray<unknown>> {
  const events = await workflow.events({ taskId: task.id, type: 'run.step_finished', limit: 10_000 });
  return events.flatMap(({ data }) => ('step' in data && 'ok' in data && data.ok ? [data.step] : []));
}

/** A gate that some wait at until it is opened. */
function gate() {
  const opened = Promise.withResolvers<void>();
  return { open: opened.resolve, pass: () => opened.promise };
}

describe('a worker that freezes in each step and wakes when another has done the work', () => {
  it('changes nothing more: each run ends once and nothing is done twice', async () => {
    const home = makeFolder();
    const [thaw, allFrozen] = [gate(), gate()];
    const stepOf = new Map<string, RunStep>();
    const frozen = new Set<string>();
    const isMoment = ({ taskId, type, data }: PlatformEvent): boolean =>
      type === 'run.step_started' && stepOf.get(taskId ?? '') === data['step'];
    const first = await openWatched(
      home,
      {
        begun: () => (frozen.size === FREEZES.length ? thaw.pass() : Promise.resolve()),
        committed: async (events) => {
          const taskId = events.find(isMoment)?.taskId ?? null;
          if (taskId === null || frozen.has(taskId)) return;
          frozen.add(taskId);
          if (frozen.size === FREEZES.length) allFrozen.open();
          await thaw.pass();
        },
      },
      FREEZES.length,
    );
    const tasks = await addTasks(first, FREEZES);
    for (const [index, task] of tasks.entries()) stepOf.set(task.id, FREEZES[index] ?? 'prepare');
    for (const task of tasks) must(await first.workflow.transition({ taskId: task.id, to: 'implementing' }, PERSON));
    await allFrozen.pass();
    const store = must(await openStore({ home }));
    await store.transact((tx) => tx.updateTable('jobs').set({ lease_until: -1 }).execute());
    await store.close();
    const second = await openWatched(home, {}, 2);
    await second.worker.idle();
    const before = await second.workflow.events({ limit: 100_000 });
    const heads = await headsOf(second, tasks);
    thaw.open();
    await first.worker.close();
    const after = await second.workflow.events({ limit: 100_000 });
    expect(after.slice(before.length).map(({ type, summary }) => [type, summary])).toEqual([]);
    expect(await headsOf(second, tasks)).toEqual(heads);
    for (const task of tasks) {
      const run = await expectOneEnd(second, task);
      expect(run.status).toBe('completed');
      await expectIntact(run, [task.title, 'Add a']);
      expect(await git(run.worktree ?? '', 'status', '--porcelain')).toBe('');
    }
    await expectLogTellsAll(second);
  });
});

async function headsOf({ workflow }: Platform, tasks: ReadonlyArray<Task>): Promise<ReadonlyArray<string>> {
  const heads: string[] = [];
  for (const task of tasks) {
    const [run] = await workflow.listRuns({ taskId: task.id });
    heads.push(await git(run?.worktree ?? '', 'rev-parse', 'HEAD'));
  }
  return heads;
}

const HANG = [{ do: 'hang' }] as const;
const READY = { do: 'outcome', outcome: 'pr_ready' } as const;
const FILE = { do: 'createFile', path: 'a.txt', content: 'a\n' } as const;
const LIMIT = { timeout: 700 };

type Slow = { readonly script: Script; readonly config?: object; readonly status: string; readonly words: string };

/** Where a run can take too long: the project's commands, and each exchange with the agent. */
const SLOW: Readonly<Record<string, Slow>> = {
  prepare: {
    script: WORK,
    config: { setup: { command: 'sleep 60', timeout: 300 } },
    status: 'failed',
    words: 'took longer than 0.3 s',
  },
  execute: { script: { steps: [FILE, ...HANG] }, status: 'timeout', words: 'longer than its time limit' },
  parse: {
    script: { steps: [FILE], replies: { 'repair:outcome': HANG } },
    status: 'timeout',
    words: 'longer than its time limit',
  },
  validate: {
    script: { steps: [FILE, READY], replies: { 'repair:checks': HANG } },
    config: { checks: { test: { command: 'false' } } },
    status: 'timeout',
    words: 'longer than its time limit',
  },
  'a check': {
    script: { steps: [FILE, READY], replies: { 'repair:checks': [READY] } },
    config: { checks: { test: { command: 'test ! -f a.txt || sleep 60', timeout: 300 } } },
    status: 'failed',
    words: 'Project checks failed: test',
  },
};

describe('a step that takes too long', () => {
  it.for(Object.entries(SLOW))('ends the run once, with what was done kept: %s', async ([, slow]) => {
    const agent: Agent = createScriptedAgent([slow.script]);
    const platform = await openTestPlatform({ agents: [agent] });
    const path = await makeRepository({ '.attractor/config.json': JSON.stringify(slow.config ?? {}) });
    const { task, project } = await addTask(platform, { path, overrides: LIMIT });
    must(await platform.workflow.updateProject(project.id, { config: { retry: { enabled: false } } }, PERSON));
    must(await platform.workflow.transition({ taskId: task.id, to: 'implementing' }, PERSON));
    await platform.worker.idle();
    const run = await expectOneEnd(platform, task);
    expect([run.status, await statusOf(platform, task.id)]).toEqual([slow.status, 'failed']);
    expect(run.error).toContain(slow.words);
    if (run.worktree === null) return;
    const files = await git(run.worktree, 'ls-files', '--cached', '--others', 'a.txt');
    expect(files).toBe('a.txt');
  });
});
