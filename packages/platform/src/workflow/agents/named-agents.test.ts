import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { BUILT_IN_PIPELINES } from '@attractor/pipeline';
import { makeRepository } from '@attractor/repository/testing';
import { examineTrust, trustRepository } from '@attractor/settings';
import { makeFolder, must, PERSON } from '@attractor/store/testing';
import { addTask, openTestPlatform } from '../../test-support/world.ts';

it('an agent that does not exist is refused wherever one can be named, with the known ones and the nearest', async () => {
  const home = makeFolder();
  writeFileSync(join(home, 'config.json'), JSON.stringify({ agents: { aider: { type: 'cli', command: ['sh'] } } }));
  const platform = await openTestPlatform({ home, concurrency: 0 });
  const { workflow } = platform;
  const { task, project } = await addTask(platform, { path: await makeRepository() });
  const before = await workflow.events({ limit: 1000 });
  const overrides = { agentType: 'aidr' };
  const [taskId, projectId] = [task.id, project.id];
  const subtasks = [{ name: 'one', title: 'One', ...overrides }];
  const named = {
    startAgent: workflow.startAgent({ taskId, mode: 'implement', overrides }, PERSON),
    startAttempts: workflow.startAttempts({ taskId, attempts: [{ agentType: 'aider' }, overrides] }, PERSON),
    createTask: workflow.createTask({ projectId, title: 'Other', overrides }, PERSON),
    startCoding: workflow.startCoding({ projectId, title: 'Other', overrides }, PERSON),
    updateTask: workflow.updateTask({ taskId, edit: { overrides } }, PERSON),
    bulkUpdate: workflow.bulkUpdate({ taskIds: [taskId], edit: { overrides } }, PERSON),
    splitTask: workflow.splitTask({ taskId, subtasks }, PERSON),
    updateProject: workflow.updateProject(projectId, { config: { defaultAgentType: 'aidr' } }, PERSON),
    savePipeline: workflow.savePipeline(pipelineWith('aidr'), PERSON),
    saveSchedule: workflow.saveSchedule(
      { projectId, name: 'Nightly', cron: '@daily', action: { kind: 'create', task: { title: 'Other', overrides } } },
      PERSON,
    ),
  };
  for (const [command, answer] of Object.entries(named)) {
    const told = 'There is no agent "aidr" here; known are scripted, aider';
    expect([command, await answer]).toMatchObject([
      command,
      { ok: false, error: { code: 'unknown_agent', message: expect.stringContaining(told) } },
    ]);
    expect([command, await answer]).toMatchObject([
      command,
      { error: { message: expect.stringContaining('Did you mean "aider"?') } },
    ]);
  }
  expect(await workflow.events({ limit: 1000 })).toEqual(before);
  must(await workflow.savePipeline(pipelineWith('aider'), PERSON));
  must(await workflow.updateTask({ taskId, edit: { overrides: { agentType: 'aider' } } }, PERSON));
});

it('a default agent that only a file names, and that does not exist, is told with its line before anything begins', async () => {
  const home = makeFolder();
  const platform = await openTestPlatform({ home, concurrency: 0 });
  const { workflow } = platform;
  const { task, project } = await addTask(platform, { path: await makeRepository() });
  const [taskId, projectId] = [task.id, project.id];
  const [file, ofProject] = [join(home, 'config.json'), join(project.path, '.attractor', 'config.json')];
  const begin = async () => ({
    transition: await workflow.transition({ taskId, to: 'implementing' }, PERSON),
    startAgent: await workflow.startAgent({ taskId, mode: 'implement' }, PERSON),
    startAttempts: await workflow.startAttempts({ taskId, attempts: [{ agentType: 'scripted' }, {}] }, PERSON),
    createTask: await workflow.createTask({ projectId, title: 'Other' }, PERSON),
    startCoding: await workflow.startCoding({ projectId, title: 'Other' }, PERSON),
  });
  const expectTold = async (...parts: ReadonlyArray<string>) => {
    const before = await workflow.events({ limit: 1000 });
    for (const answer of Object.values(await begin()))
      for (const part of [...parts, '"defaultAgentType" is "scriptd". There is no agent']) {
        const message = expect.stringContaining(part);
        expect(answer).toMatchObject({ ok: false, error: { code: 'unknown_agent', message } });
      }
    expect(await workflow.events({ limit: 1000 })).toEqual(before);
  };
  writeFileSync(file, '{\n  "defaultAgentType": "scriptd"\n}');
  await expectTold(`${file}:2: `);
  const overrides = { agentType: 'scripted' };
  must(await workflow.createTask({ projectId, title: 'Named', overrides }, PERSON));
  writeFileSync(file, '{}');
  mkdirSync(join(project.path, '.attractor'), { recursive: true });
  writeFileSync(ofProject, '{ "defaultAgentType": "scriptd" }');
  must(await workflow.createTask({ projectId, title: 'Nobody trusted that' }, PERSON));
  expect(await trustRepository(examineTrust(project.path, { home }), { home })).toMatchObject({ ok: true });
  await expectTold(`${ofProject}:1: `);
  writeFileSync(ofProject, '{}');
  writeFileSync(file, JSON.stringify({ agents: { scriptd: { type: 'cli', command: ['sh'] } } }));
  must(await workflow.updateProject(projectId, { config: { defaultAgentType: 'scriptd' } }, PERSON));
  writeFileSync(file, '{}');
  await expectTold("The project's ", 'projects update --config');
});

function pipelineWith(agentType: string): unknown {
  const simple = BUILT_IN_PIPELINES.find(({ id }) => id === 'simple');
  const hooks = [{ type: 'start_agent', params: { mode: 'implement', agentType } }];
  const transitions = simple?.transitions.map((transition, at) => (at === 0 ? { ...transition, hooks } : transition));
  return { ...simple, id: 'own', name: 'Own', transitions };
}
