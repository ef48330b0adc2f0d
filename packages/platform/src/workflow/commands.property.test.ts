import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addTask, makeRepository, openTestPlatform, PERSON, runs } from '../test-support/world.ts';

const STATUSES = [
  'open',
  'clarifying',
  'planning',
  'plan_review',
  'implementing',
  'pr_review',
  'needs_info',
  'done',
  'failed',
  'cancelled',
  'nowhere',
];

const command = fc.oneof(
  fc.record({ do: fc.constant('move' as const), to: fc.constantFrom(...STATUSES) }),
  fc.record({ do: fc.constant('start' as const), mode: fc.constantFrom('plan', 'implement', 'review') }),
  fc.record({ do: fc.constant('stop' as const) }),
);

describe('any commands in any order', () => {
  it('move a task only as its pipeline allows, run at most one agent, and leave a log that tells all', async () => {
    const platform = await openTestPlatform({ concurrency: 0 });
    const { workflow } = platform;
    const { project } = await addTask(platform, { path: await makeRepository() });
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 12 }), async (commands) => {
        const made = await workflow.createTask({ projectId: project.id, title: 'any' }, PERSON);
        const taskId = made.ok ? made.value.id : '';
        for (const step of commands) {
          const before = await workflow.getTask(taskId);
          const allowed = (await workflow.validTransitions(taskId))
            .filter((option) => option.allowed)
            .map(({ transition }) => transition.to);
          const running = (await workflow.listRuns({ taskId, status: 'running' }))[0];
          if (step.do === 'move') {
            const moved = await workflow.transition({ taskId, to: step.to }, PERSON);
            expect(moved.ok).toBe(allowed.includes(step.to));
            expect((await workflow.getTask(taskId))?.status).toBe(moved.ok ? step.to : before?.status);
          }
          if (step.do === 'start') {
            const started = await workflow.startAgent({ taskId, mode: step.mode }, PERSON);
            expect(started.ok).toBe(running === undefined && !['done', 'cancelled'].includes(before?.status ?? ''));
          }
          if (step.do === 'stop')
            expect((await workflow.stopAgent(running?.id ?? 'run_none', PERSON)).ok).toBe(running !== undefined);
          expect((await workflow.listRuns({ taskId, status: 'running' })).length).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: runs(25) },
    );
  }, 600_000);
});
