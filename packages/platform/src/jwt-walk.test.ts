import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promptText } from '@attractor/pipeline';
import { git, makeRepository } from '@attractor/repository/testing';
import type { ScriptInput } from '@attractor/simulator';
import type { GivenAnswer, PromptType } from '@attractor/store';
import { makeFolder, must, PERSON } from '@attractor/store/testing';
import { expect, it } from 'vitest';
import { openNativePlatform } from './test-support/native-platform.ts';
import { addTask, statusOf, until } from './test-support/world.ts';

const CLARIFIED = 'Add JWT authentication with PyJWT; tokens are stored in Redis.';
const PLAN = {
  summary: 'Requests need a token.',
  files_to_create: [{ path: 'auth/jwt.py', purpose: 'JWT token generation and validation' }],
  files_to_modify: [
    { path: 'api/routes.py', changes: 'Add authentication middleware' },
    { path: 'requirements.txt', changes: 'Add both libraries' },
  ],
  dependencies: ['pyjwt==2.8.0', 'redis==5.0.0'],
  tests: [{ path: 'tests/test_auth.py', coverage: 'Token generation and validation' }],
};

const reports = (outcome: string, payload: object = {}) => ({
  toolCalls: [{ name: 'report_outcome', args: { outcome, payload } }],
});
const runs = (command: string) => ({ toolCalls: [{ use: 'shell' as const, command }] });

const scriptIn = (home: string): ScriptInput => ({
  conversations: [
    {
      name: 'work',
      match: { tool: 'edit_file' },
      turns: [
        { toolCalls: [{ name: 'TodoRead', args: {} }] },
        {
          expect: { toolResult: '[ ] Create auth/jwt.py: JWT token generation and validation' },
          toolCalls: [{ use: 'write', path: 'auth/jwt.py', content: 'import jwt\n' }],
        },
        {
          toolCalls: [
            { use: 'edit', path: 'api/routes.py', old: 'pass', new: 'check_token()' },
            { use: 'edit', path: 'requirements.txt', old: 'flask', new: 'flask\npyjwt==2.8.0\nredis==5.0.0' },
          ],
        },
        runs(`cat ${home}/token`),
        { expect: { toolResult: 'no agent may touch it' }, ...runs('git add .') },
        runs("git commit -m 'Add JWT authentication'"),
        runs('git push origin main'),
        { expect: { toolResult: 'Not yet' }, ...reports('pr_ready') },
        { text: 'JWT authentication has been added. It was not pushed.' },
      ],
    },
    {
      name: 'plan',
      match: { firstUser: 'A person answered' },
      turns: [
        reports('plan_complete', { plan: { ...PLAN, tests: [{ path: '/tests/test_auth.py', coverage: '' }] } }),
        reports('plan_complete', { plan: PLAN, clarified_query: CLARIFIED }),
        { text: 'Over to you.' },
      ],
    },
    {
      name: 'clarify',
      turns: [
        reports('needs_info', {
          questions: [
            {
              id: 'library',
              question: 'Which library?',
              inputType: 'choice',
              options: ['PyJWT', 'Authlib'],
              suggested: 'PyJWT',
            },
            { id: 'storage', question: 'Where are tokens stored?', options: ['memory'], suggested: 'Redis' },
          ],
        }),
        { text: 'I wait for that.' },
      ],
    },
  ],
});

it('a request for JWT authentication is clarified, planned, approved in words and carried out, and goes on after the push is refused', async () => {
  const home = makeFolder();
  const { platform, simulator } = await openNativePlatform(scriptIn(home), home);
  const { workflow, worker } = platform;
  const path = await makeRepository({ 'api/routes.py': 'pass\n', 'requirements.txt': 'flask\n' });
  const { task } = await addTask(platform, { path, title: 'Add JWT authentication to the API' });
  const answered = new Set<string>();
  const asked = async (type: PromptType) => {
    const pending = () => workflow.listPrompts({ taskId: task.id, status: 'pending' });
    await until(platform, { taskId: task.id }, (events) =>
      events.some(
        (event) =>
          event.type === 'prompt.created' && event.data.prompt.type === type && !answered.has(event.data.prompt.id),
      ),
    );
    const prompt = (await pending()).find((one) => one.type === type);
    if (prompt === undefined) throw new Error(`no ${type} is asked`);
    return prompt;
  };
  const answer = async (type: PromptType, given: GivenAnswer) => {
    const { id, contentHash } = await asked(type);
    answered.add(id);
    must(await workflow.answerPrompt({ promptId: id, contentHash, answer: given }, PERSON));
  };
  const heard = (name: string) =>
    simulator.requests({ conversationName: name }).map((request) => JSON.stringify(request));

  must(await workflow.transition({ taskId: task.id, to: 'clarifying' }, PERSON));
  expect(promptText(await asked('question'))).toContain('one of: PyJWT (suggested) | Authlib');
  expect(promptText(await asked('question'))).toContain('for example: Redis (suggested) | memory');
  await answer('question', {
    decision: 'answer',
    answers: [
      { questionId: 'library', answer: 'PyJWT' },
      { questionId: 'storage', answer: 'Redis' },
    ],
  });

  const plan = await asked('plan_approval');
  expect(heard('plan').at(-1)).toContain('$.tests[0].path: expected the path of a file');
  expect(heard('plan')[0]).toContain('library (Which library?): PyJWT');
  expect(plan).toMatchObject({ payload: { data: PLAN, plan: expect.stringContaining('- `auth/jwt.py`: JWT token') } });
  expect(await workflow.events({ taskId: task.id, type: 'task.clarified' })).toMatchObject([
    { data: { clarified_query: CLARIFIED } },
  ]);
  await answer('plan_approval', { decision: 'answer', message: 'Approve, but skip tests for now' });

  await answer('tool_approval', { decision: 'approve' });
  await answer('tool_approval', { decision: 'approve' });
  expect(promptText(await asked('tool_approval'))).toContain('git push origin main');
  await answer('tool_approval', { decision: 'reject', message: 'Not yet' });
  await worker.idle();

  const [first = '', ...later] = heard('work');
  for (const told of [CLARIFIED, 'Approve, but skip tests for now', '## Files to create', '3. Create auth/jwt.py'])
    expect(first).toContain(told);
  expect(later.at(-1)).toContain('Not yet');
  expect(await statusOf(platform, task.id)).toBe('pr_review');
  const review = await asked('review');
  expect(review).toMatchObject({
    payload: {
      deviations: [
        { kind: 'file_not_touched', what: 'tests/test_auth.py' },
        { kind: 'command_not_planned', what: 'git push origin main', detail: 'was refused by a person' },
      ],
    },
  });
  const shown = promptText(review);
  for (const line of [
    '1. [x] Add pyjwt==2.8.0 (shown: pyjwt is in what was added)',
    '6. [ ] Test in tests/test_auth.py',
  ])
    expect(shown).toContain(line);
  const database = new DatabaseSync(join(home, 'attractor.db'), { readOnly: true });
  const body = String(database.prepare('select body from pull_requests').get()?.['body']);
  database.close();
  for (const line of [
    '## Done\n\n1. [x] Add pyjwt==2.8.0',
    '## Not done\n\n6. [ ] Test in tests/test_auth.py',
    '- git push origin main: not in the plan (was refused by a person)',
  ])
    expect(body).toContain(line);
  const work = (await workflow.listRuns({ taskId: task.id })).at(-1);
  expect(await git(path, 'log', '--format=%s', `main..${work?.branch ?? ''}`)).toBe('Add JWT authentication');
  expect(simulator.failures()).toEqual([]);
});
