import { once } from 'node:events';
import { createScriptedAgent, type Script } from '@attractor/adapters';
import { BUILT_IN_PIPELINES } from '@attractor/pipeline';
import { ENV, git, makeRepository } from '@attractor/repository/testing';
import { openStore, type PipelineDefinition, type PromptAnswer, type Store } from '@attractor/store';
import { makeFolder, must, PERSON } from '@attractor/store/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openPlatformOn } from '../../platform.ts';
import { unconfined } from '@attractor/run';
import { mortal, newLife } from '../../test-support/mortal-store.ts';
import { addTask, openTestPlatform } from '../../test-support/world.ts';

const PARTS = [
  { name: 'parser', title: 'Write the parser', description: 'Of the words.', acceptanceCriteria: ['It parses'] },
  { name: 'printer', title: 'Write the printer', description: 'Of the same words.', dependsOn: ['parser'] },
  { name: 'docs', title: 'Describe both', description: 'For people.', pipelineId: 'simple' },
];

const SPLIT: Script = {
  when: { promptIncludes: 'Title: Make a language' },
  steps: [{ do: 'outcome', outcome: 'propose_split', payload: { reason: 'It is three things.', subtasks: PARTS } }],
};
const wrote = (title: string, path: string): Script => ({
  when: { promptIncludes: `Title: ${title}`, outcome: 'pr_ready' },
  steps: [
    { do: 'createFile', path, content: 'done\n' },
    { do: 'outcome', outcome: 'pr_ready' },
  ],
});
const REST: Script = {
  when: { promptIncludes: 'The subtasks are settled' },
  steps: [
    { do: 'output', text: 'What is left: join them.' },
    { do: 'outcome', outcome: 'plan_complete', payload: { plan: 'Join them.' } },
  ],
};
const ANEW: Script = { ...SPLIT, when: { promptIncludes: 'Leave the docs out' } };
const WHOLE: Script = {
  when: { promptIncludes: 'do it in one piece' },
  steps: [{ do: 'outcome', outcome: 'plan_complete', payload: { plan: 'All at once.' } }],
};

async function begin() {
  const path = await makeRepository({ 'readme.md': 'A sample.\n' });
  const platform = await openTestPlatform({
    scripts: [
      REST,
      WHOLE,
      ANEW,
      wrote('Write the parser', 'parser.md'),
      wrote('Write the printer', 'printer.md'),
      SPLIT,
    ],
  });
  const { workflow, worker } = platform;
  const { task, project } = await addTask(platform, { path, title: 'Make a language' });
  must(await workflow.transition({ taskId: task.id, to: 'planning' }, PERSON));
  await worker.idle();
  const asked = async () => {
    const [prompt, ...more] = await workflow.listPrompts({ taskId: task.id, status: 'pending' });
    expect(more).toEqual([]);
    return prompt;
  };
  const answer = async (given: PromptAnswer) => {
    const prompt = await asked();
    return workflow.answerPrompt(
      { promptId: prompt?.id ?? '', contentHash: prompt?.contentHash ?? '', answer: given },
      PERSON,
    );
  };
  const state = async (id: string = task.id) => (await workflow.taskStates([id]))[0]?.state;
  const parts = async () => (await workflow.listTasks({ parentTaskId: task.id })).toReversed();
  return { platform, workflow, worker, task, project, path, asked, answer, state, parts };
}

