import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { examineTrust, revokeTrust, trustRepository } from '@attractor/settings';
import { describe, expect, it } from 'vitest';
import { followedConfig, readProjectConfig } from '@attractor/project-config';
import { IMPLEMENT } from '../test-support/scripts.ts';
import { addTask, openTestPlatform } from '../test-support/world.ts';
import { git, makeRepository } from '@attractor/repository/testing';
import { makeFolder, must, PERSON } from '@attractor/store/testing';

describe('a project', () => {
  it('is a repository, added once, found by any folder in it', async () => {
    const { workflow } = await openTestPlatform();
    const path = await makeRepository({ 'src/a.txt': 'a' });
    const project = must(await workflow.createProject({ path: join(path, 'src'), name: ' Mine ' }, PERSON));
    expect(project).toMatchObject({ name: 'Mine', path, defaultBranch: 'main', trustedConfigHash: null });
    expect(await workflow.createProject({ path }, PERSON)).toMatchObject({
      ok: false,
      error: { code: 'conflict', detail: { project } },
    });
    expect(await workflow.createProject({ path: makeFolder() }, PERSON)).toMatchObject({
      ok: false,
      error: { code: 'invalid' },
    });
    for (const [wrong, says] of [
      ['/nowhere/at/all', 'There is no folder /nowhere/at/all on this machine.'],
      [join(path, 'src/a.txt'), 'is a file: give the folder'],
      ['~/slugs', 'Write the whole path of the folder, from / on'],
      ['https://ada:secret@git.example.test/a.git', 'That is an address, not a folder'],
    ] as const) {
      const refused = await workflow.createProject({ path: wrong }, PERSON);
      expect(refused).toMatchObject({ ok: false, error: { code: 'invalid', message: expect.stringContaining(says) } });
      expect(JSON.stringify(refused)).not.toContain('secret');
    }
    expect(await workflow.listProjects()).toEqual([project]);
    expect((await workflow.events({ projectId: project.id })).map(({ type, actor }) => [type, actor])).toEqual([
      ['project.created', PERSON],
    ]);
  });

  it('with a detached head takes a usual branch, or asks for one', async () => {
    const { workflow } = await openTestPlatform();
    const path = await makeRepository();
    await git(path, 'checkout', '--quiet', '--detach');
    expect(must(await workflow.createProject({ path }, PERSON)).defaultBranch).toBe('main');
    const odd = await makeRepository({ 'b.txt': 'b' });
    await git(odd, 'branch', '--quiet', '-m', 'trunk');
    await git(odd, 'checkout', '--quiet', '--detach');
    expect(await workflow.createProject({ path: odd }, PERSON)).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('name the default branch') },
    });
  });

  it('is trusted only as it is now', async () => {
    const { workflow } = await openTestPlatform();
    const path = await makeRepository();
    const project = must(await workflow.createProject({ path }, PERSON));
    const { hash } = must(readProjectConfig(path, { home: path }));
    writeFileSync(join(path, '.attractor/config.json'), JSON.stringify({ checks: { test: 'rm -rf /' } }));
    expect(await workflow.trustConfig(project.id, hash, PERSON)).toMatchObject({
      ok: false,
      error: { code: 'conflict' },
    });
    expect((await workflow.getProject(project.id))?.trustedConfigHash).toBeNull();
    expect(await workflow.trustConfig('prj_none', hash, PERSON)).toMatchObject({
      ok: false,
      error: { code: 'not_found' },
    });
  });

  it('decides about agents only while it is trusted', async () => {
    const config = { agents: { scripted: { model: 'of-the-project' } } };
    const path = await makeRepository({ 'sum.sh': 'echo -\n', '.attractor/config.json': JSON.stringify(config) });
    const platform = await openTestPlatform({ scripts: [IMPLEMENT] });
    const { task, project } = await addTask(platform, { path });
    const runOnce = async (): Promise<string | undefined> => {
      must(await platform.workflow.startAgent({ taskId: task.id, mode: 'implement' }, PERSON));
      await platform.worker.idle();
      return (await platform.workflow.listRuns({ taskId: task.id })).at(-1)?.model;
    };
    expect(await runOnce()).toBe('of-the-project');
    writeFileSync(
      join(project.path, '.attractor/config.json'),
      JSON.stringify({ agents: { scripted: { model: 'something-else' } } }),
    );
    expect(await runOnce()).toBe('scripted');
  });
});

