import { describe, expect, it } from 'vitest';
import { PLAN } from '../../test-support/scripts.ts';
import { addTask, openTestPlatform } from '../../test-support/world.ts';
import { makeRepository } from '@attractor/repository/testing';
import { must, PERSON } from '@attractor/store/testing';

/** Work may begin only once there is a plan. */
const GUARDED = {
  id: 'guarded',
  name: 'Guarded',
  initialStatus: 'open',
  terminalStatuses: ['done'],
  statuses: [
    { id: 'open', label: 'Open', color: 'gray', category: 'backlog', position: 0 },
    { id: 'working', label: 'Working', color: 'blue', category: 'active', position: 1 },
    { id: 'done', label: 'Done', color: 'green', category: 'done', position: 2 },
  ],
  transitions: [
    {
      id: 'work',
      from: 'open',
      to: 'working',
      label: 'Work',
      trigger: { type: 'manual' },
      guards: [{ type: 'has_plan' }],
      hooks: [{ type: 'start_agent', params: { mode: 'implement' } }],
    },
    { id: 'end', from: 'working', to: 'done', label: 'End', trigger: { type: 'manual' } },
  ],
};

describe('an agent that is started along the pipeline', () => {
  it('moves the task into its mode, with what was wanted of the run, and its plan is asked about', async () => {
    const platform = await openTestPlatform({ scripts: [PLAN] });
    const { task } = await addTask(platform, { path: await makeRepository() });
    const { workflow } = platform;
    const overrides = { maxTurns: 7 };
    const run = must(
      await workflow.startAgent({ taskId: task.id, mode: 'plan', overrides, along: 'pipeline' }, PERSON),
    );
    expect(run.mode).toBe('plan');
    expect((await workflow.getTask(task.id))?.status).toBe('planning');
    await platform.worker.idle();
    expect((await workflow.getTask(task.id))?.status).toBe('plan_review');
    const configured = (await workflow.events({ runId: run.id })).find(({ type }) => type === 'run.configured');
    expect(JSON.stringify(configured?.data)).toContain('"maxTurns"');
    expect((await workflow.listPrompts({ taskId: task.id })).map(({ type }) => type)).toEqual(['plan_approval']);
  });

  it('starts where the task stands if the pipeline knows no way from there', async () => {
    const platform = await openTestPlatform({ concurrency: 0 });
    const { task } = await addTask(platform, { path: await makeRepository() });
    const { workflow } = platform;
    const start = (mode: 'plan' | 'investigate') =>
      workflow.startAgent({ taskId: task.id, mode, along: 'pipeline' }, PERSON);
    const looking = must(await start('investigate'));
    expect((await workflow.getTask(task.id))?.status).toBe('open');
    must(await workflow.stopAgent(looking.id, PERSON));

    const planning = must(await start('plan'));
    must(await workflow.stopAgent(planning.id, PERSON));
    expect((await workflow.getTask(task.id))?.status).toBe('planning');
    const again = must(await start('plan'));
    expect(again.id).not.toBe(planning.id);
  });

  it('leads on when several try it at once, and nobody else is started', async () => {
    const platform = await openTestPlatform({ concurrency: 0 });
    const { task } = await addTask(platform, { path: await makeRepository() });
    const { workflow } = platform;
    must(await workflow.startAttempts({ taskId: task.id, n: 2 }, PERSON));
    expect((await workflow.getTask(task.id))?.status).toBe('implementing');
    const running = await workflow.listRuns({ taskId: task.id, status: 'running' });
    expect(running.map(({ mode }) => mode)).toEqual(['implement', 'implement']);
  });

  it('is refused by the guard of its way, and nothing has changed', async () => {
    const platform = await openTestPlatform({ concurrency: 0 });
    const { project } = await addTask(platform, { path: await makeRepository() });
    const { workflow } = platform;
    must(await workflow.savePipeline(GUARDED, PERSON));
    const wanted = { projectId: project.id, title: 'Needs a plan', pipelineId: 'guarded' };
    const task = must(await workflow.createTask(wanted, PERSON));
    expect(await workflow.startAgent({ taskId: task.id, mode: 'implement', along: 'pipeline' }, PERSON)).toMatchObject({
      ok: false,
      error: { code: 'blocked', message: expect.stringContaining('has_plan') },
    });
    expect(await workflow.listRuns({ taskId: task.id })).toEqual([]);
    expect((await workflow.getTask(task.id))?.status).toBe('open');
  });
});
