import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defined } from '@attractor/base';
import { type Agent, createScriptedAgent, type Script, type ScriptStep } from '@attractor/adapters';
import { examineTrust, trustRepository } from '@attractor/settings';
import { describe, expect, it } from 'vitest';
import { unconfined } from '@attractor/run';
import { openPlatform, type Platform } from '../platform.ts';
import { IMPLEMENT, PLAN } from '../test-support/scripts.ts';
import { addTask, openTestPlatform, statusOf, until } from '../test-support/world.ts';
import { ENV, git, makeRepository } from '@attractor/repository/testing';
import { makeFolder, must, PERSON } from '@attractor/store/testing';
import type { AgentRun, RunOverrides, Task } from '@attractor/store';

const implement = (steps: ReadonlyArray<ScriptStep>, replies: Script['replies'] = {}): Script => ({
  when: { outcome: 'pr_ready' },
  steps,
  replies,
});

async function runToEnd(
  scripts: ReadonlyArray<Script>,
  more: {
    readonly to?: string;
    readonly overrides?: RunOverrides;
    readonly agents?: ReadonlyArray<Agent>;
    readonly repairMs?: number;
    readonly home?: string;
    readonly files?: Readonly<Record<string, string>>;
  } = {},
) {
  const path = await makeRepository(more.files);
  const { to: _to, overrides: _overrides, files: _files, ...options } = more;
  const platform = await openTestPlatform({ scripts, ...options });
  const { task } = await addTask(platform, {
    path,
    ...defined({ overrides: more.overrides }),
  });
  must(await platform.workflow.transition({ taskId: task.id, to: more.to ?? 'implementing' }, PERSON));
  await platform.worker.idle();
  return { platform, path, task: await now(platform, task), run: await lastRun(platform, task) };
}

async function now(platform: Platform, task: Task): Promise<Task> {
  return (await platform.workflow.getTask(task.id)) ?? task;
}

async function lastRun(platform: Platform, task: Task): Promise<AgentRun> {
  const run = (await platform.workflow.listRuns({ taskId: task.id })).at(-1);
  if (run === undefined) throw new Error('no run');
  return run;
}

const typesOf = async (platform: Platform, task: Task): Promise<ReadonlyArray<string>> =>
  (await platform.workflow.events({ taskId: task.id, limit: 10_000 })).map(({ type }) => type);

const FIX: ScriptStep = { do: 'modifyFile', path: 'sum.sh', find: '-', replace: '+' };
const READY: ScriptStep = { do: 'outcome', outcome: 'pr_ready' };

describe('the outcome', () => {
  it('is read from markers where the tool was not used', async () => {
    const { task, run } = await runToEnd([
      implement([FIX, { do: 'output', text: 'Done.\n<<<OUTCOME:pr_ready>>>\n<<<END_PAYLOAD>>>' }]),
    ]);
    expect([task.status, run.outcome]).toEqual(['pr_review', 'pr_ready']);
  });

  it('is asked for once when it is missing', async () => {
    const { task, run } = await runToEnd([implement([FIX], { 'repair:outcome': [READY] })]);
    expect([task.status, run.outcome]).toEqual(['pr_review', 'pr_ready']);
  });

  it('is inferred from new work that passes the checks, and from a plan', async () => {
    expect((await runToEnd([implement([FIX])])).task.status).toBe('pr_review');
    const planned = await runToEnd([{ steps: [{ do: 'output', text: 'The plan.' }] }], { to: 'planning' });
    expect([planned.task.status, planned.task.plan]).toEqual(['plan_review', 'The plan.']);
  });

  it('is inferred as well where the agent breaks when it is asked for it', async () => {
    const { task } = await runToEnd([implement([FIX], { 'repair:outcome': [{ do: 'error', message: 'overloaded' }] })]);
    expect(task.status).toBe('pr_review');
  });

  it('is an error when nothing was done and nothing said', async () => {
    const { task, run } = await runToEnd([implement([])]);
    expect([task.status, run.status]).toEqual(['failed', 'failed']);
    expect(run.error).toContain('without a usable outcome');
  });

  it('is never inferred for a review', async () => {
    const path = await makeRepository();
    const platform = await openTestPlatform({ scripts: [{ steps: [{ do: 'output', text: 'Looks fine to me.' }] }] });
    const { task } = await addTask(platform, { path });
    must(await platform.workflow.startAgent({ taskId: task.id, mode: 'review' }, PERSON));
    await platform.worker.idle();
    expect(await lastRun(platform, task)).toMatchObject({ status: 'failed', outcome: null });
    expect(await statusOf(platform, task.id)).toBe('open');
  });

  it('must be one that the status offers', async () => {
    const { run } = await runToEnd([implement([{ do: 'outcome', outcome: 'approved' }])]);
    expect(run.error).toContain('"approved" is not possible here');
  });

  it('of a plan without a plan is an error', async () => {
    const { task, run } = await runToEnd([{ steps: [{ do: 'outcome', outcome: 'plan_complete' }] }], {
      to: 'planning',
    });
    expect([task.status, run.error]).toEqual(['failed', 'The agent reported a plan, but wrote none.']);
  });
});