describe('a split that an agent proposes', () => {
  it('is shown in full, becomes tasks that wait for each other, and the agent goes on when all are merged or done', async () => {
    const { workflow, worker, task, path, asked, answer, state, parts } = await begin();
    expect(await asked()).toMatchObject({ type: 'split_proposal', payload: { subtasks: PARTS } });
    const [item] = (await workflow.inbox()).items;
    expect(item?.state.label).toBe('Waiting for you: split the task');
    for (const words of [
      'It is three things.',
      '[printer] Write the printer',
      'after: parser',
      '- [ ] It parses',
      'pipeline: simple',
    ])
      expect(item?.text).toContain(words);

    must(await answer({ decision: 'approve' }));
    expect(await answer({ decision: 'approve' })).toMatchObject({ ok: false });
    const [parser, printer, docs] = await parts();
    if (parser === undefined || printer === undefined || docs === undefined) throw new Error('Not three subtasks');
    expect([parser.title, parser.acceptanceCriteria, printer.title, docs.pipelineId]).toEqual([
      'Write the parser',
      [{ text: 'It parses', met: false }],
      'Write the printer',
      'simple',
    ]);
    expect((await workflow.dependencies(printer.id)).dependsOn.map(({ id }) => id)).toEqual([parser.id]);
    const waiting = await state();
    expect(waiting).toMatchObject({ kind: 'subtasks', needsPerson: true });
    expect(waiting?.label).toBe('Waiting for subtasks: 3 left: Write the parser, Write the printer, Describe both');
    expect(waiting?.steps.map(({ label }) => label)).toEqual([
      'Start "Write the parser"',
      'Start "Describe both"',
      'Go on without waiting',
      'Start over',
      'Close',
    ]);
    expect((await workflow.inbox()).items.map((one) => one.task.id)).toEqual([task.id]);

    for (const { id } of [parser, printer]) {
      must(await workflow.transition({ taskId: id, to: 'implementing' }, PERSON));
      await worker.idle();
      must(await workflow.approve({ taskId: id, merge: false }, PERSON));
      expect(await state()).toMatchObject({
        steps: expect.arrayContaining([expect.objectContaining({ id: `merge:${id}` })]),
      });
      must(await workflow.mergePullRequest({ taskId: id }, PERSON));
    }
    expect(await state()).toMatchObject({ label: 'Waiting for subtasks: 1 left: Describe both' });
    must(await workflow.transition({ taskId: docs.id, to: 'in_progress' }, PERSON));
    expect(await state()).toMatchObject({ kind: 'subtasks', needsPerson: false });
    must(await workflow.transition({ taskId: docs.id, to: 'done' }, PERSON));
    await worker.idle();
    expect(await git(path, 'ls-files')).toContain('printer.md');
    expect((await workflow.listRuns({ taskId: task.id })).map(({ outcome }) => outcome)).toEqual([
      'propose_split',
      'plan_complete',
    ]);
    expect(await asked()).toMatchObject({ type: 'plan_approval', payload: { plan: 'Join them.' } });
  });

  it('is approved in part or as edited, sent back with words, or refused; an answer that does not fit changes nothing', async () => {
    const { answer, worker, asked, parts, workflow, task } = await begin();
    const says = async (given: PromptAnswer, words: string) =>
      expect(await answer(given)).toMatchObject({ ok: false, error: { message: expect.stringContaining(words) } });
    await says({ decision: 'changes' }, 'Say what should be different');
    await says({ decision: 'approve', only: ['lexer'] }, 'no subtask "lexer"; proposed are parser, printer, docs');
    await says({ decision: 'approve', only: ['printer'] }, 'depends on "parser"');
    await says({ decision: 'approve', subtasks: [{ name: 'a', title: 'A', dependsOn: ['b'] }] }, 'depends on "b"');
    await says(
      { decision: 'approve', subtasks: [{ name: 'a', title: 'A', pipelineId: 'none' }] },
      'no pipeline "none"',
    );
    await says({ decision: 'approve', subtasks: [{ name: 'a', title: 'A', agentType: 'none' }] }, 'no agent "none"');
    expect(await parts()).toEqual([]);

    must(await answer({ decision: 'changes', message: 'Leave the docs out' }));
    await worker.idle();
    expect(await asked()).toMatchObject({ type: 'split_proposal' });
    must(await answer({ decision: 'approve', only: ['parser', 'printer'] }));
    expect((await parts()).map(({ title }) => title)).toEqual(['Write the parser', 'Write the printer']);
    const events = (await workflow.events({ taskId: task.id })).map(({ type }) => type);
    for (const type of ['split.proposed', 'split.rejected', 'changes.requested', 'split.approved'])
      expect(events).toContain(type);

    const other = await begin();
    must(await other.answer({ decision: 'reject' }));
    await other.worker.idle();
    expect(await other.asked()).toMatchObject({ type: 'plan_approval', payload: { plan: 'All at once.' } });
    expect(await other.parts()).toEqual([]);
  });

  it('asks a person how to go on when a subtask was closed or deleted', async () => {
    const { answer, parts, workflow, worker, asked, state, task } = await begin();
    must(
      await answer({
        decision: 'approve',
        subtasks: [
          { name: 'a', title: 'A' },
          { name: 'b', title: 'B' },
        ],
      }),
    );
    const [a, b] = await parts();
    must(await workflow.deleteTask({ taskId: a?.id ?? '' }, PERSON));
    expect(await state()).toMatchObject({ label: 'Waiting for subtasks: 1 left: B' });
    must(await workflow.transition({ taskId: b?.id ?? '', to: 'cancelled' }, PERSON));
    expect(await asked()).toMatchObject({
      type: 'options',
      payload: {
        summary: expect.stringContaining('"A" was deleted, "B" was closed without being merged'),
        options: [{ id: 'again' }, { id: 'cancelled' }],
      },
    });
    must(await answer({ decision: 'answer', answers: [{ questionId: 'option', answer: 'again' }] }));
    await worker.idle();
    expect((await workflow.listRuns({ taskId: task.id })).map(({ outcome }) => outcome)).toEqual([
      'propose_split',
      'plan_complete',
    ]);
  });
});

