import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Platform } from '../platform.ts';
import { PLAN } from './scripts.ts';
import { addTask, openTestPlatform, until } from './world.ts';
import { makeRepository } from '@attractor/repository/testing';
import { PERSON, runs } from '@attractor/store/testing';

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

type Place = { readonly home: string } | { readonly databaseUrl: string };

/**
 * What commands must satisfy wherever the records are. `makePlace` makes a new, empty place; two platforms on it are two programs, of which
 * the second takes no work.
 */
export function describeWorkflow(name: string, makePlace: () => Promise<Place>, share = 1): void {
  const openTwo = async (): Promise<readonly [Platform, Platform]> => {
    const place = await makePlace();
    return [
      await openTestPlatform({ ...place, scripts: [PLAN] }),
      await openTestPlatform({ ...place, scripts: [], defaultAgentType: 'scripted', concurrency: 0 }),
    ];
  };

  describe(`${name}: any commands in any order`, () => {
    it('move a task only as its pipeline allows, run at most one agent, and leave a log that tells all', async () => {
      const platform = await openTestPlatform({ ...(await makePlace()), concurrency: 0 });
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
        { numRuns: runs(Math.ceil(25 * share)) },
      );
    });
  });

  describe(`${name}: whoever asks at the same time`, () => {
    it('starts an agent once, and of many answers to one question one counts', async () => {
      const [one, other] = await openTwo();
      const { task } = await addTask(one, { path: await makeRepository() });
      const both = [one, other, one, other, one, other];
      const started = await Promise.all(
        both.map(({ workflow }) => workflow.transition({ taskId: task.id, to: 'planning' }, PERSON)),
      );
      expect(started.filter(({ ok }) => ok)).toHaveLength(1);
      await until(other, { taskId: task.id }, (events) => events.some(({ type }) => type === 'prompt.created'));
      const [prompt] = await other.workflow.listPrompts({ taskId: task.id, status: 'pending' });
      const answer = { promptId: prompt?.id ?? '', contentHash: prompt?.contentHash ?? '' };
      const answers = await Promise.all(
        both.map(({ workflow }) => workflow.answerPrompt({ ...answer, answer: { decision: 'reject' } }, PERSON)),
      );
      expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
      const events = await one.workflow.events({ taskId: task.id, limit: 1_000 });
      expect(events.filter(({ type }) => type === 'prompt.answered')).toHaveLength(1);
      expect(await one.workflow.listRuns({ taskId: task.id })).toHaveLength(1);
    });
  });
}
