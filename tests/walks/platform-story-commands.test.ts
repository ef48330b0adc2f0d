import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { mostlyHere } from './attractor-here.ts';
import { ANYWHERE, type Ended, makeFolder, startAttractor, until } from './attractor.ts';
import {
  ANSWER,
  type Beat,
  CHOICE,
  CODING_BEATS,
  COMMENT,
  expectMerged,
  FEATURE_BEATS,
  git,
  makeRemoteWorld,
  modelOf,
  PERMISSION,
  PLAN_TEXT,
  type RemoteWorld,
  WRONG_PLAN,
} from './platform-world.ts';

const TITLE = 'Make sum add';

type Row = Readonly<Record<string, unknown>>;

/** Everything by commands, as a script would: what they print is JSON, one object a line, and stderr stays empty. */
type Shell = RemoteWorld & {
  readonly home: string;
  readonly model: ReadonlyArray<string>;
  readonly call: (...args: ReadonlyArray<string>) => Promise<Ended>;
  readonly rows: (...args: ReadonlyArray<string>) => Promise<ReadonlyArray<Row>>;
  readonly row: (...args: ReadonlyArray<string>) => Promise<Row>;
};

async function openShell(beats: ReadonlyArray<Beat>): Promise<Shell> {
  const world = makeRemoteWorld();
  const home = makeFolder();
  const env = { ANTHROPIC_API_KEY: 'none' };
  const script = path.join(home, 'script.json');
  writeFileSync(script, JSON.stringify(modelOf(beats)));
  const simulator = startAttractor(['simulate', '--script', script], { home });
  const addresses = await until(() => jsonLine(simulator.output()), 'the addresses of the model');
  const attractor = mostlyHere(['create', 'watch', 'answer', 'merge', 'worker']);
  const call = (...args: ReadonlyArray<string>): Promise<Ended> => attractor(args, { home, cwd: world.checkout, env });
  const rows = async (...args: ReadonlyArray<string>): Promise<ReadonlyArray<Row>> => {
    const { code, stdout, stderr } = await call(...args, '--json');
    expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' });
    return stdout.trimEnd().split('\n').filter(Boolean).map(readRow);
  };
  const row = async (...args: ReadonlyArray<string>): Promise<Row> => (await rows(...args)).at(-1) ?? {};
  const model = [
    '--provider',
    'anthropic',
    '--model',
    'claude-sonnet-4-5',
    '--base-url',
    String(addresses['anthropic']),
  ];
  return { ...world, home, model, call, rows, row };
}

function readRow(line: string): Row {
  const value: Row = JSON.parse(line);
  return value;
}

function jsonLine(output: string): Row | undefined {
  const [line = '', ...rest] = output.split('\n');
  return rest.length === 0 ? undefined : readRow(line);
}

/** A project that a person trusts, and a task in it. */
async function addTask({ call, row, checkout }: Shell, pipeline: string): Promise<string> {
  const project = await row('projects', 'create');
  expect(project).toMatchObject({ path: checkout, defaultBranch: 'main' });
  const shown = await call('trust', 'show', '--json');
  await row('trust', 'grant', '--yes', '--hash', String(readRow(shown.stdout)['hash']));
  const task = await row('tasks', 'create', TITLE, '--pipeline', pipeline);
  expect(task).toMatchObject({ title: TITLE, status: 'open', pipelineId: pipeline, projectId: project['id'] });
  return String(task['id']);
}

async function waiting({ rows }: Shell, task: string, type: string): Promise<string> {
  const prompts = await rows('prompts', 'list', '--task', task);
  expect(prompts).toMatchObject([{ type, status: 'pending' }]);
  return String(prompts[0]?.['id']);
}

async function columns(found: Promise<ReadonlyArray<Row>>, ...names: ReadonlyArray<string>): Promise<unknown> {
  return (await found).map((one) => names.map((name) => String(one[name])).join(' '));
}

async function expectPullRequest({ rows, row, bare }: Shell, task: string): Promise<void> {
  const artifacts = await rows('artifacts', 'list', task);
  const requests = artifacts.filter(({ type }) => type === 'pull_request');
  expect(requests).toMatchObject([{ metadata: { state: 'open', baseBranch: 'main', prNumber: 1 } }]);
  const { branch } = await row('tasks', 'branch', task);
  expect(requests).toMatchObject([
    { metadata: { headBranch: branch, headCommit: git(bare, 'rev-parse', String(branch)) } },
  ]);
  expect(git(bare, 'log', '--format=%s', 'main')).toBe('first');
}

async function merge(shell: Shell, task: string): Promise<void> {
  const merged = await shell.row('tasks', 'merge', task);
  expect(merged).toMatchObject({ type: 'pull_request', metadata: { state: 'merged' } });
  expectMerged(shell, TITLE);
}

