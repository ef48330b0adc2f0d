import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadScript, startSimulator } from '@attractor/simulator';
import { expect, it, onTestFinished } from 'vitest';
import { must, openWorld } from '../test-support/command-world.ts';
import { runCommand } from '../test-support/run-command.ts';

const SCRIPT = JSON.stringify({
  turns: [
    { text: 'I write it.', toolCalls: [{ use: 'write', path: 'hello.txt', content: 'hello\n' }] },
    { text: 'Done.', toolCalls: [{ name: 'report_outcome', args: { outcome: 'pr_ready' } }] },
    { text: 'It is done.' },
  ],
});

it('walks the ten steps of one run, tells them in one line, and takes up nothing else that is queued', async () => {
  const world = await openWorld();
  onTestFinished(world.close);
  const loaded = loadScript(SCRIPT);
  if (!loaded.ok) throw new Error(loaded.error.message);
  const simulator = await startSimulator({ script: loaded.script });
  onTestFinished(() => simulator.close());
  const queued = await world.task({ title: 'Somebody else will do this' });
  const waiting = must(await world.workflow.startAgent({ taskId: queued.id, mode: 'implement' }, { type: 'user' }));
  const file = join(world.folder, 'more.md');
  writeFileSync(file, 'In a file of its own.');

  const model = ['--provider', 'anthropic', '--model', 'claude-sonnet-4-5-20250929'];
  const what = [
    '--title',
    'Say hello',
    '--description-file',
    file,
    '--mode',
    'implement',
    '--check',
    'test -f hello.txt',
  ];
  const line = [
    'task',
    'run',
    '--repo',
    world.repository,
    ...what,
    ...model,
    '--base-url',
    simulator.baseUrls.anthropic,
  ];
  const ran = await runCommand([...line, '--allow-unsandboxed', '--json'], { env: { ANTHROPIC_API_KEY: 'scripted' } });

  expect({ exit: ran.exit, stderr: ran.exit === 0 ? '' : ran.stderr }).toEqual({ exit: 0, stderr: '' });
  expect(ran.stderr).not.toContain('has no transition for it');
  const result: Readonly<Record<string, unknown>> = JSON.parse(ran.stdout.trimEnd().split('\n').at(-1) ?? '');
  expect(Object.keys(result)).toEqual([
    'runId',
    'status',
    'outcome',
    'branch',
    'worktree',
    'commits',
    'tokenUsage',
    'checks',
  ]);
  expect(result).toMatchObject({
    status: 'completed',
    outcome: 'pr_ready',
    checks: [{ passed: false }, { passed: true }],
  });
  const shown = execFileSync('git', ['-C', world.repository, 'show', `${String(result['branch'])}:hello.txt`]);
  expect(shown.toString('utf8')).toBe('hello\n');
  const run = await world.workflow.getRun(String(result['runId']));
  expect((await world.workflow.getTask(run?.taskId ?? ''))?.description).toBe('In a file of its own.');
  const [{ state } = { state: null }] = await world.workflow.taskStates([run?.taskId ?? '']);
  expect(state).toMatchObject({ kind: 'closed', needsPerson: false });
  const other = await world.workflow.events({ runId: waiting.id });
  expect(other.map(({ type }) => type)).toEqual(['agent.started']);
});

it('needs no model where a program of the person is the usual agent of the project', async () => {
  const world = await openWorld();
  onTestFinished(world.close);
  const command = ['/bin/sh', '-c', 'echo hello > hello.txt; echo "<<<OUTCOME:pr_ready>>>"'];
  const agents = { mine: { type: 'cli', command, readOnlyCommand: command } };
  writeFileSync(join(world.home, 'config.json'), JSON.stringify({ agents }));
  const line = ['task', 'run', '--repo', world.repository, '--title', 'Say hello', '--mode', 'implement'];
  expect(await runCommand([...line, '--allow-unsandboxed'])).toMatchObject({ exit: 6 });
  must(
    await world.workflow.updateProject(world.project.id, { config: { defaultAgentType: 'mine' } }, { type: 'user' }),
  );
  const ran = await runCommand([...line, '--allow-unsandboxed']);
  expect({ ...ran, stderr: ran.exit === 0 ? '' : ran.stderr }).toMatchObject({ exit: 0, stderr: '' });
  expect(ran.stderr).toMatch(/Agent mine was started in implement mode/);
  const [, merge = ''] = /take it over: `([^`]+)`/.exec(ran.stdout) ?? [];
  execFileSync('/bin/sh', ['-c', merge], { cwd: world.repository });
  expect(execFileSync('git', ['-C', world.repository, 'show', 'HEAD:hello.txt']).toString('utf8')).toBe('hello\n');
});

it('calls off what would be tried again later: once is once', async () => {
  const world = await openWorld();
  onTestFinished(world.close);
  const line = [
    '--repo',
    world.repository,
    '--title',
    'x',
    '--mode',
    'plan',
    '--provider',
    'anthropic',
    '--model',
    'm',
  ];
  const ran = await runCommand(
    ['tasks', 'run', ...line, '--base-url', 'http://127.0.0.1:1', '--max-retries', '0', '--allow-unsandboxed'],
    { env: { ANTHROPIC_API_KEY: 'scripted' } },
  );
  expect(ran).toMatchObject({ exit: 1, stdout: expect.stringMatching(/^status +failed$/m) });
  const [, next = ''] = /^next +`attractor ([^`]+)`/m.exec(ran.stdout) ?? [];
  expect(await runCommand(next.split(' '))).toMatchObject({ exit: 0 });
  expect(await world.workflow.listRuns({ status: 'running' })).toEqual([]);
});