describe('a configuration', () => {
  it('is read with checks as objects or texts, and from the older folder where ours is absent', async () => {
    const path = await makeRepository({
      '.agents-manager/config.json': JSON.stringify({
        checks: {
          lint: 'npm run lint',
          test: { command: 'npm test', severity: 'warning', modes: ['implement', 'review'] },
          off: { command: 'x', enabled: false },
        },
      }),
    });
    expect(must(readProjectConfig(path, { home: path })).checks).toEqual([
      {
        name: 'lint',
        command: 'npm run lint',
        severity: 'error',
        modes: ['implement'],
        timeoutMs: null,
        strict: false,
      },
      {
        name: 'test',
        command: 'npm test',
        severity: 'warning',
        modes: ['implement', 'review'],
        timeoutMs: null,
        strict: false,
      },
    ]);
  });

  it('without a command says which check lacks it', async () => {
    const path = await makeRepository({
      '.attractor/config.json': JSON.stringify({ checks: { test: { severity: 'error' } } }),
    });
    expect(readProjectConfig(path, { home: path })).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('"checks.test" has no command') },
    });
  });

  it('of a repository that nobody trusted is not followed, not even in its mistakes; instructions are never read through a link', async () => {
    const path = await makeRepository({ '.attractor/config.json': '{ "checks": ' });
    const home = makeFolder();
    expect(readProjectConfig(path, { home })).toMatchObject({ ok: false, error: { code: 'invalid' } });
    expect(followedConfig(path, { home })).toMatchObject({ ok: true, value: { checks: [], trust: 'unknown' } });
    writeFileSync(join(home, 'secret'), 'a key');
    symlinkSync(join(home, 'secret'), join(path, '.attractor/instructions.md'));
    expect(followedConfig(path, { home })).toMatchObject({ ok: true, value: { instructions: null } });
    rmSync(join(path, '.attractor/instructions.md'));
    writeFileSync(join(path, '.attractor/instructions.md'), ' Be brief. ');
    writeFileSync(join(path, '.attractor/config.json'), '{}');
    expect(followedConfig(path, { home })).toMatchObject({ ok: true, value: { instructions: null } });
    await trustRepository(examineTrust(path, { home }), { home });
    expect(followedConfig(path, { home })).toMatchObject({ ok: true, value: { instructions: 'Be brief.' } });
  });

  it('has the one trust that a person gives anywhere: by command or by project', async () => {
    const home = makeFolder();
    const { workflow } = await openTestPlatform({ home });
    const path = await makeRepository();
    const project = must(await workflow.createProject({ path }, PERSON));
    expect(must(readProjectConfig(path, { home })).trust).toBe('unknown');
    expect(await trustRepository(examineTrust(path, { home }), { home })).toMatchObject({ ok: true });
    const trusted = must(readProjectConfig(path, { home }));
    expect(trusted).toMatchObject({ trust: 'trusted', hash: examineTrust(path, { home }).hash });
    expect(await revokeTrust(path, { home })).toMatchObject({ ok: true, value: true });
    expect(must(await workflow.trustConfig(project.id, trusted.hash, PERSON)).trustedConfigHash).toBe(trusted.hash);
    expect(examineTrust(path, { home }).state).toBe('trusted');
    writeFileSync(join(path, '.mcp.json'), '{}');
    expect(must(readProjectConfig(path, { home })).trust).toBe('changed');
  });
});

describe('a task', () => {
  it('needs a title, a project and a pipeline that exist', async () => {
    const platform = await openTestPlatform();
    const { project } = await addTask(platform, { path: await makeRepository() });
    const create = (more: object) =>
      platform.workflow.createTask({ projectId: project.id, title: 'x', ...more }, PERSON);
    expect(await create({ title: '  ' })).toMatchObject({ ok: false, error: { code: 'invalid' } });
    expect(await create({ title: 'x'.repeat(501) })).toMatchObject({ ok: false, error: { code: 'invalid' } });
    expect(await create({ projectId: 'prj_none' })).toMatchObject({ ok: false, error: { code: 'not_found' } });
    expect(await create({ pipelineId: 'none' })).toMatchObject({ ok: false, error: { code: 'not_found' } });
    expect(must(await create({}))).toMatchObject({
      status: 'open',
      pipelineId: 'coding',
      pipelineVersion: 6,
      priority: 'medium',
      size: 'm',
      version: 1,
    });
  });

  it('is listed newest first, page by page', async () => {
    const platform = await openTestPlatform();
    const { project } = await addTask(platform, { path: await makeRepository(), title: '0' });
    for (const title of ['1', '2', '3'])
      must(await platform.workflow.createTask({ projectId: project.id, title }, PERSON));
    const first = await platform.workflow.listTasks({ projectId: project.id, limit: 2 });
    const second = await platform.workflow.listTasks({ projectId: project.id, limit: 2, before: first[1]?.id ?? '' });
    expect([...first, ...second].map(({ title }) => title)).toEqual(['3', '2', '1', '0']);
  });

  it('moves only along its pipeline, and a refusal says what is possible', async () => {
    const platform = await openTestPlatform({ concurrency: 0 });
    const { task } = await addTask(platform, { path: await makeRepository() });
    const move = (to: string) => platform.workflow.transition({ taskId: task.id, to }, PERSON);
    expect(await move('moon')).toMatchObject({
      ok: false,
      error: { code: 'invalid', message: expect.stringContaining('no status "moon"') },
    });
    expect(await move('done')).toMatchObject({
      ok: false,
      error: { code: 'blocked', message: expect.stringContaining('clarifying, planning, implementing, cancelled') },
    });
    expect(must(await move('planning'))).toMatchObject({ status: 'planning', version: 2 });
    expect(await platform.workflow.transition({ taskId: 'tsk_none', to: 'planning' }, PERSON)).toMatchObject({
      ok: false,
      error: { code: 'not_found' },
    });
    expect((await platform.workflow.validTransitions(task.id)).map(({ transition }) => transition.to)).toEqual([
      'cancelled',
    ]);
  });

  it('is started once, however many ask at the same time', async () => {
    const platform = await openTestPlatform({ concurrency: 0 });
    const { task } = await addTask(platform, { path: await makeRepository() });
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => platform.workflow.transition({ taskId: task.id, to: 'implementing' }, PERSON)),
    );
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await platform.workflow.listRuns({ taskId: task.id })).toHaveLength(1);
    expect((await platform.workflow.events({ taskId: task.id })).map(({ type }) => type)).toEqual([
      'task.created',
      'status.changed',
      'guard.passed',
      'guard.passed',
      'agent.started',
      'hook.executed',
    ]);
  });

  it('tells whoever listens after each change, with the last number of the log', async () => {
    const platform = await openTestPlatform({ concurrency: 0 });
    const heard: number[] = [];
    const stop = platform.workflow.subscribe((seq) => heard.push(seq));
    await addTask(platform, { path: await makeRepository() });
    const last = await platform.workflow.lastSeq();
    await expect.poll(() => heard.at(-1)).toBe(last);
    stop();
  });
});
