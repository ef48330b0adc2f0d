import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Platform } from '../platform.ts';
import { addTask, openTestPlatform } from '../test-support/world.ts';
import { makeFolder, must, PERSON, runs } from '@attractor/store/testing';
import { makeRepository } from '@attractor/repository/testing';
import type { NewTask } from '@attractor/store';
import type { ProjectEdit } from './projects/contract.ts';

async function world() {
  const home = makeFolder();
  const path = await makeRepository();
  const platform = await openTestPlatform({ home, concurrency: 0 });
  const { project } = await addTask(platform, { path, title: 'first' });
  const add = async (input: Partial<NewTask> = {}) =>
    must(await platform.workflow.createTask({ title: 't', ...input, projectId: project.id }, PERSON));
  return { home, path, platform, workflow: platform.workflow, project, add };
}

const typesOf = async ({ workflow }: Platform, taskId: string) =>
  (await workflow.events({ taskId })).map(({ type }) => type);

describe('a task', () => {
  it('is edited by fields, told of, and refused where it was changed meanwhile or the value is none', async () => {
    const { platform, workflow, add } = await world();
    const task = await add();
    const edit = {
      title: ' New ',
      priority: 'high',
      tags: ['a', 'a'],
      acceptanceCriteria: [{ text: 'x', met: true }],
    } as const;
    const edited = must(await workflow.updateTask({ taskId: task.id, version: 1, edit }, PERSON));
    expect(edited).toMatchObject({ title: 'New', priority: 'high', tags: ['a'], version: 2 });
    expect(await workflow.updateTask({ taskId: task.id, version: 1, edit: { title: 'x' } }, PERSON)).toMatchObject({
      error: { code: 'conflict' },
    });
    for (const bad of [{ title: '' }, { tags: [''] }, { sourceUrl: 'javascript:x' }, { size: 'xxl' as never }])
      expect(await workflow.updateTask({ taskId: task.id, edit: bad }, PERSON)).toMatchObject({
        error: { code: 'invalid' },
      });
    expect(must(await workflow.updateTask({ taskId: task.id, edit: { title: 'New' } }, PERSON)).version).toBe(2);
    must(await workflow.updateTask({ taskId: task.id, edit: { description: 'd' } }, PERSON));
    expect(await typesOf(platform, task.id)).toEqual(['task.created', 'field.updated', 'description.updated']);
  });

  it('has subtasks of one level, and changes its pipeline only where its status exists', async () => {
    const { workflow, add } = await world();
    const parent = await add();
    const child = await add({ parentTaskId: parent.id });
    for (const edit of [{ parentTaskId: child.id }, { parentTaskId: parent.id }])
      expect(await workflow.updateTask({ taskId: parent.id, edit }, PERSON)).toMatchObject({
        error: { code: 'invalid' },
      });
    expect((await workflow.listTasks({ parentTaskId: parent.id })).map(({ id }) => id)).toEqual([child.id]);
    const moved = must(
      await workflow.updateTask({ taskId: child.id, edit: { pipelineId: 'bug', parentTaskId: null } }, PERSON),
    );
    expect(moved).toMatchObject({ pipelineId: 'bug', parentTaskId: null });
    must(await workflow.transition({ taskId: child.id, to: 'investigating' }, PERSON));
    expect(await workflow.updateTask({ taskId: child.id, edit: { pipelineId: 'simple' } }, PERSON)).toMatchObject({
      error: { code: 'blocked', message: expect.stringContaining('investigating') },
    });
  });

  it('waits for what it depends on; a circle is refused and named', async () => {
    const { platform, workflow, add } = await world();
    const [a, b] = [await add({ title: 'A' }), await add({ title: 'B', pipelineId: 'simple' })];
    const c = await add({ title: 'C', dependsOn: [a.id] });
    must(await workflow.addDependency({ taskId: a.id, dependsOnId: b.id }, PERSON));
    expect(await workflow.addDependency({ taskId: b.id, dependsOnId: c.id }, PERSON)).toMatchObject({
      error: {
        code: 'invalid',
        message: expect.stringMatching(/"B".*→ "C".*→ "A".*→ "B"/),
        detail: { cycle: [b.id, c.id, a.id, b.id] },
      },
    });
    expect(await workflow.addDependency({ taskId: a.id, dependsOnId: a.id }, PERSON)).toMatchObject({
      error: { code: 'invalid' },
    });
    for (const refused of [
      await workflow.transition({ taskId: a.id, to: 'planning' }, PERSON),
      await workflow.startAgent({ taskId: a.id, mode: 'plan' }, PERSON),
    ])
      expect(refused).toMatchObject({ error: { code: 'blocked', message: expect.stringContaining('"B"') } });
    must(await workflow.bulkUpdate({ taskIds: [b.id], to: 'in_progress' }, PERSON));
    must(await workflow.transition({ taskId: b.id, to: 'done' }, PERSON));
    expect(await typesOf(platform, a.id)).toContain('dep.resolved');
    must(await workflow.transition({ taskId: a.id, to: 'planning' }, PERSON));
    expect((await workflow.dependencies(a.id)).blocks.map(({ id }) => id)).toEqual([c.id]);
    must(await workflow.removeDependency({ taskId: c.id, dependsOnId: a.id }, PERSON));
  });

  it('is changed and deleted in bulk, each for itself', async () => {
    const { workflow, add } = await world();
    const [a, b] = [await add({ pipelineId: 'simple' }), await add()];
    const changed = must(
      await workflow.bulkUpdate({ taskIds: [a.id, b.id, 'tsk_none'], to: 'in_progress', edit: { size: 'xl' } }, PERSON),
    );
    expect([changed.done, changed.refused.map(({ taskId }) => taskId)]).toEqual([[a.id], [b.id, 'tsk_none']]);
    expect([(await workflow.getTask(a.id))?.size, (await workflow.getTask(b.id))?.size]).toEqual(['xl', 'm']);
    const half = { taskIds: [a.id], to: 'done', edit: { pipelineId: 'none' } };
    expect(must(await workflow.bulkUpdate(half, PERSON)).refused).toMatchObject([{ taskId: a.id }]);
    expect((await workflow.getTask(a.id))?.status).toBe('in_progress');
    must(await workflow.startAgent({ taskId: b.id, mode: 'plan' }, PERSON));
    expect(must(await workflow.bulkDelete([a.id, b.id, a.id], PERSON))).toEqual({ done: [a.id, b.id], refused: [] });
    expect(await workflow.getTask(b.id)).toBeNull();
  });

  it('keeps notes, attachments and artifacts; files stay inside the home whatever they are called', async () => {
    const { workflow, home, add } = await world();
    const task = await add();
    must(await workflow.addNote({ taskId: task.id, text: 'hello' }, PERSON));
    expect(await workflow.listNotes(task.id)).toMatchObject([{ text: 'hello', author: PERSON }]);
    const content = new TextEncoder().encode('bytes');
    const file = must(await workflow.addAttachment({ taskId: task.id, name: '../../etc/passwd', content }, PERSON));
    expect(file).toMatchObject({ name: 'passwd', size: 5 });
    expect(readdirSync(join(home, 'attachments', task.id))).toEqual([file.id]);
    expect(new TextDecoder().decode(must(await workflow.readAttachment(file.id)).content)).toBe('bytes');
    for (const name of ['', '..', '/']) {
      const refused = await workflow.addAttachment({ taskId: task.id, name, content }, PERSON);
      expect(refused).toMatchObject({ error: { code: 'invalid' } });
    }
    const folder = join(home, 'attachments', task.id);
    expect([folder, join(folder, file.id)].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600]);
    const odd = must(await workflow.addAttachment({ taskId: task.id, name: 'a\u001b[31m\nb', content }, PERSON));
    expect(odd.name).toBe('a[31mb');
    must(await workflow.removeAttachment(odd.id, PERSON));
    const large = new Uint8Array(26 * 1024 * 1024);
    expect(await workflow.addAttachment({ taskId: task.id, name: 'x', content: large }, PERSON)).toMatchObject({
      ok: false,
    });
    const long = { taskId: task.id, type: 'document', label: 'long', content: 'x'.repeat(1024 * 1024 + 1) } as const;
    expect(await workflow.addArtifact(long, PERSON)).toMatchObject({
      error: { message: expect.stringMatching(/too long/) },
    });
    const pr = { taskId: task.id, type: 'pull_request', label: '#1' } as const;
    expect(await workflow.addArtifact({ ...pr, metadata: { state: 'none' } }, PERSON)).toMatchObject({
      error: { code: 'invalid', message: expect.stringContaining('metadata.state') },
    });
    const metadata = { state: 'open', headBranch: 'a', baseBranch: 'main' };
    const made = must(await workflow.addArtifact({ ...pr, metadata }, PERSON));
    expect(await workflow.addArtifact({ ...pr, metadata }, PERSON)).toMatchObject({ error: { code: 'conflict' } });
    must(await workflow.updateArtifact(made.id, { metadata: { ...metadata, state: 'merged' } }, PERSON));
    expect(await workflow.getArtifact(made.id)).toMatchObject({ createdBy: 'user', metadata: { state: 'merged' } });
    must(await workflow.removeArtifact(made.id, PERSON));
    must(await workflow.removeAttachment(file.id, PERSON));
    expect(readdirSync(join(home, 'attachments', task.id))).toEqual([]);
    must(await workflow.deleteTask({ taskId: task.id }, PERSON));
    expect(existsSync(join(home, 'attachments', task.id))).toBe(false);
  });

  it('stands on the board where people put it, in any order of moves', async () => {
    const { workflow, project, add } = await world();
    for (let index = 0; index < 5; index += 1) await add({ title: `${index}` });
    const board = async () => (await workflow.pageTasks({ projectId: project.id })).tasks.map(({ id }) => id);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(5), fc.nat(6)), { maxLength: 15 }), async (moves) => {
        for (const [which, place] of moves) {
          const order = await board();
          const taskId = order[which] ?? '';
          const others = order.filter((id) => id !== taskId);
          const after = place === 0 ? null : (others[place - 1] ?? others.at(-1) ?? null);
          must(await workflow.reorderTask({ taskId, after }, PERSON));
          const at = others.findIndex((id) => id === after) + 1;
          expect(await board()).toEqual([...others.slice(0, at), taskId, ...others.slice(at)]);
        }
      }),
      { numRuns: runs(8) },
    );
    const [first = '', second = '', third = ''] = await board();
    for (let index = 0; index < 70; index += 1) {
      const taskId = index % 2 === 0 ? second : third;
      must(await workflow.reorderTask({ taskId, after: first }, PERSON));
      expect((await board())[1]).toBe(taskId);
    }
  });
});

