import type { Script } from '@attractor/adapters';
import { CODING } from '@attractor/pipeline';
import { makeRepository } from '@attractor/repository/testing';
import type { PipelineDefinition } from '@attractor/store';
import { must, PERSON } from '@attractor/store/testing';
import { expect, it } from 'vitest';
import { addTask, openTestPlatform } from '../../test-support/world.ts';

const WORK: Script = {
  steps: [
    { do: 'createFile', path: 'work.md', content: 'done\n' },
    { do: 'outcome', outcome: 'pr_ready' },
  ],
};
const AGAIN: Script = {
  when: { promptIncludes: 'With a capital letter' },
  steps: [
    { do: 'createFile', path: 'more.md', content: 'Done\n' },
    { do: 'outcome', outcome: 'pr_ready' },
  ],
};

/** Work is ready only if its criteria are met. */
const DEMANDING: PipelineDefinition = {
  ...CODING,
  id: 'demanding',
  version: 1,
  isDefault: false,
  transitions: CODING.transitions.map((transition) =>
    transition.id === 'ready' ? { ...transition, guards: [{ type: 'criteria_met' }] } : transition,
  ),
};

/** The types of a task's events, in order, of those that are asked for. */
async function begin(pipelineId: string) {
  const platform = await openTestPlatform({ scripts: [AGAIN, WORK] });
  const { workflow, worker } = platform;
  must(await workflow.savePipeline(DEMANDING, PERSON));
  const path = await makeRepository({ 'readme.md': 'A sample.\n' });
  const { task } = await addTask(platform, { path, pipelineId, acceptanceCriteria: ['It works'] });
  must(await workflow.transition({ taskId: task.id, to: 'implementing' }, PERSON));
  await worker.idle();
  const told = async (...types: ReadonlyArray<string>) =>
    (await workflow.events({ taskId: task.id, limit: 1000 })).filter(({ type }) => types.includes(type));
  return { workflow, worker, taskId: task.id, told };
}

it('tells that a guard let a transition pass, that a person reviewed, and that the next agent took the changes up', async () => {
  const { workflow, worker, taskId, told } = await begin('coding');
  const [prompt] = await workflow.listPrompts({ taskId, status: 'pending' });
  const answer = { decision: 'changes', message: 'With a capital letter' } as const;
  must(await workflow.answerPrompt({ promptId: prompt?.id ?? '', answer }, PERSON));
  await worker.idle();
  const events = await told('review.submitted', 'changes.requested', 'changes.acknowledged');
  expect(events.map(({ type }) => type)).toEqual(['changes.requested', 'review.submitted', 'changes.acknowledged']);
  expect(events.at(-1)).toMatchObject({ summary: expect.stringContaining('With a capital letter') });
  const passed = await told('guard.passed');
  expect(passed.map(({ actor }) => actor.name)).toContain('guard:no_running_agent');
});

it('tells which guard holds a report back, and a person is asked', async () => {
  const { workflow, taskId, told } = await begin('demanding');
  expect(await told('guard.failed')).toMatchObject([
    {
      level: 'warning',
      actor: { name: 'guard:criteria_met' },
      summary: expect.stringContaining('1 "It works" is open'),
    },
  ]);
  expect(await workflow.listPrompts({ taskId, status: 'pending' })).toMatchObject([
    { type: 'options', title: expect.stringContaining('pr_ready') },
  ]);
});
