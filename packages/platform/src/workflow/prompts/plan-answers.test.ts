import { type Agent, createScriptedAgent, type Script } from '@attractor/adapters';
import { expect, it } from 'vitest';
import type { GivenAnswer } from '@attractor/store';
import { makeRepository } from '@attractor/repository/testing';
import { must, PERSON } from '@attractor/store/testing';
import { openTestPlatform, statusOf } from '../../test-support/world.ts';

const PLAN = {
  files_to_create: [{ path: 'auth/jwt.py', purpose: 'JWT token handling' }],
  files_to_modify: [{ path: 'api/routes.py', changes: 'Add auth middleware' }],
  commands: ['pip install pyjwt redis'],
  tests: [{ path: 'tests/test_auth.py', coverage: 'Token generation' }],
};

async function planned(payload: unknown) {
  const scripts: ReadonlyArray<Script> = [
    { when: { outcome: 'plan_complete' }, steps: [{ do: 'outcome', outcome: 'plan_complete', payload }] },
    {
      when: { outcome: 'pr_ready' },
      steps: [
        { do: 'createFile', path: 'auth/jwt.py', content: 'x\n' },
        { do: 'outcome', outcome: 'pr_ready' },
      ],
    },
  ];
  const scripted = createScriptedAgent(scripts);
  const seen: string[] = [];
  const agent: Agent = { ...scripted, run: (options) => (seen.push(options.prompt), scripted.run(options)) };
  const platform = await openTestPlatform({ agents: [agent] });
  const { workflow, worker } = platform;
  const path = await makeRepository({ 'api/routes.py': 'pass\n' });
  const { id: projectId } = must(await workflow.createProject({ path }, PERSON));
  const { id: taskId } = must(await workflow.createTask({ projectId, title: 'Add JWT', pipelineId: 'coding' }, PERSON));
  must(await workflow.transition({ taskId, to: 'planning' }, PERSON));
  await worker.idle();
  const [prompt] = await workflow.listPrompts({ taskId, status: 'pending' });
  if (prompt?.type !== 'plan_approval') throw new Error('no plan is asked about');
  const { id: promptId, contentHash } = prompt;
  return {
    prompt,
    seen,
    plan: async () => (await workflow.getTask(taskId))?.plan ?? '',
    status: () => statusOf(platform, taskId),
    answer: async (answer: GivenAnswer, hash = contentHash) => {
      const answered = await workflow.answerPrompt({ promptId, contentHash: hash, answer }, PERSON);
      await worker.idle();
      return answered.ok ? answered.value.answer : answered.error.message;
    },
  };
}

it('a plan that is data is asked about as data and as text, edited with its mistakes named, and approved in words', async () => {
  const { prompt, answer, plan, status, seen } = await planned({ plan: PLAN });
  expect(prompt.payload.data).toMatchObject(PLAN);
  expect(prompt.payload.plan).toContain('## Files to create\n\n- `auth/jwt.py`: JWT token handling');
  expect(await plan()).toBe(prompt.payload.plan);

  const approve = { decision: 'approve' } as const;
  expect(await answer({ ...approve, plan: { ...PLAN, tests: [{ path: '/tmp/x' }] } })).toContain('$.tests[0].path');
  expect(await answer({ ...approve, plan: '{"tests": 1}' })).toContain('$.tests: expected a list');
  expect(await answer({ ...approve, plan: '# Plan\n\n## Commands\nmake' })).toContain('line 4: expected an entry');
  expect(await answer({ ...approve, plan: ' ' })).toContain('The plan is empty');
  expect(await answer({ decision: 'answer', message: 'skip the tests' })).toContain('"approve, but …"');
  expect(await answer({ ...approve }, 'another')).toContain('The prompt has changed');
  expect(await status()).toBe('plan_review');

  const words = 'Approve, but skip the tests for now';
  const { tests: _tests, ...rest } = PLAN;
  expect(await answer({ decision: 'answer', message: words, plan: rest })).toMatchObject({
    decision: 'approve',
    message: words,
    plan: expect.stringContaining('# Plan'),
  });
  expect(await plan()).not.toContain('test_auth');
  expect(await status()).toBe('pr_review');
  expect(seen[1]).toContain(
    'approved the plan, and said what to do about it:\n```message\nApprove, but skip the tests',
  );
  expect(seen[1]).toContain('- `auth/jwt.py`: JWT token handling');
  expect(seen[1]).not.toContain('test_auth');
});

it('a plan in words can be edited into anything but an empty one; with fields beside others it is data too', async () => {
  const { prompt, answer, plan } = await planned({ plan: '## Files to modify\nthe routes, of course' });
  expect(prompt.payload.data).toBeNull();
  expect(await answer({ decision: 'approve', plan: '## Files to modify\nonly the routes' })).toMatchObject({});
  expect(await plan()).toBe('## Files to modify\nonly the routes');
  expect((await planned({ ...PLAN, confidence: 'high' })).prompt.payload.data).toMatchObject(PLAN);
});