describe('a project', () => {
  it('is configured, chooses pipelines by type, and is deleted with its records but not its files', async () => {
    const { home, workflow, project, path, add } = await world();
    const config = { defaultPipeline: 'chore', pipelineByType: { bug: 'bug' } };
    expect(must(await workflow.updateProject(project.id, { name: 'N', config }, PERSON)).config).toEqual(config);
    expect([(await add()).pipelineId, (await add({ taskType: 'bug' })).pipelineId]).toEqual(['chore', 'bug']);
    for (const bad of [{ defaultPipeline: 'none' }, { maxConcurrentRuns: 0 }, { unknown: 1 } as never])
      expect(await workflow.updateProject(project.id, { config: bad }, PERSON)).toMatchObject({
        error: { code: 'invalid' },
      });
    const change = async (config: NonNullable<ProjectEdit['config']>) =>
      must(await workflow.updateProject(project.id, { config }, PERSON)).config;
    await change({ git: { remoteUrl: '/remote', prDraft: true }, labels: ['gpu', 'arm'] });
    expect(await change({ git: { prDraft: false }, labels: ['arm'] })).toEqual({
      ...config,
      git: { remoteUrl: '/remote', prDraft: false },
      labels: ['arm'],
    });
    expect(await change({ git: { prDraft: null }, labels: null, defaultPipeline: null })).toEqual({
      pipelineByType: { bug: 'bug' },
      git: { remoteUrl: '/remote' },
    });
    const [task] = await workflow.listTasks();
    must(await workflow.startAgent({ taskId: task?.id ?? '', mode: 'plan' }, PERSON));
    expect((await workflow.activity({ projectId: project.id, limit: 2 })).map(({ type }) => type)).toEqual([
      'agent.started',
      'project.updated',
    ]);
    const setup = join(home, 'setups', project.id);
    mkdirSync(join(setup, 'key'), { recursive: true });
    expect(must(await workflow.deleteProject(project.id, PERSON))).toEqual({ tasks: 3 });
    expect([await workflow.listProjects(), await workflow.listTasks(), await workflow.listRuns({})]).toEqual([
      [],
      [],
      [],
    ]);
    expect((await workflow.events({})).map(({ type }) => type)).toEqual(['project.deleted']);
    expect([existsSync(join(path, 'sum.sh')), existsSync(setup)]).toEqual([true, false]);
  });
});

