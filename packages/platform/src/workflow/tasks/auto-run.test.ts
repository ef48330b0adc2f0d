import { expect, it } from 'vitest';
import { makeRepository } from '@attractor/repository/testing';
import { must, PERSON } from '@attractor/store/testing';
import { addTask, openTestPlatform } from '../../test-support/world.ts';

it('autoRun starts its agent when a task is made in the status and when one comes into it, and not while it waits for others', async () => {
  const platform = await openTestPlatform({ concurrency: 0 });
  const { workflow } = platform;
  const { task: first, project } = await addTask(platform, { path: await makeRepository() });
  const runsOf = async (taskId: string) =>
    (await workflow.listRuns({ taskId, status: 'running' })).map(({ mode, key }) => [mode, key]);
  expect(await runsOf(first.id)).toEqual([]);
  must(
    await workflow.updateProject(
      project.id,
      { config: { autoRun: { open: 'investigate', planning: 'plan' } } },
      PERSON,
    ),
  );

  expect(
    await workflow.updateProject(project.id, { config: { autoRun: { plannning: 'plan' } } }, PERSON),
  ).toMatchObject({ ok: false, error: { message: expect.stringContaining('no pipeline has a status "plannning"') } });

  const made = must(await workflow.createTask({ projectId: project.id, title: 'At once' }, PERSON));
  expect(await runsOf(made.id)).toEqual([['investigate', `${made.key}.1`]]);
  const later = must(
    await workflow.createTask({ projectId: project.id, title: 'Later', dependsOn: [first.id] }, PERSON),
  );
  expect(await runsOf(later.id)).toEqual([]);
  must(await workflow.transition({ taskId: first.id, to: 'planning' }, PERSON));
  expect((await runsOf(first.id)).map(([mode]) => mode)).toEqual(['plan']);
});
