import { git, makeRepository } from '@attractor/repository/testing';
import type { ScriptInput } from '@attractor/simulator';
import { must, PERSON } from '@attractor/store/testing';
import { expect, it } from 'vitest';
import { openNativePlatform } from './test-support/native-platform.ts';
import { addTask } from './test-support/world.ts';

const reports = (outcome: string, payload: object) => ({
  toolCalls: [{ name: 'report_outcome', args: { outcome, payload } }],
});

const part = (name: string, ...dependsOn: ReadonlyArray<string>) => ({
  name,
  title: `Write ${name}.txt`,
  description: `One line in ${name}.txt.`,
  acceptanceCriteria: [`${name}.txt says ${name}`],
  pipelineId: 'chore',
  dependsOn,
});

/** What an agent does with a part: a claim about a criterion that is not there is refused, and fixed. */
const writes = (name: string) => ({
  name,
  match: { firstUser: `Title: Write ${name}.txt` },
  turns: [
    { toolCalls: [{ use: 'write' as const, path: `${name}.txt`, content: `${name}\n` }] },
    reports('pr_ready', { criteria: [{ criterion: 2, evidence: { check: 'lines' } }] }),
    reports('pr_ready', {
      criteria: [{ criterion: 1, evidence: [{ file: `${name}.txt`, line: 1, contains: name }, { check: 'lines' }] }],
    }),
    { text: 'Finished.' },
  ],
});

const SCRIPT: ScriptInput = {
  conversations: [
    writes('one'),
    writes('two'),
    {
      name: 'rest',
      match: { firstUser: 'The subtasks are settled' },
      turns: [reports('plan_complete', { plan: 'Nothing but to join them.' }), { text: 'Over to you.' }],
    },
    {
      name: 'split',
      turns: [
        reports('propose_split', { reason: 'Two files.', subtasks: [part('one', 'three'), part('two', 'one')] }),
        reports('propose_split', { reason: 'Two files.', subtasks: [part('one'), part('two', 'one')] }),
        { text: 'Over to you.' },
      ],
    },
  ],
};

it('our own loop proposes a split, hears what is wrong with it, works on the parts with evidence, and goes on when both are merged', async () => {
  const { platform, simulator } = await openNativePlatform(SCRIPT);
  const { workflow, worker } = platform;
  const path = await makeRepository({
    'readme.md': 'A sample.\n',
    '.attractor/config.json': JSON.stringify({ checks: { lines: { command: 'test -e one.txt' } } }),
  });
  const { task } = await addTask(platform, { path, title: 'Write two files' });
  must(await workflow.transition({ taskId: task.id, to: 'planning' }, PERSON));
  await worker.idle();

  const heard = () => simulator.requests().map((request) => JSON.stringify(request));
  expect(heard().some((request) => request.includes('depends on \\"three\\", which is not among the subtasks'))).toBe(
    true,
  );
  const [asked] = (await workflow.inbox()).items;
  expect(asked).toMatchObject({ state: { label: 'Waiting for you: split the task' } });
  must(await workflow.answerPrompt({ promptId: asked?.prompt?.id ?? '', answer: { decision: 'approve' } }, PERSON));

  for (const { id } of (await workflow.listTasks({ parentTaskId: task.id })).toReversed()) {
    must(await workflow.startAgent({ taskId: id, mode: 'implement', along: 'pipeline' }, PERSON));
    await worker.idle();
    expect(must(await workflow.criteria(id))).toMatchObject([{ number: 1, state: 'shown' }]);
    must(await workflow.approve({ taskId: id, merge: true }, PERSON));
  }
  await worker.idle();
  expect(heard().some((request) => request.includes('There is no criterion 2; the task has 1'))).toBe(true);
  expect(await git(path, 'ls-files')).toContain('two.txt');
  expect(await workflow.listPrompts({ taskId: task.id, status: 'pending' })).toMatchObject([
    { type: 'plan_approval', payload: { plan: 'Nothing but to join them.' } },
  ]);
  expect(simulator.failures()).toEqual([]);
});
