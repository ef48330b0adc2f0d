import type { Script } from '@attractor/adapters';
import { describe, expect, it } from 'vitest';
import type { Platform, PlatformOptions } from '../platform.ts';
import { addTask, openTestPlatform, until } from '../test-support/world.ts';
import { git, makeRepository } from '@attractor/repository/testing';
import { makeFolder, must, PERSON } from '@attractor/store/testing';
import { promptText } from '@attractor/pipeline';
import type { Task } from '@attractor/store';

const turn = (usd: number | null) => ({ do: 'usage', inputTokens: 100, outputTokens: 10, costUsd: usd }) as const;

/** Works in turns of a dollar each, with time to be ended between them. */
const COSTLY: Script = {
  when: { outcome: 'pr_ready' },
  steps: [
    { do: 'modifyFile', path: 'sum.sh', find: '-', replace: '+' },
    { do: 'commit', message: 'Make sum add' },
    turn(1),
    turn(1),
    { do: 'delay', ms: 1_500 },
    { do: 'createFile', path: 'late.md', content: 'later\n' },
    turn(1),
    { do: 'outcome', outcome: 'pr_ready' },
  ],
};

async function start(
  options: Partial<PlatformOptions> & { readonly scripts: ReadonlyArray<Script> },
): Promise<{ readonly platform: Platform; readonly task: Task; readonly path: string }> {
  const path = await makeRepository();
  const platform = await openTestPlatform(options);
  const { task } = await addTask(platform, { path, pipelineId: 'feature' });
  return { platform, task, path };
}

const implement = async (platform: Platform, task: Task) =>
  must(await platform.workflow.transition({ taskId: task.id, to: 'in_progress' }, PERSON));

const onlyRun = async (platform: Platform, task: Task) => {
  const [run] = await platform.workflow.listRuns({ taskId: task.id });
  if (run === undefined) throw new Error('no run');
  return run;
};

describe('a budget that stops', () => {
  it('ends the run after its turn and keeps what was done; the task stays where it is', async () => {
    const { platform, task, path } = await start({
      scripts: [{ ...COSTLY, steps: COSTLY.steps.map((step) => (step.do === 'delay' ? { do: 'hang' } : step)) }],
    });
    must(await platform.workflow.setBudget({ scope: 'task', subjectId: task.id, limitUsd: 2 }, PERSON));
    await implement(platform, task);
    await platform.worker.idle();
    const run = await onlyRun(platform, task);
    expect(run).toMatchObject({ status: 'failed', tokenUsage: { inputTokens: 200, outputTokens: 20, totalCost: 2 } });
    expect(run.error).toContain('the budget of the task ($2.00 of $2.00)');
    expect((await platform.workflow.getTask(task.id))?.status).toBe('in_progress');
    expect(await git(path, 'log', '-1', '--format=%s', run.branch ?? '')).toBe('Make sum add');
    const types = (await platform.workflow.events({ taskId: task.id, limit: 1_000 })).map(({ type }) => type);
    expect(types).toContain('budget.reached');
    expect(await platform.workflow.listBudgets()).toMatchObject([{ spentUsd: 2, reservedUsd: 0, isReached: true }]);
    // Nothing more starts on it, and why is to be seen, until it is raised.
    must(await platform.workflow.startAgent({ taskId: task.id, mode: 'implement' }, PERSON));
    await platform.worker.idle();
    const { jobs } = await platform.workflow.queueState();
    expect(jobs[0]?.blocked).toMatchObject({ code: 'budget' });
    expect(jobs[0]?.blocked?.message).toContain('Raise it to continue');
    must(await platform.workflow.setBudget({ scope: 'task', subjectId: task.id, limitUsd: 20 }, PERSON));
    await until(platform, { taskId: task.id }, (events) =>
      events.some(({ runId, type }) => runId !== run.id && type === 'run.step_started'),
    );
  });

  it('counts tokens where prices are unknown, and says that it can not count the money', async () => {
    const priceless: Script = { when: { outcome: 'pr_ready' }, steps: [turn(null), turn(null), { do: 'hang' }] };
    const { platform, task } = await start({ scripts: [priceless] });
    must(await platform.workflow.setBudget({ scope: 'project', subjectId: task.projectId, limitTokens: 220 }, PERSON));
    must(await platform.workflow.setBudget({ scope: 'all', limitUsd: 1, period: 'day' }, PERSON));
    await implement(platform, task);
    await platform.worker.idle();
    const run = await onlyRun(platform, task);
    expect(run).toMatchObject({ status: 'failed', tokenUsage: { totalCost: null } });
    expect(run.error).toContain('220 of 220 tokens');
    expect(await platform.workflow.listBudgets({ scope: 'all' })).toMatchObject([
      { spentUsd: 0, unpricedCalls: 2, isReached: false },
    ]);
  });
});

