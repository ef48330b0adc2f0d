import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseScript, startSimulator } from '@attractor/simulator';
import { expect, onTestFinished, test } from 'vitest';
import { attractorHere } from './attractor-here.ts';
import { ANYWHERE, type Ended, makeFolder, type Running, startAttractor, until } from './attractor.ts';

const REPORT = (outcome: string) => ({ name: 'report_outcome', args: { outcome } });

/** A model that plans, is denied a shell command, makes the change all the same and reports. */
const SCRIPT = {
  conversations: [
    {
      match: { tool: 'edit_file' },
      turns: [
        { toolCalls: [{ use: 'read', path: 'answer.js' }] },
        { toolCalls: [{ use: 'edit', path: 'answer.js', old: '41', new: '42' }] },
        { toolCalls: [{ use: 'shell', command: 'node --test' }] },
        { expect: { toolResult: { contains: 'Denied' } }, toolCalls: [REPORT('pr_ready')] },
        { text: 'The answer is 42 now.' },
      ],
    },
    { turns: [{ text: 'Change 41 to 42 in answer.js.', toolCalls: [REPORT('plan_complete')] }, { text: 'Planned.' }] },
  ],
};

type World = {
  readonly repository: string;
  readonly home: string;
  /** As a program. */
  readonly start: (...flags: ReadonlyArray<string>) => Running;
  /** In this process. */
  readonly run: (...flags: ReadonlyArray<string>) => Promise<Ended>;
  readonly resume: (key: string, ...flags: ReadonlyArray<string>) => Promise<Ended>;
};