/** People write such pipelines: the split has statuses of its own, and a transition for its end. */
const OWN: PipelineDefinition = {
  id: 'own',
  version: 1,
  name: 'Own',
  isDefault: false,
  initialStatus: 'open',
  terminalStatuses: ['done', 'cancelled'],
  statuses: [
    { id: 'open', label: 'Open', color: 'gray', category: 'backlog', position: 0 },
    { id: 'working', label: 'Working', color: 'blue', category: 'active', position: 1 },
    { id: 'split_review', label: 'Split?', color: 'amber', category: 'waiting', position: 2 },
    { id: 'split', label: 'Split', color: 'amber', category: 'waiting', position: 3 },
    { id: 'joining', label: 'Joining', color: 'blue', category: 'active', position: 4 },
    { id: 'done', label: 'Done', color: 'green', category: 'done', position: 5 },
    { id: 'cancelled', label: 'Cancelled', color: 'gray', category: 'done', position: 6 },
  ],
  transitions: [
    {
      id: 'start',
      from: 'open',
      to: 'working',
      label: 'Start',
      trigger: { type: 'manual' },
      hooks: [{ type: 'start_agent', params: { mode: 'plan' } }],
    },
    {
      id: 'propose',
      from: 'working',
      to: 'split_review',
      label: 'Proposes',
      trigger: { type: 'agent_outcome', outcome: 'propose_split' },
      hooks: [
        {
          type: 'create_prompt',
          params: { type: 'split_proposal', answers: { approve: 'split', changes: 'working' } },
        },
      ],
    },
    {
      id: 'split',
      from: 'split_review',
      to: 'split',
      label: 'Split',
      trigger: { type: 'manual' },
      guards: [{ type: 'split_approved' }],
    },
    { id: 'again', from: 'split_review', to: 'working', label: 'Again', trigger: { type: 'manual' } },
    { id: 'join', from: 'split', to: 'joining', label: 'Join', trigger: { type: 'subtasks_settled' } },
    {
      id: 'finish',
      from: 'joining',
      to: 'done',
      label: 'Finish',
      trigger: { type: 'manual' },
      guards: [{ type: 'subtasks_settled' }],
    },
    { id: 'cancel', from: '*', to: 'cancelled', label: 'Cancel', trigger: { type: 'manual' } },
  ],
};

describe('a split in a pipeline that has a place for it', () => {
  it('follows its transitions, from the proposal to the end of the last subtask', async () => {
    const platform = await openTestPlatform({ scripts: [SPLIT] });
    const { workflow, worker } = platform;
    must(await workflow.savePipeline(OWN, PERSON));
    const { task } = await addTask(platform, {
      path: await makeRepository(),
      title: 'Make a language',
      pipelineId: 'own',
    });
    const status = async () => (await workflow.getTask(task.id))?.status;
    must(await workflow.transition({ taskId: task.id, to: 'working' }, PERSON));
    await worker.idle();
    expect(await status()).toBe('split_review');
    const [prompt] = await workflow.listPrompts({ taskId: task.id, status: 'pending' });
    const answer: PromptAnswer = { decision: 'approve', only: ['docs'] };
    must(await workflow.answerPrompt({ promptId: prompt?.id ?? '', answer }, PERSON));
    expect(await status()).toBe('split');
    const [docs] = await workflow.listTasks({ parentTaskId: task.id });
    const one = { taskId: docs?.id ?? '' };
    must(await workflow.transition({ ...one, to: 'in_progress' }, PERSON));
    must(await workflow.transition({ ...one, to: 'done' }, PERSON));
    expect(await status()).toBe('joining');
    const more = must(
      await workflow.createTask({ projectId: task.projectId, title: 'Late', parentTaskId: task.id }, PERSON),
    );
    expect(await workflow.transition({ taskId: task.id, to: 'done' }, PERSON)).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining(`"Late" (${more.key})`) },
    });
  });
});