describe('templates and pipelines', () => {
  it('four templates come with it; others are saved, used and deleted', async () => {
    const { workflow, add } = await world();
    expect((await workflow.listTemplates()).map(({ name }) => name)).toEqual([
      'Bug Fix',
      'Feature',
      'Refactor',
      'Chore',
    ]);
    const bug = await add({ template: 'bug fix', title: 'Broken' });
    expect(bug).toMatchObject({ pipelineId: 'bug', priority: 'high', tags: ['bug'], title: 'Broken' });
    expect(bug.acceptanceCriteria.length).toBe(2);
    const own = must(await workflow.saveTemplate({ name: 'Mine', fields: { title: 'Preset', size: 'l' } }, PERSON));
    expect(await add({ template: own.id, title: '' })).toMatchObject({ title: 'Preset', size: 'l' });
    expect(await workflow.saveTemplate({ name: 'Chore', fields: {} }, PERSON)).toMatchObject({
      error: { code: 'conflict' },
    });
    must(await workflow.deleteTemplate(own.id, PERSON));
    expect(await workflow.deleteTemplate('tpl_chore', PERSON)).toMatchObject({ error: { code: 'blocked' } });
  });

  it('a saved pipeline is a new version; tasks keep theirs; one in use, built in or the default stays', async () => {
    const { workflow, add } = await world();
    const simple = await workflow.getPipeline('simple');
    if (simple === null) throw new Error('no pipeline');
    const { version: _version, isDefault: _isDefault, ...bare } = simple;
    const first = must(await workflow.savePipeline({ ...bare, id: 'own' }, PERSON));
    const task = await add({ pipelineId: 'own' });
    const second = must(await workflow.savePipeline({ ...bare, id: 'own', name: 'Other' }, PERSON));
    expect([first.version, second.version, (await workflow.getTask(task.id))?.pipelineVersion]).toEqual([1, 2, 1]);
    expect(must(await workflow.savePipeline(second, PERSON)).version).toBe(2);
    expect(await workflow.savePipeline({ ...bare, initialStatus: 'x' }, PERSON)).toMatchObject({
      error: { code: 'invalid', message: expect.stringContaining('$.initialStatus') },
    });
    expect(await workflow.deletePipeline('own', PERSON)).toMatchObject({
      error: { code: 'blocked', message: expect.stringContaining('1 task uses') },
    });
    expect(await workflow.deletePipeline('bug', PERSON)).toMatchObject({ error: { code: 'blocked' } });
    must(await workflow.setDefaultPipeline('own', PERSON));
    expect((await add()).pipelineVersion).toBe(2);
    must(
      await workflow.bulkDelete(
        (await workflow.listTasks()).map(({ id }) => id),
        PERSON,
      ),
    );
    expect(await workflow.deletePipeline('own', PERSON)).toMatchObject({
      error: { code: 'blocked', message: expect.stringContaining('default') },
    });
    must(await workflow.setDefaultPipeline('coding', PERSON));
    must(await workflow.deletePipeline('own', PERSON));
    expect((await workflow.listPipelines()).map(({ id }) => id)).toEqual([
      'bug',
      'chore',
      'coding',
      'coding-auto',
      'coding-stages',
      'coding-tdd',
      'feature',
      'simple',
    ]);
  });
});