async function makeWorld(script: unknown): Promise<World> {
  const home = makeFolder();
  const repository = path.join(home, 'repository');
  mkdirSync(path.join(repository, 'test'), { recursive: true });
  writeFileSync(path.join(repository, 'answer.js'), 'export const answer = 41;\n');
  writeFileSync(path.join(repository, 'package.json'), '{ "type": "module" }\n');
  writeFileSync(
    path.join(repository, 'test', 'answer.test.js'),
    "import assert from 'node:assert';\nimport { answer } from '../answer.js';\nassert.equal(answer, 42);\n",
  );
  git(repository, 'init', '-q', '-b', 'main');
  git(repository, 'add', '--all');
  git(repository, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.invalid', 'commit', '-q', '-m', 'first');
  const parsed = parseScript(script);
  if (!parsed.ok) throw new Error(parsed.error.message);
  const simulator = await startSimulator({ script: parsed.script });
  onTestFinished(() => simulator.close());
  const model = [
    '--provider',
    'anthropic',
    '--model',
    'claude-sonnet-4-5-20250929',
    '--base-url',
    simulator.baseUrls.anthropic,
  ];
  const line = (...args: ReadonlyArray<string>) =>
    [['run', ...args, ...model, ...ANYWHERE], { home, cwd: repository, env: { ANTHROPIC_API_KEY: 'none' } }] as const;
  return {
    repository,
    home,
    start: (...flags) => startAttractor(...line('Answer 42', ...flags)),
    resume: (key, ...flags) => attractorHere(...line('--resume', key, ...flags)),
    run: (...flags) => attractorHere(...line('Answer 42', ...flags)),
  };
}

test('attractor run leaves a checked branch in any repository and never touches the checkout', async () => {
  const { repository, start } = await makeWorld(SCRIPT);
  const ended = await start('--yes', '--check', 'node test/answer.test.js').ended;
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  expect(ended.stdout).toMatch(/fails on the base commit/);
  expect(ended.stdout).toMatch(/passes on the branch/);
  expect(ended.stdout).toMatch(/reject: Denied/);
  const branch = /branch\s+(agent\/\S+)/.exec(ended.stdout)?.[1] ?? '';
  expect(git(repository, 'show', `${branch}:answer.js`)).toBe('export const answer = 42;\n');
  expect(git(repository, 'status', '--porcelain')).toBe('');
  expect(git(repository, 'branch', '--show-current')).toBe('main\n');
});

test('without a terminal and without --yes the plan waits for a person, and the exit code says so', async () => {
  const { run } = await makeWorld(SCRIPT);
  const ended = await run();
  expect(ended.code).toBe(4);
  expect(ended.stdout).toMatch(/waits\s+Approve the plan/);
});

test('with --json every line is an event and the last one the result; a plan that was left waiting is taken up by its key', async () => {
  const { run, resume, home, repository } = await makeWorld(SCRIPT);
  const planned = await run('--plan-only', '--json');
  expect(planned.stderr).toBe('');
  const events = planned.stdout.trim().split('\n').map(readLine);
  const { key, ...left } = events.pop() ?? {};
  expect(left).toMatchObject({ type: 'result', status: 'plan_review', session: { stage: 'awaiting_plan_approval' } });
  expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(['task.created', 'prompt.created']));
  // A run that somebody else queued is not this command's to work on.
  const place = { home, cwd: repository };
  for (const args of [
    ['tasks', 'create', 'Not mine'],
    ['tasks', 'plan', 'REP-2'],
  ])
    expect(await attractorHere(args, place)).toMatchObject({ code: 0 });
  const resumed = await resume(String(key), '--yes', '--json');
  const result = readLine(resumed.stdout.trim().split('\n').at(-1) ?? '');
  expect(result).toMatchObject({ type: 'result', key, status: 'pr_review', branch: expect.stringMatching(/^agent\//) });
  const other = await attractorHere(['tasks', 'get', 'REP-2'], place);
  expect(other.stdout).toMatch(/Queued/);
});

test('--here brings the accepted work into a clean checkout, and is refused for one that is not', async () => {
  const { repository, run } = await makeWorld(SCRIPT);
  writeFileSync(path.join(repository, 'draft.txt'), 'mine\n');
  const refused = await run('--here', '--no-plan', '--yes');
  expect(refused).toMatchObject({ code: 4, stdout: '', stderr: expect.stringContaining('draft.txt') });
  rmSync(path.join(repository, 'draft.txt'));
  const ended = await run('--here', '--no-plan', '--yes', '--check', 'node test/answer.test.js');
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  expect(readFileSync(path.join(repository, 'answer.js'), 'utf8')).toBe('export const answer = 42;\n');
  expect(git(repository, 'status', '--porcelain')).toBe('');
});

test('Ctrl-C stops the run, says so and how to take it up again, and nothing goes on', async () => {
  const { home, start } = await makeWorld({ turns: [{ text: 'Slowly.', delayMs: 600_000 }] });
  const running = start('--yes');
  await until(() => /configure/.exec(running.output()) ?? undefined, 'the agent to be at work');
  running.child.kill('SIGINT');
  const ended = await running.ended;
  expect(ended.code).toBe(130);
  expect(ended.stdout).toContain('Stopped in clarifying');
  expect(ended.stdout).toContain('Continue it: attractor run --resume REP-1');
  const list = await attractorHere(['runs', 'list', '--all', '--json'], { home });
  expect(list.stdout).toContain('"status":"cancelled"');
  expect(list.stdout).not.toContain('"status":"running"');
});

test('whoever follows a run that somebody else stops is told so, and how to go on', async () => {
  const { home, start } = await makeWorld({ turns: [{ text: 'Slowly.', delayMs: 600_000 }] });
  const running = start('--yes');
  await until(() => /configure/.exec(running.output()) ?? undefined, 'the agent to be at work');
  await attractorHere(['runs', 'stop', 'REP-1.1'], { home });
  const ended = await running.ended;
  expect(ended.code).toBe(1);
  expect(ended.stdout).toMatch(/Ended in clarifying[^]*next {5}attractor run --resume REP-1 /);
});

test('a wrong key ends the run with exit code 6 and says what to do', async () => {
  const { run } = await makeWorld({ ...SCRIPT, apiKeys: ['another'] });
  const ended = await run('--yes');
  expect(ended.code).toBe(6);
  expect(ended.stdout).toMatch(/ANTHROPIC_API_KEY/);
});

test('an unknown model ends the run with exit code 1 and its name', async () => {
  const { run } = await makeWorld({ ...SCRIPT, models: ['some-other-model'] });
  const ended = await run('--yes');
  expect(ended.code).toBe(1);
  expect(ended.stdout).toMatch(/claude-sonnet-4-5-20250929/);
});

function readLine(line: string): Readonly<Record<string, unknown>> {
  return JSON.parse(line);
}

function git(cwd: string, ...args: ReadonlyArray<string>): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8' });
}
