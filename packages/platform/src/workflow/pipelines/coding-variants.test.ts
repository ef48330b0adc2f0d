import { type Agent, createScriptedAgent, type Script, type ScriptStep } from '@attractor/adapters';
import { promptText } from '@attractor/pipeline';
import { expect, it } from 'vitest';
import { makeRepository } from '@attractor/repository/testing';
import type { GivenAnswer } from '@attractor/store';
import { must, PERSON } from '@attractor/store/testing';
import { addTask, openTestPlatform, statusOf } from '../../test-support/world.ts';

const PLAN = {
  files_to_create: [{ path: 'double.sh', purpose: 'twice a number' }],
  files_to_modify: [{ path: 'readme.md', changes: 'tell of it' }],
  tests: [{ path: 'double.test.sh', coverage: '2 becomes 4' }],
  order: ['Write double.sh', 'Ask whether it is understood'],
};
const PLANS: Script = {
  when: { outcome: 'plan_complete' },
  steps: [
    { do: 'outcome', outcome: 'plan_complete', payload: { plan: PLAN, clarified_query: 'Numbers are doubled.' } },
  ],
};
const CODE: ScriptStep = { do: 'createFile', path: 'double.sh', content: 'echo $(( $1 * 2 ))\n' };
const TEST: ScriptStep = { do: 'createFile', path: 'double.test.sh', content: 'test "$(sh double.sh 2)" = 4\n' };
const TOLD: ScriptStep = { do: 'modifyFile', path: 'readme.md', find: 'sample', replace: 'doubling sample' };
const READY: ScriptStep = { do: 'outcome', outcome: 'pr_ready' };

const works = (promptIncludes: string, ...steps: ReadonlyArray<ScriptStep>): Script => ({
  when: { outcome: 'pr_ready', promptIncludes },
  steps: [...steps, READY],
});

async function begin(
  pipelineId: string,
  scripts: ReadonlyArray<Script>,
  check = 'for f in *.test.sh; do test ! -e "$f" || sh "$f" || exit 1; done',
) {
  const scripted = createScriptedAgent([PLANS, ...scripts]);
  const seen: string[] = [];
  const agent: Agent = { ...scripted, run: (options) => (seen.push(options.prompt), scripted.run(options)) };
  const platform = await openTestPlatform({ agents: [agent] });
  const { workflow, worker } = platform;
  const path = await makeRepository({
    'readme.md': 'A sample.\n',
    '.attractor/config.json': JSON.stringify(check === '' ? {} : { checks: { test: { command: check } } }),
  });
  const { task } = await addTask(platform, { path, title: 'Double it', pipelineId });
  must(await workflow.transition({ taskId: task.id, to: 'clarifying' }, PERSON));
  await worker.idle();
  const asked = async () => (await workflow.listPrompts({ taskId: task.id, status: 'pending' }))[0];
  return {
    seen,
    workflow,
    taskId: task.id,
    asked,
    text: async () => {
      const prompt = await asked();
      return prompt === undefined ? '' : promptText(prompt);
    },
    status: () => statusOf(platform, task.id),
    answer: async (answer: GivenAnswer = { decision: 'approve' }) => {
      must(await workflow.answerPrompt({ promptId: (await asked())?.id ?? '', answer }, PERSON));
      await worker.idle();
    },
  };
}

it('in stages: new files, changed files and commits each have a run and a review; what is not as planned is shown in each', async () => {
  const { seen, asked, text, answer, status, workflow, taskId } = await begin('coding-stages', [
    works('This run is the first part', CODE, TEST, { do: 'createFile', path: 'extra.sh', content: 'true\n' }),
    {
      when: { outcome: 'pr_ready', promptIncludes: 'This run is the second part' },
      steps: [
        TOLD,
        { do: 'outcome', outcome: 'pr_ready', payload: { todo: [{ item: 2, evidence: { check: 'test' } }] } },
      ],
    },
    works('This run is the last part'),
  ]);
  expect(await status()).toBe('plan_review');
  await answer();
  expect(await status()).toBe('create_review');
  expect(seen[1]).toContain('What is wanted, as it was clarified:\n```clarified\nNumbers are doubled.');
  expect(seen[1]).toContain('1. Write double.sh\n2. Ask whether it is understood\n3. Change readme.md: tell of it');
  expect(await asked()).toMatchObject({
    payload: {
      part: true,
      todo: [
        { number: 1, state: 'shown', detail: 'double.sh was added' },
        { number: 2, state: 'open', detail: null },
        { number: 3, state: 'open', detail: 'for a later stage' },
        { number: 4, state: 'open', detail: 'for a later stage' },
      ],
      deviations: [{ kind: 'file_not_planned', what: 'extra.sh' }],
    },
  });
  expect(await workflow.approve({ taskId, merge: true }, PERSON)).toMatchObject({
    ok: false,
    error: { code: 'blocked' },
  });
  await answer();
  expect(await status()).toBe('modify_review');
  expect(await text()).toContain('Plan 2. [x] Ask whether it is understood (shown: check test passes on');
  expect(await text()).toContain('Not as planned: extra.sh: changed, and not in the plan');
  await answer();
  expect(await status()).toBe('pr_review');
  await answer();
  expect(await status()).toBe('done');
  const runs = await workflow.listRuns({ taskId });
  expect(runs.map(({ mode, outcome }) => `${mode} ${outcome}`)).toEqual([
    'clarify plan_complete',
    'implement pr_ready',
    'implement pr_ready',
    'implement pr_ready',
  ]);
  expect((await workflow.listArtifacts(taskId)).filter(({ type }) => type === 'pull_request')).toHaveLength(1);
});

