import { createScriptedAgent, type Script } from '@attractor/adapters';
import { describe, expect, it } from 'vitest';
import { makeRepository } from '@attractor/repository/testing';
import { must, PERSON } from '@attractor/store/testing';
import { openTestPlatform } from '../../test-support/world.ts';
import type { PromptAnswer } from '@attractor/store';

const WORK: Script['steps'] = [
  { do: 'createFile', path: 'work.md', content: 'done\n' },
  { do: 'outcome', outcome: 'pr_ready' },
];
const ASK: Script['steps'] = [
  { do: 'outcome', outcome: 'needs_info', payload: { questions: [{ id: 'colour', question: 'Which colour?' }] } },
];

/** A task in a status, with an agent that follows the scripts; `go` moves it and waits until nothing is at work. */
async function begin(pipelineId: string, scripts: ReadonlyArray<Script>) {
  const { workflow, worker } = await openTestPlatform({ agents: [createScriptedAgent(scripts)] });
  const path = await makeRepository({ 'readme.md': 'A sample.\n' });
  const { id: projectId } = must(await workflow.createProject({ path }, PERSON));
  const { id: taskId } = must(await workflow.createTask({ projectId, title: 'Paint it', pipelineId }, PERSON));
  const asked = async () => {
    const [prompt, ...more] = await workflow.listPrompts({ taskId, status: 'pending' });
    expect(more).toEqual([]);
    return prompt;
  };
  return {
    workflow,
    taskId,
    asked,
    status: async () => (await workflow.getTask(taskId))?.status,
    outcomes: async () => (await workflow.listRuns({ taskId })).map(({ outcome }) => outcome),
    go: async (to: string) => {
      must(await workflow.transition({ taskId, to }, PERSON));
      await worker.idle();
    },
    start: async () => {
      must(await workflow.startAgent({ taskId, mode: 'implement' }, PERSON));
      await worker.idle();
    },
    answer: async (answer: PromptAnswer) => {
      const prompt = await asked();
      const { id: promptId = '', contentHash = '' } = prompt ?? {};
      must(await workflow.answerPrompt({ promptId, contentHash, answer }, PERSON));
      await worker.idle();
    },
  };
}

const BLUE: PromptAnswer = { decision: 'answer', answers: [{ questionId: 'colour', answer: 'Blue, like the sky' }] };
const asks = (steps: Script['steps']): ReadonlyArray<Script> => [
  { when: { promptIncludes: 'Blue, like the sky' }, steps: WORK },
  { steps },
];

describe('a question', () => {
  it.each([
    ['chore', 'in_progress', 'needs_info', 'pr_review'],
    ['simple', 'open', 'open', 'open'],
  ])(
    'is asked in %s, whether or not the pipeline has a place for it; answered, the work goes on',
    async (pipelineId, where, waitsIn, endsIn) => {
      const { asked, answer, status, outcomes, go, start } = await begin(pipelineId, asks(ASK));
      await (pipelineId === 'simple' ? start() : go(where));
      expect(await status()).toBe(waitsIn);
      expect(await asked()).toMatchObject({
        type: 'question',
        payload: { questions: [{ question: 'Which colour?' }] },
      });
      await answer(BLUE);
      expect(await status()).toBe(endsIn);
      expect(await outcomes()).toEqual(['needs_info', 'pr_ready']);
    },
  );

  it.each(['chore', 'simple'])(
    'between ways is put before a person in %s; chosen, the work goes on',
    async (pipelineId) => {
      const options = ['Blue', 'Green'].map((label) => ({
        id: label,
        label: `${label}, like the sky`,
        description: '…',
      }));
      const propose: Script['steps'] = [
        { do: 'outcome', outcome: 'options_proposed', payload: { summary: 'Which colour?', options } },
      ];
      const { asked, answer, outcomes, go, start } = await begin(pipelineId, asks(propose));
      await (pipelineId === 'simple' ? start() : go('in_progress'));
      expect(await asked()).toMatchObject({ type: 'options', payload: { summary: 'Which colour?', options } });
      await answer({ decision: 'answer', answers: [{ questionId: 'option', answer: 'Blue, like the sky' }] });
      expect(await outcomes()).toEqual(['options_proposed', 'pr_ready']);
    },
  );

  it('without a usable payload is asked in the words of the agent, even beside finished commits', async () => {
    const { asked, go } = await begin('chore', [
      {
        steps: [
          { do: 'createFile', path: 'half.md', content: 'half\n' },
          { do: 'commit', message: 'Half of it' },
          {
            do: 'output',
            text: 'Shall it be blue or green?\n<<<OUTCOME:needs_info>>>\n{ not JSON }\n<<<END_PAYLOAD>>>',
          },
        ],
      },
    ]);
    await go('in_progress');
    const prompt = await asked();
    expect(prompt?.type).toBe('question');
    expect(JSON.stringify(prompt?.payload)).toContain('Shall it be blue or green?');
  });
});

