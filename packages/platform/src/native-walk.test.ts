import type { ScriptInput } from '@attractor/simulator';
import { describe, expect, it } from 'vitest';
import type { LiveDelta, PlatformEvent } from '@attractor/store';
import { openNativePlatform } from './test-support/native-platform.ts';
import { addTask, statusOf, until } from './test-support/world.ts';
import { git, makeRepository } from '@attractor/repository/testing';
import { must, PERSON } from '@attractor/store/testing';

const SCRIPT: ScriptInput = {
  conversations: [
    {
      name: 'implement',
      match: { tool: 'edit_file' },
      turns: [
        { text: 'I read it.', toolCalls: [{ use: 'read', path: 'sum.sh' }] },
        { text: 'I change it.', toolCalls: [{ use: 'edit', path: 'sum.sh', old: '-', new: '+' }] },
        { toolCalls: [{ use: 'shell', command: 'sh check.sh' }] },
        { text: 'It adds.', toolCalls: [{ name: 'report_outcome', args: { outcome: 'pr_ready' } }] },
        { text: 'Finished.' },
      ],
    },
    {
      name: 'plan',
      turns: [
        {
          text: '1. Change the operator in sum.sh.',
          toolCalls: [{ name: 'report_outcome', args: { outcome: 'plan_complete' } }],
        },
        { text: 'Over to you.' },
      ],
    },
  ],
};

describe('a coding task with our own loop', () => {
  it('is planned, approved, implemented with one approved command, checked and handed over', async () => {
    const { platform, simulator } = await openNativePlatform(SCRIPT);
    const { workflow } = platform;
    const deltas: LiveDelta[] = [];
    workflow.onDelta((delta) => deltas.push(delta));
    const path = await makeRepository();
    const { task } = await addTask(platform, { path });
    const answer = async (type: string): Promise<void> => {
      await until(platform, { taskId: task.id }, (events) => events.some((event) => isPrompt(event, type)));
      const prompt = (await workflow.listPrompts({ taskId: task.id, status: 'pending' })).find(
        (candidate) => candidate.type === type,
      );
      must(
        await workflow.answerPrompt(
          { promptId: prompt?.id ?? '', contentHash: prompt?.contentHash ?? '', answer: { decision: 'approve' } },
          PERSON,
        ),
      );
    };

    must(await workflow.transition({ taskId: task.id, to: 'planning' }, PERSON));
    await answer('plan_approval');
    await answer('tool_approval');
    await platform.worker.idle();

    expect(await statusOf(platform, task.id)).toBe('pr_review');
    const [planning, work] = await workflow.listRuns({ taskId: task.id });
    expect((await workflow.getTask(task.id))?.plan).toBe('1. Change the operator in sum.sh.');
    expect(planning).toMatchObject({ status: 'completed', outcome: 'plan_complete', model: 'claude-sonnet-4-5' });
    expect(work).toMatchObject({ status: 'completed', outcome: 'pr_ready' });
    expect(work?.tokenUsage?.totalCost).toBeGreaterThan(0);
    expect(work?.checks.map(({ phase, passed }) => [phase, passed])).toEqual([
      ['base', false],
      ['branch', true],
    ]);
    expect(await git(path, 'show', `${work?.branch ?? ''}:sum.sh`)).toContain('+');
    expect(deltas.some(({ runId, delta }) => runId === work?.id && delta.kind === 'text_delta')).toBe(true);
    expect(simulator.failures()).toEqual([]);
  });
});

function isPrompt(event: PlatformEvent, wanted: string): boolean {
  return event.type === 'prompt.created' && event.data.prompt.type === wanted;
}