describe('the checks', () => {
  it('that fail without the work too count only for what the work adds', async () => {
    const files = {
      'check.sh': 'echo "error: old"; exit 1\n',
      '.attractor/config.json': '{"checks": {"test": "sh check.sh"}}',
    };
    const work: ScriptStep = { do: 'createFile', path: 'notes.md', content: 'x\n' };
    const { run } = await runToEnd([implement([work, READY])], { files });
    expect(run).toMatchObject({ status: 'completed', outcome: 'pr_ready' });
    expect(run.checks.map(({ phase, passed, known }) => [phase, passed, known])).toEqual([
      ['base', false, undefined],
      ['branch', false, true],
    ]);
    const worse: ScriptStep = { do: 'modifyFile', path: 'check.sh', find: 'exit', replace: 'echo "error: new"; exit' };
    const after = await runToEnd([implement([worse, READY])], { files });
    expect(after.run).toMatchObject({ status: 'failed', error: 'Project checks failed: test' });
  });

  it('that fail give the agent one turn, with their output, in the same run', async () => {
    const { platform, task, run } = await runToEnd([
      implement([{ do: 'createFile', path: 'x', content: 'x' }, READY], { 'repair:checks': [FIX, READY] }),
    ]);
    expect([task.status, run.status]).toEqual(['pr_review', 'completed']);
    const told = (await platform.workflow.events({ runId: run.id, limit: 10_000 }))
      .filter(({ type }) => type === 'run.check_finished')
      .map(({ summary }) => summary);
    expect(told).toEqual([
      'Check test failed on the base commit',
      'Check test failed on the branch',
      'Check test passed on the branch',
    ]);
  });

  it('judge what the agent did within the time of its turn, which has a limit of its own', async () => {
    const { task, run } = await runToEnd(
      [implement([{ do: 'createFile', path: 'x', content: 'x' }, READY], { 'repair:checks': [FIX, { do: 'hang' }] })],
      { repairMs: 1_000 },
    );
    expect([task.status, run.status, run.error]).toEqual(['pr_review', 'completed', null]);
  });

  it('that still fail end the run in an error, the outcome kept for the record', async () => {
    const { platform, task, run } = await runToEnd([
      implement([{ do: 'createFile', path: 'x', content: 'x' }, READY], { 'repair:checks': [] }),
    ]);
    expect([task.status, run.status, run.outcome, run.error]).toEqual([
      'failed',
      'failed',
      null,
      'Project checks failed: test',
    ]);
    const event = (await platform.workflow.events({ runId: run.id, limit: 10_000 })).find(
      ({ type }) => type === 'agent.checks_failed',
    );
    expect(event?.data).toMatchObject({ originalOutcome: 'pr_ready', checks: [{ name: 'test', passed: false }] });
    expect(run.checks).toMatchObject([
      { phase: 'base' },
      { phase: 'branch', commit: expect.stringMatching(/^[0-9a-f]{40}$/) },
    ]);
  });

  it('of a repository run only while a person trusts exactly these', async () => {
    const path = await makeRepository();
    const platform = await openTestPlatform({ scripts: [IMPLEMENT] });
    const { task } = await addTask(platform, { path });
    writeFileSync(
      join(path, '.attractor/config.json'),
      JSON.stringify({ checks: { test: 'touch /tmp/never-run-this' } }),
    );
    must(await platform.workflow.transition({ taskId: task.id, to: 'implementing' }, PERSON));
    await platform.worker.idle();
    const run = await lastRun(platform, task);
    expect([run.status, run.checks]).toEqual(['completed', []]);
    expect(await typesOf(platform, task)).toContain('run.checks_untrusted');
  });

  it('that a person names for the task are trusted', async () => {
    const { run } = await runToEnd([IMPLEMENT], { overrides: { checks: ['grep -q + sum.sh'] } });
    expect(run.checks.map(({ name, phase, passed }) => [name, phase, passed])).toEqual([
      ['test', 'base', false],
      ['grep -q +', 'base', false],
      ['test', 'branch', true],
      ['grep -q +', 'branch', true],
    ]);
  });

  it('leave nothing of theirs in the work', async () => {
    const files = {
      'sum.sh': 'echo -\n',
      '.attractor/config.json': JSON.stringify({
        checks: { test: { command: 'echo junk > coverage.txt; grep -q + sum.sh' } },
      }),
    };
    const platform = await openTestPlatform({ scripts: [IMPLEMENT] });
    const { task } = await addTask(platform, { path: await makeRepository(files) });
    must(await platform.workflow.transition({ taskId: task.id, to: 'implementing' }, PERSON));
    await platform.worker.idle();
    const run = await lastRun(platform, task);
    expect(await git(run.worktree ?? '', 'ls-tree', '--name-only', 'HEAD')).not.toContain('coverage.txt');
  });
});

