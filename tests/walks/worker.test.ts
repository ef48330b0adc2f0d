import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Result } from '@attractor/base';
import { openPlatform, type Platform, unconfined } from '@attractor/platform';
import { parseScript, startSimulator } from '@attractor/simulator';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Ended, makeFolder, startAttractor, until } from './attractor.ts';

const PERSON = { type: 'user', name: 'Ada' } as const;

const ASKING = {
  turns: [
    { toolCalls: [{ use: 'shell', command: 'npm test' }] },
    { toolCalls: [{ name: 'report_outcome', args: { outcome: 'pr_ready' } }], text: 'Done.' },
    { text: 'Done.' },
  ],
};

const SCRIPT = {
  turns: [
    { delayMs: 1_500, toolCalls: [{ name: 'report_outcome', args: { outcome: 'plan_complete' } }], text: 'Plan: 42.' },
    { text: 'Planned.' },
  ],
};

type World = {
  readonly platform: Platform;
  readonly taskId: string;
  readonly runId: string;
  readonly start: (...flags: ReadonlyArray<string>) => Child;
};

type Child = {
  readonly stop: (signal: NodeJS.Signals) => void;
  readonly said: (words: string) => Promise<unknown>;
  readonly ended: Promise<Ended>;
};

/** A home with one run that waits, which nobody in this process works on. */
async function makeWorld(
  settings: { readonly labels?: ReadonlyArray<string> } = {},
  { script = SCRIPT, mode = 'plan' }: { readonly script?: object; readonly mode?: 'plan' | 'implement' } = {},
): Promise<World> {
  const [home, repository] = [makeFolder(), makeFolder()];
  writeFileSync(path.join(repository, 'answer.js'), 'export const answer = 41;\n');
  const git = (...args: ReadonlyArray<string>) => execFileSync('git', args, { cwd: repository });
  git('init', '-q', '-b', 'main');
  git('add', '--all');
  git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.invalid', 'commit', '-q', '-m', 'first');
  const parsed = parseScript(script);
  if (!parsed.ok) throw new Error(parsed.error.message);
  const simulator = await startSimulator({ script: parsed.script });
  const platform = unwrap(
    await openPlatform({ home, agents: [], defaultAgentType: 'native', env: {}, confine: unconfined, concurrency: 0 }),
  );
  onTestFinished(async () => {
    await platform.close();
    await simulator.close();
  });
  const { workflow } = platform;
  const project = unwrap(await workflow.createProject({ path: repository }, PERSON));
  unwrap(await workflow.updateProject(project.id, { config: settings }, PERSON));
  const task = unwrap(await workflow.createTask({ projectId: project.id, title: 'Answer 42' }, PERSON));
  const run = unwrap(await workflow.startAgent({ taskId: task.id, mode }, PERSON));
  const model = ['--provider', 'anthropic', '--model', 'claude-sonnet-4-5-20250929'];
  const start = (...flags: ReadonlyArray<string>): Child =>
    startWorker([...model, '--base-url', simulator.baseUrls.anthropic, '--allow-unsandboxed', ...flags], home);
  return { platform, taskId: task.id, runId: run.id, start };
}

function startWorker(flags: ReadonlyArray<string>, home: string): Child {
  const env = { ATTRACTOR_HOME: home, ANTHROPIC_API_KEY: 'none' };
  const { child, output, ended } = startAttractor(['worker', ...flags], { home, env });
  const said = (words: string): Promise<unknown> =>
    until(() => {
      if (output().includes(words)) return true;
      if (child.exitCode !== null) throw new Error(`It said only:\n${output()}`);
      return undefined;
    }, words);
  return { stop: (signal) => void child.kill(signal), said, ended };
}

function unwrap<Value>(result: Result<Value, { readonly message: string }>): Value {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

describe('attractor worker', () => {
  it('ends with --once when all that it could do is done, and tells what it did', async () => {
    const { platform, runId, start } = await makeWorld();
    const { code, stderr } = await start('--once').ended;
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^\S*[A-Z]+-\d+\.1: Agent completed/m),
    });
    expect(await platform.workflow.getRun(runId)).toMatchObject({ status: 'completed', outcome: 'plan_complete' });
  });

  it('parks what it has not finished in time after SIGTERM, and the next one with the labels goes on', async () => {
    const { platform, runId, start } = await makeWorld({ labels: ['gpu'] });
    expect((await start('--once').ended).code).toBe(0);
    expect(await platform.workflow.queueState()).toMatchObject({ queued: 1, running: 0 });
    const first = start('--labels', 'arm, gpu', '--drain', '0');
    await first.said('took ');
    first.stop('SIGTERM');
    const { code, stderr } = await first.ended;
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('Parking 1') });
    expect(await platform.workflow.getRun(runId)).toMatchObject({ status: 'running' });
    expect((await platform.workflow.queueState()).jobs).toMatchObject([{ runId, state: 'queued', labels: ['gpu'] }]);
    expect((await start('--labels', 'gpu', '--once').ended).code).toBe(0);
    expect(await platform.workflow.getRun(runId)).toMatchObject({ status: 'completed' });
  });

  it('takes a run that asks no further than its question, and goes on with it after the answer', async () => {
    const { platform, runId, start } = await makeWorld({}, { script: ASKING, mode: 'implement' });
    const { workflow } = platform;
    const once = await start('--once').ended;
    expect(once).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('1 still waiting: a person has to answer first'),
    });
    expect((await workflow.queueState()).jobs).toMatchObject([{ runId, state: 'waiting', owner: null }]);
    const waiting = start('--drain', '0');
    await waiting.said('Working on');
    const [prompt] = await workflow.listPrompts({ status: 'pending' });
    if (prompt === undefined) throw new Error('Nobody was asked.');
    const answer = { decision: 'reject', message: 'Not now.' } as const;
    unwrap(await workflow.answerPrompt({ promptId: prompt.id, contentHash: prompt.contentHash, answer }, PERSON));
    await waiting.said(': Agent completed');
    waiting.stop('SIGTERM');
    expect((await waiting.ended).code).toBe(0);
  });

  it('says what is wrong with its flags and with a database that is not there', async () => {
    const home = makeFolder();
    const wrong = await startWorker(['--concurrency', 'many', '--allow-unsandboxed'], home).ended;
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('--concurrency must be a whole number') });
    const url = 'postgres://nobody@127.0.0.1:1/none';
    const gone = await startWorker(['--database-url', url, '--once', '--allow-unsandboxed'], home).ended;
    expect(gone).toMatchObject({ code: 5, stderr: expect.stringContaining('PostgreSQL runs there') });
  });
});
