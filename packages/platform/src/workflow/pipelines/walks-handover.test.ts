import { defined } from '@attractor/base';
import { type Agent, createScriptedAgent, type Script } from '@attractor/adapters';
import { describe, expect, it } from 'vitest';
import { makeRepository } from '@attractor/repository/testing';
import { must, PERSON } from '@attractor/store/testing';
import { openTestPlatform, statusOf } from '../../test-support/world.ts';
import type { PromptAnswer } from '@attractor/store';

const WORK: Script = {
  when: { outcome: 'pr_ready' },
  steps: [
    { do: 'createFile', path: 'work.md', content: 'done\n' },
    { do: 'outcome', outcome: 'pr_ready' },
  ],
};
const APPROVE: Script = { when: { outcome: 'approved' }, steps: [{ do: 'outcome', outcome: 'approved' }] };

async function begin(pipelineId: string, scripts: ReadonlyArray<Script>) {
  const scripted = createScriptedAgent(scripts);
  const seen: string[] = [];
  const agent: Agent = { ...scripted, run: (options) => (seen.push(options.prompt), scripted.run(options)) };
  const platform = await openTestPlatform({ agents: [agent] });
  const { workflow, worker } = platform;
  const path = await makeRepository({ 'readme.md': 'A sample.\n' });
  const { id: projectId } = must(await workflow.createProject({ path }, PERSON));
  const { id: taskId } = must(await workflow.createTask({ projectId, title: 'Add weeks', pipelineId }, PERSON));
  return {
    platform,
    workflow,
    taskId,
    seen,
    status: () => statusOf(platform, taskId),
    go: async (to: string) => {
      must(await workflow.transition({ taskId, to }, PERSON));
      await worker.idle();
    },
    answer: async (answer: PromptAnswer) => {
      const [prompt] = await workflow.listPrompts({ taskId, status: 'pending' });
      must(await workflow.answerPrompt({ promptId: prompt?.id ?? '', answer }, PERSON));
      await worker.idle();
    },
  };
}

describe('what one agent found is told to the next', () => {
  it('a design to the planner, after the changes that were asked for; a plan to the implementer', async () => {
    const design = (text: string, promptIncludes?: string): Script => ({
      when: { outcome: 'design_ready', ...defined({ promptIncludes }) },
      steps: [{ do: 'outcome', outcome: 'design_ready', payload: { document: text } }],
    });
    const plan = (text: string, promptIncludes: string): Script => ({
      when: { outcome: 'plan_complete', promptIncludes },
      steps: [{ do: 'outcome', outcome: 'plan_complete', payload: { plan: text } }],
    });
    const { go, answer, status, seen, workflow, taskId } = await begin('feature', [
      design('# Weeks are numbers, and negative ones are refused', 'What of negative weeks?'),
      design('# Weeks are numbers'),
      plan('Two steps', 'Fewer steps, please'),
      plan('Nine steps', 'negative ones are refused'),
      WORK,
      APPROVE,
    ]);
    await go('ux_design');
    expect(await status()).toBe('design_review');
    await answer({ decision: 'changes', message: 'What of negative weeks?' });
    expect(seen[1]).toContain('# Weeks are numbers');
    expect(await status()).toBe('design_review');
    await answer({ decision: 'approve' });
    expect((await workflow.getTask(taskId))?.plan).toBe('Nine steps');
    await answer({ decision: 'changes', message: 'Fewer steps, please' });
    expect(seen[3]).toContain('Nine steps');
    expect((await workflow.getTask(taskId))?.plan).toBe('Two steps');
    await answer({ decision: 'approve', plan: 'Two steps, tests first' });
    expect(seen[4]).toContain('Two steps, tests first');
    expect(seen[4]).toContain('negative ones are refused');
    expect(await status()).toBe('ready_to_merge');
    const documents = (await workflow.listArtifacts(taskId)).filter(({ type }) => type === 'document');
    expect(documents.map(({ content }) => content)).toEqual([
      '# Weeks are numbers',
      '# Weeks are numbers, and negative ones are refused',
    ]);
  });

  it('the cause of a bug to whoever fixes it; a failed run to the next try', async () => {
    const { go, status, seen } = await begin('bug', [
      {
        when: { outcome: 'reproduced' },
        steps: [
          { do: 'output', text: 'Line 7 counts from one.' },
          { do: 'outcome', outcome: 'reproduced' },
        ],
      },
      { ...WORK, when: { outcome: 'pr_ready', promptIncludes: 'The disk was on fire' } },
      { when: { outcome: 'pr_ready' }, steps: [{ do: 'error', message: 'The disk was on fire' }] },
      APPROVE,
    ]);
    await go('investigating');
    expect(seen[1]).toContain('Line 7 counts from one.');
    expect(await status()).toBe('failed');
    await go('fix_in_progress');
    expect(seen[2]).toContain('Line 7 counts from one.');
    expect(seen[2]).toContain('The disk was on fire');
    expect(await status()).toBe('ready_to_merge');
  });
});

describe('a transition by anything', () => {
  it('is taken when an agent ends that a person started beside the pipeline', async () => {
    const { go, status, workflow, taskId, platform } = await begin('simple', [WORK]);
    await go('in_progress');
    must(await workflow.startAgent({ taskId, mode: 'implement' }, PERSON));
    await platform.worker.idle();
    expect(await status()).toBe('open');
    expect((await workflow.history(taskId)).at(-1)).toMatchObject({
      transitionId: 'send_back',
      trigger: 'agent_outcome:pr_ready',
    });
  });
});