describe('a run that ends otherwise', () => {
  it('is cancelled on request, moves nothing, and leaves the worktree unlocked', async () => {
    const path = await makeRepository();
    const platform = await openTestPlatform({
      scripts: [implement([{ do: 'output', text: 'working' }, { do: 'hang' }])],
    });
    const { task } = await addTask(platform, { path });
    must(await platform.workflow.transition({ taskId: task.id, to: 'implementing' }, PERSON));
    await until(platform, { taskId: task.id }, (events) => events.some(({ type }) => type === 'agent.message'));
    const run = await lastRun(platform, task);
    must(await platform.workflow.stopAgent(run.id, PERSON));
    await platform.worker.idle();
    expect(await lastRun(platform, task)).toMatchObject({ status: 'cancelled', finishedAt: expect.any(String) });
    expect(await statusOf(platform, task.id)).toBe('implementing');
    expect(await git(path, 'worktree', 'list', '--porcelain')).not.toContain('locked');
    expect(await platform.workflow.stopAgent(run.id, PERSON)).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(await platform.workflow.mergePullRequest({ taskId: task.id }, PERSON)).toMatchObject({
      error: { message: expect.stringContaining(`${run.key} worked on ${run.branch ?? '?'}`) },
    });
  });

  it('is cancelled in the queue when nobody has begun it', async () => {
    const platform = await openTestPlatform({ scripts: [IMPLEMENT], concurrency: 0 });
    const { task } = await addTask(platform, { path: await makeRepository() });
    const run = must(await platform.workflow.startAgent({ taskId: task.id, mode: 'implement' }, PERSON));
    expect(await platform.workflow.startAgent({ taskId: task.id, mode: 'plan' }, PERSON)).toMatchObject({
      ok: false,
      error: { code: 'blocked' },
    });
    expect(must(await platform.workflow.stopAgent(run.id, PERSON)).status).toBe('cancelled');
  });

  it('is cancelled with its task', async () => {
    const platform = await openTestPlatform({
      scripts: [implement([{ do: 'output', text: 'working' }, { do: 'hang' }])],
    });
    const { task } = await addTask(platform, { path: await makeRepository() });
    must(await platform.workflow.transition({ taskId: task.id, to: 'implementing' }, PERSON));
    await until(platform, { taskId: task.id }, (events) => events.some(({ type }) => type === 'agent.message'));
    must(await platform.workflow.transition({ taskId: task.id, to: 'cancelled' }, PERSON));
    await platform.worker.idle();
    expect([await statusOf(platform, task.id), (await lastRun(platform, task)).status]).toEqual([
      'cancelled',
      'cancelled',
    ]);
  });

  it('times out, says so, and is tried again later', async () => {
    const { platform, task, run } = await runToEnd([implement([{ do: 'hang' }])], { overrides: { timeout: 50 } });
    const [first] = await platform.workflow.listRuns({ taskId: task.id });
    expect([first?.status, run.status, task.status]).toEqual(['timeout', 'running', 'implementing']);
    expect(await typesOf(platform, task)).toContain('agent.retry_scheduled');
  });

  it('does not run out of time while a person is asked', async () => {
    const platform = await openTestPlatform({
      scripts: [implement([FIX, { do: 'askHuman', toolName: 'shell', input: { command: 'ls' } }, READY])],
    });
    const { task } = await addTask(platform, { path: await makeRepository(), overrides: { timeout: 8_000 } });
    must(await platform.workflow.transition({ taskId: task.id, to: 'implementing' }, PERSON));
    await until(platform, { taskId: task.id }, (events) => events.some(({ type }) => type === 'prompt.created'));
    await new Promise((resolve) => setTimeout(resolve, 8_100));
    const [prompt] = await platform.workflow.listPrompts({ taskId: task.id, status: 'pending' });
    must(await platform.workflow.answerPrompt({ promptId: prompt?.id ?? '', answer: { decision: 'approve' } }, PERSON));
    await platform.worker.idle();
    expect((await lastRun(platform, task)).status).toBe('completed');
  });

  it('fails with the words of its agent', async () => {
    const { task, run } = await runToEnd([implement([{ do: 'error', message: 'out of coffee' }])]);
    expect([run.status, run.error, task.status]).toEqual(['failed', 'out of coffee', 'failed']);
  });

  it('fails in order when the agent throws, is unknown, or is not available', async () => {
    const scripted = createScriptedAgent([]);
    const thrown = await runToEnd([], { agents: [{ ...scripted, run: () => Promise.reject(new Error('bug')) }] });
    expect(thrown.run).toMatchObject({ status: 'failed', error: 'bug' });
    const home = makeFolder();
    writeFileSync(join(home, 'config.json'), JSON.stringify({ defaultAgentType: 'nobody' }));
    await expect(runToEnd([], { home })).rejects.toThrow('no agent "nobody"');
    const missing = await runToEnd([], {
      agents: [{ ...scripted, isAvailable: async () => ({ available: false, reason: 'not installed' }) }],
    });
    expect(missing.run.error).toContain('not installed');
  });

  it('fails with the place of a broken project configuration that somebody trusted', async () => {
    const home = makeFolder();
    const platform = await openTestPlatform({ home, scripts: [IMPLEMENT] });
    const { task, project } = await addTask(platform, { path: await makeRepository() });
    writeFileSync(join(project.path, '.attractor/config.json'), '{ broken');
    expect(await trustRepository(examineTrust(project.path, { home }), { home })).toMatchObject({ ok: true });
    must(await platform.workflow.transition({ taskId: task.id, to: 'implementing' }, PERSON));
    await platform.worker.idle();
    expect((await lastRun(platform, task)).error).toContain('config.json:1: not valid JSON');
  });
});