describe('a split by a person', () => {
  it.each(BUILT_IN_PIPELINES.map(({ id }) => id))(
    'in %s leaves the task with a next step at every moment, whatever becomes of the parts',
    async (pipelineId) => {
      const platform = await openTestPlatform({ concurrency: 0 });
      const { workflow } = platform;
      const { task } = await addTask(platform, { path: await makeRepository(), pipelineId });
      const state = async () => (await workflow.taskStates([task.id]))[0]?.state;
      const split = (...names: ReadonlyArray<string>) =>
        workflow.splitTask({ taskId: task.id, subtasks: names.map((name) => ({ name, title: name })) }, PERSON);
      const made = must(await split('a', 'b'));
      expect(await state()).toMatchObject({ kind: 'subtasks', needsPerson: true });
      expect((await workflow.inbox()).items.map((item) => item.task.id)).toEqual([task.id]);
      expect(await split('c')).toMatchObject({ ok: false, error: { code: 'conflict' } });
      const [a, b] = made.subtasks.map(({ taskId }) => taskId);
      expect(
        await workflow.splitTask({ taskId: a ?? '', subtasks: [{ name: 'x', title: 'x' }] }, PERSON),
      ).toMatchObject({
        ok: false,
        error: { message: expect.stringContaining('subtasks have no subtasks') },
      });
      for (const taskId of [a ?? '', b ?? '']) {
        const { steps = [] } = (await state()) ?? {};
        expect(steps.length).toBeGreaterThan(0);
        must(await workflow.transition({ taskId, to: 'cancelled' }, PERSON));
      }
      const settled = await state();
      expect(settled).toMatchObject({ kind: 'waiting', needsPerson: true });
      expect(settled?.steps.length).toBeGreaterThan(0);
      const { steps = [] } = settled ?? {};
      const [prompt] = await workflow.listPrompts({ taskId: task.id, status: 'pending' });
      expect(steps.some(({ command }) => command.includes(prompt?.key ?? 'none'))).toBe(true);

      must(await workflow.reopenTask({ taskId: a ?? '' }, PERSON));
      expect(await state()).toMatchObject({ kind: 'waiting' });
    },
  );

  it('starts parts that wait for none, where the project starts new tasks by itself', async () => {
    const platform = await openTestPlatform({ concurrency: 0 });
    const { workflow } = platform;
    const { task } = await addTask(platform, { path: await makeRepository(), pipelineId: 'simple' });
    const config = { autoRun: { open: 'implement' } } as const;
    must(await workflow.updateProject(task.projectId, { config }, PERSON));
    const made = must(await workflow.splitTask({ taskId: task.id, subtasks: PARTS.slice(0, 2) }, PERSON));
    const runs = [];
    for (const { taskId } of made.subtasks) runs.push((await workflow.listRuns({ taskId })).length);
    expect(runs).toEqual([1, 0]);
    expect((await workflow.taskStates([task.id]))[0]?.state).toMatchObject({ kind: 'subtasks', needsPerson: false });
    const [first = '', second = ''] = made.subtasks.map(({ taskId }) => taskId);
    const [run] = await workflow.listRuns({ taskId: first });
    must(await workflow.stopAgent(run?.id ?? '', PERSON));
    must(await workflow.transition({ taskId: first, to: 'cancelled' }, PERSON));
    expect(await workflow.listRuns({ taskId: second })).toMatchObject([{ mode: 'implement', status: 'running' }]);
  });

  it('waits until no agent works and no other question is open; the supervisor knows what it waits for', async () => {
    const platform = await openTestPlatform({ concurrency: 0, supervise: { idleMs: -1 } });
    const { workflow } = platform;
    const { task } = await addTask(platform, { path: await makeRepository() });
    must(await workflow.transition({ taskId: task.id, to: 'implementing' }, PERSON));
    const split = () => workflow.splitTask({ taskId: task.id, subtasks: [{ name: 'a', title: 'A' }] }, PERSON);
    expect(await split()).toMatchObject({ ok: false, error: { code: 'blocked' } });
    const [run] = await workflow.listRuns({ taskId: task.id });
    must(await workflow.stopAgent(run?.id ?? '', PERSON));
    must(await split());
    const { steps = [] } = (await workflow.taskStates([task.id]))[0]?.state ?? {};
    expect(steps.map(({ label }) => label)).toContain('Start "A"');
    const found = async () => must(await workflow.superviseOnce()).findings.map(({ check }) => check);
    const other = must(await workflow.createTask({ projectId: task.projectId, title: 'Idle' }, PERSON));
    must(await workflow.transition({ taskId: other.id, to: 'implementing' }, PERSON));
    const [left] = await workflow.listRuns({ taskId: other.id });
    must(await workflow.stopAgent(left?.id ?? '', PERSON));
    expect(await found()).toEqual(['idle-tasks']);
    const [part] = await workflow.listTasks({ parentTaskId: task.id });
    must(await workflow.deleteTask({ taskId: part?.id ?? '' }, PERSON));
    expect(await found()).toEqual(['settled-splits']);
    expect(await workflow.listPrompts({ taskId: task.id, status: 'pending' })).toMatchObject([
      { type: 'options', payload: { summary: expect.stringContaining('"A" was deleted') } },
    ]);
    expect(await found()).toEqual([]);
    must(await workflow.reopenTask({ taskId: task.id, to: 'open' }, PERSON));
    must(await split());
    must(await workflow.reopenTask({ taskId: task.id, to: 'implementing' }, PERSON));
    expect(await workflow.openSplit(task.id)).toBeNull();
    must(await workflow.reopenTask({ taskId: task.id, to: 'open' }, PERSON));
    must(await split());
    must(await workflow.transition({ taskId: task.id, to: 'cancelled' }, PERSON));
    expect(await workflow.openSplit(task.id)).toBeNull();
  });
});