it('a stage changes only what is its own: what goes beyond is put back in one turn, or fails the run', async () => {
  const BEYOND: ScriptStep = { do: 'modifyFile', path: 'readme.md', find: 'sample', replace: 'simple' };
  const BACK: ScriptStep = { do: 'modifyFile', path: 'readme.md', find: 'simple', replace: 'sample' };
  const stages = await begin('coding-stages', [
    {
      when: { outcome: 'pr_ready', promptIncludes: 'This run is the first part' },
      steps: [CODE, BEYOND, READY],
      replies: { 'repair:stage': [BACK, READY] },
    },
    works('This run is the second part', TOLD, { do: 'createFile', path: 'late.sh', content: 'true\n' }),
  ]);
  await stages.answer();
  expect(await stages.status()).toBe('create_review');
  expect(await stages.asked()).toMatchObject({ payload: { deviations: [] } });
  await stages.answer();
  expect(await stages.status()).toBe('failed');
  const last = (await stages.workflow.listRuns({ taskId: stages.taskId })).at(-1);
  expect(last?.error).toContain('in this stage only files are changed that are there, and late.sh is new');
  const tests = await begin('coding-tdd', [works('This run writes the tests', TEST, CODE)]);
  await tests.answer();
  const [, written] = await tests.workflow.listRuns({ taskId: tests.taskId });
  expect(written?.error).toContain('only tests are written, and double.sh is none by its name or by the plan');
});

it('tests first: they have to fail before the work and to pass after it, and the server runs them', async () => {
  const PASSES: ScriptStep = { do: 'createFile', path: 'double.test.sh', content: 'true\n' };
  const { asked, text, answer, status, workflow, taskId } = await begin('coding-tdd', [
    {
      when: { outcome: 'pr_ready', promptIncludes: 'This run writes the tests' },
      steps: [PASSES, READY],
      replies: {
        'repair:checks': [
          { do: 'modifyFile', path: 'double.test.sh', find: 'true', replace: 'test "$(sh double.sh 2)" = 4' },
          READY,
        ],
      },
    },
    works('', CODE, TOLD),
  ]);
  await answer();
  expect(await status()).toBe('tests_review');
  expect(await text()).toContain('Check test fails, as it has to before the work');
  expect(await asked()).toMatchObject({ payload: { part: true, deviations: [] } });
  await answer();
  expect(await status()).toBe('pr_review');
  expect(await text()).toContain('Check test passes');
  const [, tests, work] = await workflow.listRuns({ taskId });
  expect(tests?.checks.at(-1)).toMatchObject({ passed: false, expected: true });
  expect(work?.checks.at(-1)).toMatchObject({ passed: true });
});

it('tests first: tests that pass without the work, or a project without tests, fail the run with what would help', async () => {
  const passing = { do: 'createFile', path: 'double.test.sh', content: 'true\n' } as const;
  const green = await begin('coding-tdd', [{ ...works('', passing), replies: { 'repair:checks': [READY] } }]);
  await green.answer();
  expect(await green.status()).toBe('failed');
  const [, run] = await green.workflow.listRuns({ taskId: green.taskId });
  expect(run?.error).toContain('The tests pass although nothing of the work is done');
  const moves = await green.workflow.validTransitions(green.taskId);
  expect(moves.find(({ transition }) => transition.id === 'retry_implementing')).toMatchObject({ allowed: false });
  expect(moves.find(({ transition }) => transition.id === 'retry_writing_tests')).toMatchObject({ allowed: true });
  const none = await begin('coding-tdd', [works('', TEST)], '');
  await none.answer();
  const [, last] = await none.workflow.listRuns({ taskId: none.taskId });
  expect(last?.error).toContain('give it a check named "test"');
});

it('without approvals a task is planned and done by itself, and stays unmerged', async () => {
  const { status, workflow, taskId } = await begin('coding-auto', [works('What is to be done', CODE, TEST, TOLD)]);
  expect(await status()).toBe('done');
  expect(await workflow.listPrompts({ taskId })).toEqual([]);
  const events = await workflow.events({ taskId, type: 'plan.judged' });
  expect(events.at(-1)?.summary).toBe('The plan: 3 of 4 done, nothing else');
});