describe('a question to a person', () => {
  it('waits over a restart, is not asked twice, and is answered once', async () => {
    const home = makeFolder();
    const scripts = [implement([FIX, { do: 'askHuman', toolName: 'shell', input: { command: 'sh check.sh' } }, READY])];
    const open = async (): Promise<Platform> =>
      must(await openPlatform({ home, agents: [createScriptedAgent(scripts)], env: ENV, confine: unconfined }));
    const before = await open();
    const { task } = await addTask(before, { path: await makeRepository() });
    must(await before.workflow.transition({ taskId: task.id, to: 'implementing' }, PERSON));
    await until(before, { taskId: task.id }, (events) => events.some(({ type }) => type === 'prompt.created'));
    await before.close();

    const after = await open();
    const [prompt, ...others] = await after.workflow.listPrompts({ taskId: task.id });
    expect(others).toEqual([]);
    expect(prompt).toMatchObject({
      type: 'tool_approval',
      status: 'pending',
      payload: { toolName: 'shell', command: 'sh check.sh' },
    });
    const answer = (contentHash?: string) =>
      after.workflow.answerPrompt(
        {
          promptId: prompt?.id ?? '',
          ...defined({ contentHash }),
          answer: { decision: 'approve' },
        },
        PERSON,
      );
    expect(await answer('something else')).toMatchObject({ ok: false, error: { code: 'conflict' } });
    const answers = await Promise.all([answer(prompt?.contentHash), answer(prompt?.contentHash), answer()]);
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    await after.worker.idle();
    expect(await statusOf(after, task.id)).toBe('pr_review');
    expect((await after.workflow.listPrompts({ taskId: task.id })).map(({ type }) => type)).toEqual([
      'tool_approval',
      'review',
    ]);
    await after.close();
  });

  it('from an agent comes back to it with the answers', async () => {
    const asks: Script = {
      when: { outcome: 'pr_ready' },
      steps: [
        { do: 'createFile', path: 'half.txt', content: 'half' },
        { do: 'outcome', outcome: 'needs_info', payload: { questions: [{ id: 'q1', question: 'Add or multiply?' }] } },
      ],
    };
    const resumed: Script = { when: { promptIncludes: 'Add, of course' }, steps: IMPLEMENT.steps };
    const { platform, task } = await runToEnd([resumed, asks]);
    expect(task.status).toBe('needs_info');
    const [prompt] = await platform.workflow.listPrompts({ taskId: task.id, status: 'pending' });
    expect(prompt).toMatchObject({ type: 'question', payload: { questions: [{ id: 'q1' }] } });
    expect(
      await platform.workflow.answerPrompt({ promptId: prompt?.id ?? '', answer: { decision: 'approve' } }, PERSON),
    ).toMatchObject({ ok: false, error: { code: 'invalid' } });
    must(
      await platform.workflow.answerPrompt(
        {
          promptId: prompt?.id ?? '',
          answer: { decision: 'answer', answers: [{ questionId: 'q1', answer: 'Add, of course' }] },
        },
        PERSON,
      ),
    );
    await platform.worker.idle();
    expect(await statusOf(platform, task.id)).toBe('pr_review');
    expect(readFileSync(join((await lastRun(platform, task)).worktree ?? '', 'half.txt'), 'utf8')).toBe('half');
  });

  it('about a plan can send it back, change it, or end the task', async () => {
    const again: Script = {
      when: { outcome: 'plan_complete', promptIncludes: 'Use bc instead' },
      steps: [
        { do: 'output', text: 'Plan with bc' },
        { do: 'outcome', outcome: 'plan_complete' },
      ],
    };
    const { platform, task } = await runToEnd([again, PLAN, IMPLEMENT], { to: 'planning' });
    const pending = async () =>
      (await platform.workflow.listPrompts({ taskId: task.id, status: 'pending' }))[0]?.id ?? '';
    must(
      await platform.workflow.answerPrompt(
        { promptId: await pending(), answer: { decision: 'changes', message: 'Use bc instead' } },
        PERSON,
      ),
    );
    await platform.worker.idle();
    expect((await now(platform, task)).plan).toBe('Plan with bc');
    must(
      await platform.workflow.answerPrompt(
        { promptId: await pending(), answer: { decision: 'approve', plan: 'Plan as I want it' } },
        PERSON,
      ),
    );
    await platform.worker.idle();
    expect(await now(platform, task)).toMatchObject({ plan: 'Plan as I want it', status: 'pr_review' });
    must(await platform.workflow.answerPrompt({ promptId: await pending(), answer: { decision: 'reject' } }, PERSON));
    expect(await statusOf(platform, task.id)).toBe('cancelled');
  });

  it('is withdrawn when the task moves on without it', async () => {
    const { platform, task } = await runToEnd([PLAN, IMPLEMENT], { to: 'planning' });
    const [prompt] = await platform.workflow.listPrompts({ taskId: task.id, status: 'pending' });
    must(await platform.workflow.transition({ taskId: task.id, to: 'implementing' }, PERSON));
    expect(
      await platform.workflow.answerPrompt({ promptId: prompt?.id ?? '', answer: { decision: 'reject' } }, PERSON),
    ).toMatchObject({ ok: false, error: { code: 'conflict' } });
    await platform.worker.idle();
    expect(await statusOf(platform, task.id)).toBe('pr_review');
  });
});
