import type { Script } from '@attractor/adapters';
import type { Answer, CodingReply } from '@attractor/api';
import { expect, it } from 'vitest';
import { must, newRepository, openRealWorld } from './test-support/real-world.ts';
import { TOKEN } from './test-support/serve.ts';

const REQUEST = 'Add JWT authentication to the API';
const SHOWN = '1. Create auth/jwt.py';
const EDITED = '1. Create auth/jwt.py\n2. Skip the tests';

const ASK: Script = {
  when: { outcome: 'plan_complete' },
  steps: [
    {
      do: 'outcome',
      outcome: 'needs_info',
      payload: { questions: [{ id: 'library', question: 'Which library?', options: ['PyJWT', 'jose'] }] },
    },
  ],
};
const PLAN: Script = {
  when: { outcome: 'plan_complete', promptIncludes: 'PyJWT' },
  steps: [
    { do: 'output', text: SHOWN },
    { do: 'outcome', outcome: 'plan_complete' },
  ],
};
const WORK: Script = {
  when: { promptIncludes: EDITED },
  steps: [
    { do: 'createFile', path: 'auth.py', content: 'x\n' },
    { do: 'askHuman', toolName: 'shell', input: { command: 'git push origin main' } },
    { do: 'outcome', outcome: 'pr_ready' },
  ],
};

const refused = (answer: Answer<CodingReply>) => (answer.ok ? 'done' : [answer.error.code, answer.error.message]);

it('a request becomes a clarified intent, an approved plan and a change, by two calls that never wait for an agent', async () => {
  const { client, idle } = await openRealWorld([PLAN, ASK, WORK]);
  expect(refused(await client.coding.start({ request: REQUEST }))).toEqual([
    'invalid',
    expect.stringContaining('There is no project'),
  ]);
  must(await client.projects.create({ path: newRepository() }));
  const started = must(await client.coding.start({ request: REQUEST }));
  expect(started).toMatchObject({ status: 'running', checkpoint: null, plan: null, mode: 'coding', query: REQUEST });
  const id = started.session_id;
  const approve = client.coding.approve.bind(null, id);
  const session = async () => must(await client.coding.session(id));

  await idle();
  expect(await session()).toMatchObject({
    stage: 'awaiting_clarification',
    clarified_query: null,
    pending_action: { type: 'clarification', questions: [{ id: 'library', options: ['PyJWT', 'jose'] }] },
  });
  expect(refused(await approve({ approved_plan: SHOWN }))).toEqual([
    'conflict',
    expect.stringContaining('No plan waits'),
  ]);
  expect(must(await approve({ answers: { library: 'PyJWT' } }))).toMatchObject({ status: 'running' });

  await idle();
  const planned = await session();
  expect(planned).toMatchObject({
    stage: 'awaiting_plan_approval',
    clarified_query: `${REQUEST}\n\n- Which library? PyJWT`,
    plan: { text: SHOWN },
    pending_action: { type: 'plan_approval', text: SHOWN },
  });
  expect(refused(await approve({}))).toEqual(['invalid', expect.stringContaining('approved_plan')]);
  expect(refused(await approve({ content_hash: 'another' }))).toEqual(['conflict', expect.any(String)]);
  expect(must(await approve({ approved_plan: { text: EDITED } }))).toMatchObject({ plan: { text: EDITED } });

  await idle();
  const asked = await session();
  expect(asked).toMatchObject({
    stage: 'awaiting_tool_approval',
    pending_action: { type: 'run_command', command: 'git push origin main' },
  });
  expect(refused(await approve({ approved_plan: EDITED }))).toEqual(['conflict', expect.any(String)]);
  expect(refused(await approve({}))).toEqual(['invalid', expect.any(String)]);
  must(await approve({ decision: 'reject', message: 'Not yet' }));

  await idle();
  const review = await session();
  expect(review).toMatchObject({ stage: 'awaiting_tool_approval', pending_action: { type: 'review' } });
  must(await approve({ content_hash: review.pending_action?.content_hash ?? '' }));
  const { stage, pending_action: pending, created_at: created, updated_at: updated } = await session();
  expect([stage, pending, created < updated]).toEqual(['completed', null, true]);
  expect(refused(await approve({ content_hash: 'x' }))).toEqual([
    'conflict',
    'Nothing waits for an answer: the session is completed. See: attractor status --session ' + id,
  ]);
});

it('a start that can not begin leaves no task; a key of the caller’s makes it once; a plan can be left out', async () => {
  const { client, fetch, idle } = await openRealWorld([{ steps: [{ do: 'outcome', outcome: 'pr_ready' }] }]);
  const { key } = must(await client.projects.create({ path: newRepository() }));
  expect(refused(await client.coding.start({ request: 'x', pipeline: 'no such' }))).toEqual([
    'not_found',
    expect.stringContaining('no such'),
  ]);
  expect(refused(await client.coding.start({ request: 'x', pipeline: 'simple' }))).toEqual([
    'invalid',
    expect.stringContaining('no agent starts'),
  ]);
  expect(must(await client.tasks.list())).toEqual([]);
  const headers = { 'idempotency-key': 'once' };
  const body = JSON.stringify({ request: `${'long '.repeat(60)}\nand more`, project_id: key, skip_plan: true });
  const post = async (): Promise<CodingReply> => {
    const response = await fetch('/coding/start', { method: 'POST', body, headers: { ...HEADERS, ...headers } });
    return response.json() as Promise<CodingReply>;
  };
  const [first, again] = [await post(), await post()];
  expect(again).toEqual(first);
  expect(first.query).toBe(`${'long '.repeat(60)}\nand more`);
  await idle();
  expect(must(await client.runs.list()).map(({ mode }) => mode)).toEqual(['implement']);
});

const HEADERS = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
