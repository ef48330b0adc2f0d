import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { readVersion } from '../supervisor/git-version.ts';
import { makeFolder, must, PERSON, projectRow } from '@attractor/store/testing';
import { IMPLEMENT } from '../test-support/scripts.ts';
import { addTask, openTestPlatform, statusOf } from '../test-support/world.ts';
import { ENV, git, makeRepository } from '@attractor/repository/testing';
import { checkOutProject, withoutSecret } from '@attractor/repository';

async function withRemote(): Promise<{ readonly repository: string; readonly remote: string }> {
  const [repository, remote] = [await makeRepository(), makeFolder()];
  await git(remote, 'init', '--quiet', '--bare', '-b', 'main');
  await git(repository, 'remote', 'add', 'origin', remote);
  await git(repository, 'push', '--quiet', 'origin', 'main');
  return { repository, remote };
}

describe('a project whose folder is not on this machine', () => {
  it('is cloned from its remote once, whoever asks at the same time', async () => {
    const { remote } = await withRemote();
    const home = makeFolder();
    const project = { ...projectRow('/nowhere/at/all'), config: { git: { remoteUrl: remote } } };
    const here = await Promise.all(Array.from({ length: 4 }, () => checkOutProject(project, { home, env: ENV })));
    const path = join(home, 'repositories', project.id);
    expect(here.map((result) => must(result).path)).toEqual([path, path, path, path]);
    expect(await git(path, 'log', '--format=%s')).toBe('first');
    expect(readdirSync(join(home, 'repositories'))).toEqual([project.id]);
  });

  it('is refused in words where it names no remote, or one that is not there', async () => {
    const home = makeFolder();
    const project = projectRow('/nowhere/at/all');
    expect(await checkOutProject(project, { home, env: ENV })).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('git.remoteUrl') },
    });
    const gone = { ...project, config: { git: { remoteUrl: join(home, 'gone.git') } } };
    expect(await checkOutProject(gone, { home, env: ENV })).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining("can't be cloned") },
    });
    expect(readdirSync(join(home, 'repositories'))).toEqual([]);
  });

  it('is cloned by a git that no repository brought, and so is the version of git read', async () => {
    const { repository, remote } = await withRemote();
    const folder = join(repository, 'bin');
    mkdirSync(folder);
    writeFileSync(join(folder, 'git'), `#!/bin/sh\ntouch '${folder}/ran'\nexec /usr/bin/git "$@"\n`, { mode: 0o755 });
    vi.stubEnv('PATH', `${folder}:${ENV.PATH}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const project = { ...projectRow('/nowhere/at/all'), config: { git: { remoteUrl: remote } } };
    const machine = { home: makeFolder(), env: ENV, repositories: async () => [repository] };
    expect(must(await checkOutProject(project, machine)).path).toContain(machine.home);
    expect(await readVersion([{ path: repository }])).toMatch(/^git version/);
    expect(readdirSync(folder)).toEqual(['git']);
  });

  it('is worked on in its clone', async () => {
    const { repository } = await withRemote();
    const home = makeFolder();
    const platform = await openTestPlatform({ home, scripts: [IMPLEMENT] });
    const { project, task } = await addTask(platform, { path: repository, pipelineId: 'simple' });
    rmSync(repository, { recursive: true });
    must(await platform.workflow.startAgent({ taskId: task.id, mode: 'implement' }, PERSON));
    await platform.worker.idle();
    const [run] = await platform.workflow.listRuns({ taskId: task.id });
    expect(run).toMatchObject({ status: 'completed', worktree: expect.stringContaining(join(home, 'repositories')) });
    expect(existsSync(join(home, 'repositories', project.id))).toBe(true);
    expect(existsSync(repository)).toBe(false);
    expect(await statusOf(platform, task.id)).not.toBe('failed');
  });

  it('is pushed to where its remote is now, from a clone that was made before', async () => {
    const { repository, remote } = await withRemote();
    const home = makeFolder();
    const platform = await openTestPlatform({ home, scripts: [IMPLEMENT] });
    const { project, task } = await addTask(platform, { path: repository, pipelineId: 'simple' });
    rmSync(repository, { recursive: true });
    must(await checkOutProject(project, { home, env: ENV }));
    const moved = join(makeFolder(), 'moved.git');
    renameSync(remote, moved);
    must(await platform.workflow.updateProject(project.id, { config: { git: { remoteUrl: moved } } }, PERSON));
    must(await platform.workflow.startAgent({ taskId: task.id, mode: 'implement' }, PERSON));
    await platform.worker.idle();
    const [run] = await platform.workflow.listRuns({ taskId: task.id });
    expect(run).toMatchObject({ status: 'completed' });
    expect(await git(moved, 'branch', '--list', 'agent/*')).toContain(run?.branch);
  });

  it('is left to other machines where it can not be had, with the reason', async () => {
    const repository = await makeRepository();
    const platform = await openTestPlatform({ scripts: [IMPLEMENT] });
    const { task } = await addTask(platform, { path: repository, pipelineId: 'simple' });
    rmSync(repository, { recursive: true });
    must(await platform.workflow.startAgent({ taskId: task.id, mode: 'implement' }, PERSON));
    await platform.worker.idle();
    const { jobs } = await platform.workflow.queueState();
    expect(jobs).toMatchObject([{ state: 'queued', blocked: { code: 'no_checkout' } }]);
  });

  it('keeps no password of its address', () => {
    expect(withoutSecret('https://ada:secret@example.test/r.git')).toBe('https://ada@example.test/r.git');
    expect(withoutSecret('git@example.test:r.git')).toBe('git@example.test:r.git');
  });
});
