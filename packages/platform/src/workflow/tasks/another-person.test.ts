import { makeRepository } from '@attractor/repository/testing';
import type { Actor } from '@attractor/store';
import { must, PERSON } from '@attractor/store/testing';
import { expect, it } from 'vitest';
import { addTask, openTestPlatform } from '../../test-support/world.ts';

const WORK = {
  steps: [
    { do: 'createFile', path: 'work.md', content: 'done\n' },
    { do: 'outcome', outcome: 'pr_ready' },
  ],
} as const;
const PLAN = {
  when: { outcome: 'plan_complete' },
  steps: [
    { do: 'output', text: 'A plan.' },
    { do: 'outcome', outcome: 'plan_complete' },
  ],
} as const;

it('who asked for the work can not approve it, by answering or by moving it, and is told who may; another can', async () => {
  const platform = await openTestPlatform({ scripts: [PLAN, WORK] });
  const { workflow, worker } = platform;
  const path = await makeRepository({ 'readme.md': 'A sample.\n' });
  const user = async (name: string, role: 'viewer' | 'operator' | 'admin'): Promise<Actor> => {
    const { id } = must(await workflow.addUser({ name, role }, PERSON));
    return { type: 'user', name, userId: id, via: 'web' };
  };
  const [ada, ben] = [await user('ada', 'admin'), await user('ben', 'operator')];
  await user('viktor', 'viewer');
  const { project } = await addTask(platform, { path, pipelineId: 'coding' });
  must(await workflow.updateProject(project.id, { config: { approver: 'another' } }, ada));
  const task = must(await workflow.createTask({ projectId: project.id, title: 'T', pipelineId: 'coding' }, ada));
  must(await workflow.transition({ taskId: task.id, to: 'planning' }, ada));
  await worker.idle();
  const waiting = async () => {
    const [prompt] = await workflow.listPrompts({ taskId: task.id, status: 'pending' });
    return prompt?.id ?? '';
  };
  const approve = async (actor: Actor) =>
    workflow.answerPrompt({ promptId: await waiting(), answer: { decision: 'approve' } }, actor);

  const refused = { ok: false, error: { code: 'forbidden', message: expect.stringContaining('ada asked for this') } };
  expect(await approve(ada)).toMatchObject(refused);
  expect(await approve(ada)).toMatchObject({ error: { message: expect.stringContaining('Who may: ben, the owner.') } });
  expect(await workflow.transition({ taskId: task.id, to: 'implementing' }, ada)).toMatchObject(refused);
  expect(await approve({ type: 'user', name: 'reply:mail' })).toMatchObject({ error: { code: 'forbidden' } });
  must(await approve(ben));
  await worker.idle();
  // Ben let the work begin by approving the plan: that is no request.
  expect(await approve(ada)).toMatchObject(refused);
  expect(await workflow.approve({ taskId: task.id }, ada)).toMatchObject(refused);
  expect(await workflow.transition({ taskId: task.id, to: 'done' }, ada)).toMatchObject(refused);
  expect(
    await workflow.answerPrompt({ promptId: await waiting(), answer: { decision: 'approve' } }, ben),
  ).toMatchObject({
    ok: true,
  });
  expect(await workflow.updateProject(project.id, { config: { approver: 'me' } as never }, ada)).toMatchObject({
    error: { message: expect.stringContaining('anyone or another') },
  });
});