describe('an outcome that has no place', () => {
  it('fails the run by its name instead of passing for finished work', async () => {
    const { go, status, workflow, taskId } = await begin('coding', [
      { steps: [...WORK.slice(0, 1), { do: 'output', text: '<<<OUTCOME:looks_good>>>\n<<<END_PAYLOAD>>>' }] },
    ]);
    await go('implementing');
    expect(await status()).toBe('failed');
    expect((await workflow.listRuns({ taskId }))[0]).toMatchObject({
      status: 'failed',
      outcome: null,
      error: expect.stringContaining('"looks_good" is not possible here'),
    });
  });

  it('is put before a person with the ways that lead on, each of which can be taken', async () => {
    const { start, asked, answer, status, outcomes, workflow, taskId } = await begin('simple', [{ steps: WORK }]);
    await start();
    expect(await asked()).toMatchObject({
      type: 'options',
      title: expect.stringContaining('pr_ready'),
      payload: { options: [{ id: 'again' }, { id: 'in_progress', label: 'Start' }, { id: 'cancelled' }] },
    });
    const blocked = (await workflow.events({ taskId })).find(({ type }) => type === 'status.blocked');
    expect(blocked).toMatchObject({ level: 'error' });
    await answer({ decision: 'answer', message: 'Once more' });
    expect(await outcomes()).toEqual(['pr_ready', 'pr_ready']);
    await answer({ decision: 'answer', answers: [{ questionId: 'option', answer: 'Start' }] });
    expect(await status()).toBe('in_progress');
    expect(await asked()).toBeUndefined();
  });
});

describe('work without a change', () => {
  const NOTHING: Script['steps'] = [
    { do: 'output', text: 'It is blue already.' },
    { do: 'outcome', outcome: 'pr_ready' },
  ];

  it('is not offered as ready: a person is told, and may have it done or close the task', async () => {
    const { go, asked, answer, status, outcomes } = await begin('coding', [
      { when: { promptIncludes: 'Paint the back too' }, steps: WORK },
      { steps: NOTHING },
    ]);
    await go('implementing');
    expect(await status()).toBe('implementing');
    expect(await asked()).toMatchObject({
      title: 'The agent changed nothing: Paint it',
      payload: {
        summary: expect.stringContaining('It is blue already.'),
        options: [{ id: 'again' }, { id: 'cancelled' }],
      },
    });
    await answer({ decision: 'answer', message: 'Paint the back too' });
    expect(await outcomes()).toEqual(['no_change', 'pr_ready']);
    expect(await status()).toBe('pr_review');
  });

  it('is told to the agent first, which may do it then', async () => {
    const { go, status, outcomes } = await begin('chore', [{ steps: NOTHING, replies: { 'repair:empty': WORK } }]);
    await go('in_progress');
    expect(await outcomes()).toEqual(['pr_ready']);
    expect(await status()).toBe('pr_review');
  });
});
