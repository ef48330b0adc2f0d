import type { Script } from '@attractor/adapters';
import { describe, expect, it } from 'vitest';
import { makeRepository } from '@attractor/repository/testing';
import { must, PERSON } from '@attractor/store/testing';
import { openTestPlatform, statusOf } from '../../test-support/world.ts';

const AGAIN = { summary: 'Not yet', comments: [{ comment: 'Still wrong', severity: 'critical' }] };

/** A reviewer that is never content. */
const SCRIPTS: ReadonlyArray<Script> = [
  { when: { outcome: 'approved' }, steps: [{ do: 'outcome', outcome: 'changes_requested', payload: AGAIN }] },
  {
    when: { outcome: 'pr_ready' },
    steps: [
      { do: 'createFile', path: 'work.md', content: 'done\n' },
      { do: 'outcome', outcome: 'pr_ready' },
    ],
  },
];

async function begin(pipelineId: string) {
  const platform = await openTestPlatform({ scripts: SCRIPTS });
  const path = await makeRepository({ 'readme.md': 'A sample.\n' });
  const project = must(await platform.workflow.createProject({ path }, PERSON));
  const task = must(
    await platform.workflow.createTask({ projectId: project.id, title: 'Endless', pipelineId }, PERSON),
  );
  const visits = async (status: string): Promise<number> =>
    (await platform.workflow.history(task.id)).filter(({ to }) => to === status).length;
  return { platform, workflow: platform.workflow, taskId: task.id, visits };
}

const REFUSAL = { ok: false, error: { code: 'blocked', message: expect.stringContaining('at most 5') } };

describe('a review that never ends', () => {
  it('is left to a person after five rounds where an agent reviews', async () => {
    const { platform, workflow, taskId, visits } = await begin('feature');
    for (let round = 1; round <= 5; round += 1) {
      must(await workflow.transition({ taskId, to: 'in_progress' }, PERSON));
      await platform.worker.idle();
      expect(await statusOf(platform, taskId)).toBe('changes_requested');
    }
    const before = await workflow.lastSeq();
    expect(await workflow.transition({ taskId, to: 'in_progress' }, PERSON)).toMatchObject(REFUSAL);
    expect(await workflow.lastSeq()).toBe(before);
    expect(await visits('in_progress')).toBe(5);
    const options = await workflow.validTransitions(taskId);
    expect(options.map(({ transition, blockedBy }) => [transition.to, blockedBy.map(({ guard }) => guard)])).toEqual([
      ['in_progress', ['max_iterations']],
      ['cancelled', []],
    ]);
    must(await workflow.transition({ taskId, to: 'cancelled' }, PERSON));
  });

  it('refuses the sixth wish of a person, and the question stays open for another answer', async () => {
    const { platform, workflow, taskId, visits } = await begin('coding');
    const answer = async (decision: 'changes' | 'approve') => {
      const [prompt] = await workflow.listPrompts({ taskId, status: 'pending' });
      return workflow.answerPrompt({ promptId: prompt?.id ?? '', answer: { decision, message: 'Again' } }, PERSON);
    };
    must(await workflow.transition({ taskId, to: 'implementing' }, PERSON));
    await platform.worker.idle();
    for (let round = 2; round <= 5; round += 1) {
      must(await answer('changes'));
      await platform.worker.idle();
    }
    const before = await workflow.lastSeq();
    expect(await answer('changes')).toMatchObject(REFUSAL);
    expect(await workflow.lastSeq()).toBe(before);
    expect([await visits('implementing'), await statusOf(platform, taskId)]).toEqual([5, 'pr_review']);
    must(await answer('approve'));
    expect(await statusOf(platform, taskId)).toBe('done');
  });
});
