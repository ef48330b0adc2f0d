import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createScriptedAgent } from '@attractor/adapters';
import { bundledProgram, compileCache } from '@attractor/base/testing';
import { describe, expect, it } from 'vitest';
import { unconfined } from '@attractor/run';
import { openPlatform, type Platform } from '../platform.ts';
import { IMPLEMENT, PLAN } from '../test-support/scripts.ts';
import { addTask, statusOf, until } from '../test-support/world.ts';
import { ENV, git, makeRepository } from '@attractor/repository/testing';
import { makeFolder, must, PERSON, runs } from '@attractor/store/testing';
import { RUN_STEPS } from '@attractor/store';

const CHILD = join(import.meta.dirname, '../test-support/walk-child.ts');

function walkInChild(
  home: string,
  repository: string,
  killPoint: string,
): Promise<{ readonly signal: string | null; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bundledProgram(CHILD), home, repository, killPoint], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { PATH: ENV.PATH, HOME: ENV.HOME, ...compileCache() },
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.once('error', reject);
    child.once('close', (_code, signal) => resolve({ signal, output }));
  });
}

/** A run that was taken over must look as if it had never been: each step, message, commit and artifact once. */
async function expectOneCleanRun(platform: Platform, repository: string): Promise<void> {
  const [task] = await platform.workflow.listTasks();
  const [run, ...others] = await platform.workflow.listRuns({ taskId: task?.id ?? '' });
  expect(others).toEqual([]);
  expect(run).toMatchObject({ status: 'completed', outcome: 'pr_ready', error: null });
  expect(run?.checks.map(({ phase, passed }) => [phase, passed])).toEqual([
    ['base', false],
    ['branch', true],
  ]);
  const events = await platform.workflow.events({ runId: run?.id ?? '', limit: 10_000 });
  const count = (type: string) => events.filter((event) => event.type === type).length;
  expect(events.filter((event) => event.type === 'run.step_finished').map((event) => event.data['step'])).toEqual(
    RUN_STEPS,
  );
  expect([count('agent.started'), count('agent.completed'), count('status.changed'), count('agent.failed')]).toEqual([
    1, 1, 1, 0,
  ]);
  const messages = events
    .filter((event) => event.type === 'agent.message')
    .map((event) => JSON.stringify(event.data['message']));
  expect(new Set(messages).size).toBe(messages.length);
  expect(messages).toHaveLength(11);
  expect(await git(repository, 'log', '--format=%s', `main..${run?.branch ?? ''}`)).toBe('Make sum add\nMake sum add');
  expect((await platform.workflow.listArtifacts(task?.id ?? '')).map(({ type }) => type)).toEqual([
    'branch',
    'commit',
    'commit',
    'diff',
    'pull_request',
  ]);
  expect(await platform.workflow.listPrompts({ taskId: task?.id ?? '' })).toMatchObject([
    { type: 'review', status: 'pending' },
  ]);
  expect(await git(repository, 'worktree', 'list', '--porcelain')).not.toContain('locked');
}

const KILL_POINTS = [
  'agent.started',
  'run.step_started:prepare',
  'run.check_finished:base',
  'run.step_finished:configure',
  'run.step_started:execute',
  'agent.message:tool_result',
  'agent.message:usage',
  'run.step_finished:execute',
  'run.check_finished:branch',
  'run.step_finished:validate',
  'run.step_started:trigger',
  'run.step_finished:trigger',
];

/** A process start is the cost here: the long form (SOAK=1) takes every point, the short one every third. */
const points = runs(1) > 1 ? KILL_POINTS : KILL_POINTS.filter((_point, index) => index % 3 === 2);

describe('a run whose process is killed', () => {
  it('goes on at its unfinished step each time, and nothing is done twice', async () => {
    const home = makeFolder();
    const repository = await makeRepository();
    for (const point of points) {
      const ended = await walkInChild(home, repository, point);
      expect({ point, signal: ended.signal }).toEqual({ point, signal: 'SIGKILL' });
    }
    const last = await walkInChild(home, repository, '');
    expect(JSON.parse(last.output)).toMatchObject({ status: 'pr_review' });
    const platform = must(await openPlatform({ home, agents: [], env: ENV, confine: unconfined, concurrency: 0 }));
    await expectOneCleanRun(platform, repository);
    await platform.close();
  });
});

/** A check that writes, commits and then kills the worker that runs it: once on the base, once on the branch. */
function deadlyCheck(marks: string): string {
  const own = 'git -c user.name=x -c user.email=x@x commit -qm own';
  return [
    'at=$(sh sum.sh 2 3)',
    `if [ ! -e "${marks}/$at" ]; then`,
    `  touch "${marks}/$at"; echo x > left.txt; git add left.txt; ${own}; echo y > more.txt; echo z >> sum.sh`,
    '  kill -9 $PPID; exit 0',
    'fi',
    'test "$at" = 5',
    '',
  ].join('\n');
}

describe('a run whose process is killed in the middle of a check', () => {
  it('commits nothing that the check wrote', async () => {
    const home = makeFolder();
    const repository = await makeRepository({
      'sum.sh': 'echo $(( $1 - $2 ))\n',
      'check.sh': deadlyCheck(makeFolder()),
      '.attractor/config.json': JSON.stringify({ checks: { test: { command: 'sh check.sh' } } }),
    });
    for (const moment of ['base', 'branch'])
      expect({ moment, ...(await walkInChild(home, repository, '')) }).toMatchObject({ moment, signal: 'SIGKILL' });
    const last = await walkInChild(home, repository, '');
    expect(JSON.parse(last.output)).toMatchObject({ status: 'pr_review' });
    const platform = must(await openPlatform({ home, agents: [], env: ENV, confine: unconfined, concurrency: 0 }));
    await expectOneCleanRun(platform, repository);
    const [run] = await platform.workflow.listRuns({});
    expect(await git(repository, 'diff', '--name-only', `main...${run?.branch ?? ''}`)).toBe('notes.md\nsum.sh');
    expect(await git(repository, 'for-each-ref', 'refs/attractor/rescue')).toBe('');
    await platform.close();
  });
});

describe('a run whose process shuts down', () => {
  it('is parked and goes on when the platform is opened again, whichever step it was in', async () => {
    const home = makeFolder();
    const repository = await makeRepository();
    const open = async (): Promise<Platform> =>
      must(
        await openPlatform({ home, agents: [createScriptedAgent([PLAN, IMPLEMENT])], env: ENV, confine: unconfined }),
      );
    let platform = await open();
    const { task } = await addTask(platform, { path: repository });
    must(await platform.workflow.transition({ taskId: task.id, to: 'implementing' }, PERSON));
    for (const step of RUN_STEPS) {
      await until(platform, { taskId: task.id }, (events) =>
        events.some((event) => event.type === 'run.step_started' && event.data['step'] === step),
      );
      await platform.close();
      platform = await open();
    }
    await platform.worker.idle();
    expect(await statusOf(platform, task.id)).toBe('pr_review');
    await expectOneCleanRun(platform, repository);
    await platform.close();
  });
});