describe.concurrent('the whole story on the command line', () => {
  test('through a server, on feature', async () => {
    const asking = FEATURE_BEATS.map((beat) => (beat.name === 'rework' ? { ...beat, asks: 'sh sum.sh 2 3' } : beat));
    const shell = await openShell(asking);
    const { home, model, row, rows, call } = shell;
    const serve = ['serve', '--port', '0', ...model, ...ANYWHERE];
    const server = startAttractor(serve, { home, env: { ANTHROPIC_API_KEY: 'none' } });
    await until(() => /http:\/\/\S+/.exec(server.output()) ?? undefined, 'the address of the server');
    const task = await addTask(shell, 'feature');

    await row('tasks', 'transition', task, 'planning');
    expect(await row('tasks', 'watch', task, '--until', 'rest')).toMatchObject({ status: 'planned', plan: PLAN_TEXT });
    const approval = await waiting(shell, task, 'plan_approval');
    expect(await row('prompts', 'get', approval)).toMatchObject({ payload: { plan: PLAN_TEXT } });
    const early = await call('tasks', 'transition', task, 'done', '--json');
    expect(early).toMatchObject({ code: 4, stdout: '', stderr: expect.stringContaining('"planned" to "done"') });

    await row('prompts', 'answer', approval, '--approve');
    const [, work] = (await rows('runs', 'list', '--task', task)).toReversed();
    expect(await row('runs', 'watch', String(work?.['id']))).toMatchObject({
      status: 'completed',
      outcome: 'pr_ready',
    });
    const asked = await row('tasks', 'watch', task, '--until', 'rest');
    expect(asked).toMatchObject({ status: 'changes_requested' });
    await expectPullRequest(shell, task);
    expect(await call('prompts', 'answer', approval, '--approve', '--json')).toMatchObject({ code: 4 });

    await row('tasks', 'transition', task, 'in_progress');
    const told = await rows('tasks', 'watch', task, '--all', '--until', 'rest');
    expect(told.at(-1)).toMatchObject({ status: 'in_progress' });
    expect(told.filter(({ type }) => type === 'prompt.created')).toHaveLength(2);
    const allowed = await row('prompts', 'answer', await waiting(shell, task, 'tool_approval'), '--approve');
    expect(allowed).toMatchObject({ status: 'answered', payload: { input: { command: 'sh sum.sh 2 3' } } });
    expect(await row('tasks', 'watch', task, '--until', 'rest')).toMatchObject({ status: 'ready_to_merge' });
    expect(await call('tasks', 'merge', task)).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('attractor tasks approve CHE-1 --merge'),
    });
    expect(await row('tasks', 'resolve', task)).toMatchObject({ update: { how: 'up to date' }, run: null });
    const approved = await call('tasks', 'approve', task, '--merge');
    const commit = git(shell.checkout, 'rev-parse', '--short=12', 'main');
    expect(approved).toMatchObject({ code: 0, stdout: expect.stringContaining(`into main as ${commit}`) });
    await merge(shell, task);

    expect(await columns(rows('tasks', 'history', task), 'transitionId')).toEqual([
      'start_plan',
      'planned',
      'implement',
      'ready',
      'review_asks',
      'rework',
      'ready',
      'review_approves',
      'merge_approved',
    ]);
    const diff = await row('tasks', 'diff', task);
    expect(diff).toMatchObject({ filesChanged: 2, additions: 2, deletions: 1 });
    expect(await row('tasks', 'approve', task, '--merge')).toMatchObject({
      pullRequest: { metadata: { state: 'merged' } },
    });
    expect(await row('tasks', 'changes', task)).toMatchObject({ mergedAs: expect.any(String) });
    expect(await call('runs', 'start', task, '--from-scratch')).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('The work is already merged'),
    });
    const undone = await row('tasks', 'rollback', task, '--file', 'notes.md');
    expect(undone).toMatchObject({ branch: 'main', commit: git(shell.checkout, 'rev-parse', 'main') });
    const { metadata } = await row('tasks', 'revert-merge', task);
    expect(metadata).toMatchObject({ revertCommit: git(shell.checkout, 'rev-parse', 'main') });
    expect(git(shell.checkout, 'diff', '--stat', 'main', 'main~3')).toBe('');
    server.child.kill('SIGTERM');
    expect((await server.ended).code).toBe(143);
  });

  test('without a server, on coding: each command on the database, a worker now and then', async () => {
    const shell = await openShell(CODING_BEATS);
    const { home, model, row, rows, call } = shell;
    const work = async (): Promise<void> => {
      expect(await call('worker', '--once', ...model, ...ANYWHERE)).toMatchObject({ code: 0 });
    };
    const rest = async (): Promise<unknown> => (await row('tasks', 'get', task))['status'];
    const task = await addTask(shell, 'coding');

    await row('tasks', 'transition', task, 'planning');
    await work();
    await row('prompts', 'answer', await waiting(shell, task, 'question'), '--answer', `q1=${ANSWER}`);
    await work();
    const options = await waiting(shell, task, 'options');
    await row('prompts', 'answer', options, '--answer', 'option=short', '--message', CHOICE);
    await work();
    expect(await row('tasks', 'get', task)).toMatchObject({ status: 'plan_review', plan: WRONG_PLAN });
    const corrected = path.join(home, 'plan.md');
    writeFileSync(corrected, PLAN_TEXT);
    const approval = await waiting(shell, task, 'plan_approval');
    await row('prompts', 'answer', approval, '--approve', '--plan-file', corrected);
    await work();
    await row('prompts', 'answer', await waiting(shell, task, 'question'), '--answer', `q1=${PERMISSION}`);
    await work();
    expect(await rest()).toBe('failed');
    const watched = await call('tasks', 'watch', task, '--until', 'rest', '--json');
    expect(watched.code).toBe(1);
    await row('tasks', 'transition', task, 'implementing');
    await work();
    await expectPullRequest(shell, task);
    await row('prompts', 'answer', await waiting(shell, task, 'review'), '--changes', '--message', COMMENT);
    await work();
    await row('prompts', 'answer', await waiting(shell, task, 'review'), '--approve');
    expect(await rest()).toBe('done');
    await merge(shell, task);
    expect(await columns(rows('runs', 'list', '--task', task), 'mode', 'outcome')).toEqual(
      [
        'plan needs_info',
        'plan options_proposed',
        'plan plan_complete',
        'implement needs_info',
        'implement null',
        'implement pr_ready',
        'implement pr_ready',
      ].toReversed(),
    );
  });
});