describe('a split whose approval is cut off by death', () => {
  it.each([
    ['before', 0],
    ['after', 2],
  ] as const)('%s its commit leaves %i subtasks; asked again, they are made once', async (when, left) => {
    const home = makeFolder();
    const open = async (store: Store) =>
      must(
        await openPlatformOn(store, {
          home,
          agents: [createScriptedAgent([SPLIT])],
          env: ENV,
          confine: unconfined,
          concurrency: 1,
        }),
      );
    const life = newLife();
    const records = must(await openStore({ home }));
    const dying = await open(mortal(records, life));
    const { task } = await addTask(dying, { path: await makeRepository(), title: 'Make a language' });
    must(await dying.workflow.transition({ taskId: task.id, to: 'planning' }, PERSON));
    await dying.worker.idle();
    const [prompt] = await dying.workflow.listPrompts({ taskId: task.id, status: 'pending' });
    const command = {
      promptId: prompt?.id ?? '',
      answer: { decision: 'approve', only: ['parser', 'printer'] },
    } as const;
    await dying.worker.close();
    Object.assign(life, { fuse: 0, when });
    void dying.workflow.answerPrompt(command, PERSON);
    await once(life.died.signal, 'abort');

    const next = await open(must(await openStore({ home })));
    onTestFinished(async () => {
      await next.close();
      await records.close();
    });
    const parts = async () => (await next.workflow.listTasks({ parentTaskId: task.id })).length;
    expect(await parts()).toBe(left);
    expect(await next.workflow.answerPrompt(command, PERSON)).toMatchObject({ ok: left === 0 });
    expect(await parts()).toBe(2);
    expect(await next.workflow.openSplit(task.id)).toMatchObject({
      subtasks: [{ name: 'parser' }, { name: 'printer' }],
    });
  });
});