describe('a budget that asks', () => {
  const asking = async (options: Partial<PlatformOptions> = {}) => {
    const world = await start({ scripts: [COSTLY], ...options });
    must(
      await world.platform.workflow.setBudget(
        { scope: 'task', subjectId: world.task.id, limitUsd: 2, whenReached: 'ask' },
        PERSON,
      ),
    );
    await implement(world.platform, world.task);
    await until(world.platform, { taskId: world.task.id }, (events) =>
      events.some(({ type }) => type === 'prompt.created'),
    );
    const [prompt] = await world.platform.workflow.listPrompts({ status: 'pending' });
    if (prompt === undefined) throw new Error('no prompt');
    return { ...world, prompt };
  };

  it('lets the same conversation go on once a person allows more', async () => {
    const { platform, task, prompt } = await asking();
    expect(prompt).toMatchObject({ type: 'budget', payload: { raiseUsd: 1, raisedTo: '$3.00' } });
    expect(promptText(prompt)).toContain('Approving adds $1: the new limit is $3.00.');
    must(
      await platform.workflow.answerPrompt(
        { promptId: prompt.id, answer: { decision: 'approve', input: { usd: 5 } } },
        PERSON,
      ),
    );
    await platform.worker.idle();
    const runs = await platform.workflow.listRuns({ taskId: task.id });
    expect(runs[0]).toMatchObject({ status: 'completed', outcome: 'pr_ready', tokenUsage: { totalCost: 3 } });
    expect(await platform.workflow.listBudgets()).toMatchObject([{ limitUsd: 7, spentUsd: 3 }]);
  });

  it('ends the run when a person says no', async () => {
    const { platform, task, prompt } = await asking();
    must(
      await platform.workflow.answerPrompt(
        { promptId: prompt.id, answer: { decision: 'reject', message: 'Enough.' } },
        PERSON,
      ),
    );
    await platform.worker.idle();
    expect(await onlyRun(platform, task)).toMatchObject({ status: 'failed' });
    expect((await onlyRun(platform, task)).error).toContain('Enough.');
  });

  it('waits on for the same answer after a restart', async () => {
    const home = makeFolder();
    const { platform, task, prompt } = await asking({ home });
    await platform.worker.close();
    const second = await openTestPlatform({ home, scripts: [COSTLY] });
    must(
      await second.workflow.answerPrompt(
        { promptId: prompt.id, answer: { decision: 'approve', input: { usd: 9 } } },
        PERSON,
      ),
    );
    await until(second, { taskId: task.id }, (events) => events.some(({ type }) => type === 'agent.completed'));
    expect((await second.workflow.listRuns({ taskId: task.id }))[0]).toMatchObject({ tokenUsage: { totalCost: 3 } });
    expect(
      (await second.workflow.listPrompts({ taskId: task.id })).filter(({ type }) => type === 'budget'),
    ).toHaveLength(1);
  });
});

describe('a budget', () => {
  it('is one for its scope, subject and period, and is refused where it makes no sense', async () => {
    const path = await makeRepository();
    const platform = await openTestPlatform();
    const { workflow } = platform;
    const { task } = await addTask(platform, { path });
    const first = must(await workflow.setBudget({ scope: 'task', subjectId: task.id, limitUsd: 1 }, PERSON));
    const second = must(await workflow.setBudget({ scope: 'task', subjectId: task.id, limitTokens: 5 }, PERSON));
    expect(second).toMatchObject({ id: first.id, limitUsd: 1, limitTokens: 5 });
    for (const [input, code] of [
      [{ scope: 'task', subjectId: 'tsk_none', limitUsd: 1 }, 'not_found'],
      [{ scope: 'all' }, 'invalid'],
      [{ scope: 'all', limitUsd: -1 }, 'invalid'],
      [{ scope: 'all', limitUsd: 1e30 }, 'invalid'],
      [{ scope: 'all', limitTokens: 1e300 }, 'invalid'],
      [{ scope: 'all', limitUsd: 1, timeZone: 'Mars/Olympus' }, 'invalid'],
    ] as const)
      expect(await workflow.setBudget(input, PERSON)).toMatchObject({ ok: false, error: { code } });
    must(await workflow.deleteBudget(first.id, PERSON));
    expect(await workflow.deleteBudget(first.id, PERSON)).toMatchObject({ ok: false, error: { code: 'not_found' } });
    expect(await workflow.listBudgets()).toEqual([]);
  });
});
