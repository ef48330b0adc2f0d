import { makeRepository } from '@attractor/repository/testing';
import { must, PERSON } from '@attractor/store/testing';
import { expect, it } from 'vitest';
import { PLAN } from '../../test-support/scripts.ts';
import { addTask, openTestPlatform } from '../../test-support/world.ts';

it('answers count for what is asked now: an edited plan is asked about again, and what nobody answers expires', async () => {
  const supervise = { everyMs: 3_600_000, promptExpiryMs: 1 };
  const platform = await openTestPlatform({ scripts: [PLAN], supervise });
  const { workflow, worker } = platform;
  const { task } = await addTask(platform, { path: await makeRepository() });
  must(await workflow.transition({ taskId: task.id, to: 'planning' }, PERSON));
  await worker.idle();
  const asked = async () => (await workflow.listPrompts({ taskId: task.id, status: 'pending' }))[0];

  const shown = await asked();
  must(await workflow.updateTask({ taskId: task.id, edit: { plan: 'Something else' } }, PERSON));
  const now = await asked();
  expect(now).toMatchObject({ type: 'plan_approval', payload: { plan: 'Something else' } });
  const late = await workflow.answerPrompt({ promptId: shown?.id ?? '', answer: { decision: 'approve' } }, PERSON);
  expect(late).toMatchObject({ ok: false, error: { code: 'conflict' } });
  expect(late.ok ? '' : late.error.message).toContain(`What is asked now: attractor prompts get ${now?.key ?? ''}`);

  await expect.poll(async () => (must(await workflow.superviseOnce()), await asked())).toBeUndefined();
  const [state] = await workflow.taskStates([task.id]);
  expect(state?.state.label).toBe('Closed: Cancelled');
  expect((await workflow.history(task.id)).at(-1)?.reason).toContain('Nobody answered in time');
  must(await workflow.reopenTask({ taskId: task.id }, PERSON));
  expect(await asked()).toMatchObject({ type: 'plan_approval', payload: { plan: 'Something else' } });
});
