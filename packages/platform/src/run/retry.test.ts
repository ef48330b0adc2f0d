import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScriptedAgent, type Script } from '@attractor/adapters';
import { describe, expect, it } from 'vitest';
import { readProjectConfig } from '@attractor/project-config';
import type { Platform } from '../platform.ts';
import { openStore } from '@attractor/store';
import { IMPLEMENT } from '../test-support/scripts.ts';
import { addTask, openTestPlatform, statusOf, until } from '../test-support/world.ts';
import { git, makeRepository } from '@attractor/repository/testing';
import { makeFolder, must, PERSON } from '@attractor/store/testing';

const failing = (message: string): Script => ({
  when: { outcome: 'pr_ready' },
  steps: [
    { do: 'createFile', path: 'half.txt', content: 'half\n' },
    { do: 'error', message, retryable: true },
  ],
});
const again: Script = { ...IMPLEMENT, when: { outcome: 'pr_ready', promptIncludes: 'attempt 2 of 3' } };

async function begin(platform: Platform, retry: object = { delayMs: 0 }): Promise<string> {
  const { project, task } = await addTask(platform, { path: await makeRepository() });
  must(await platform.workflow.updateProject(project.id, { config: { retry } }, PERSON));
  must(await platform.workflow.transition({ taskId: task.id, to: 'implementing' }, PERSON));
  return task.id;
}

const typesOf = async (platform: Platform, taskId: string): Promise<ReadonlyArray<string>> =>
  (await platform.workflow.events({ taskId, limit: 10_000 }))
    .map(({ type }) => type)
    .filter((type) => /retr|limit|status\.changed/.test(type));

describe('a run that failed for a passing reason', () => {
  it('is tried again as a new run that knows of the first, and the task stays where it is meanwhile', async () => {
    const platform = await openTestPlatform({ scripts: [again, failing('socket hang up')] });
    const taskId = await begin(platform);
    await until(platform, { taskId }, (events) => events.some(({ type }) => type === 'agent.completed'));
    const [first, second, ...more] = await platform.workflow.listRuns({ taskId });
    expect(more).toEqual([]);
    expect(first).toMatchObject({ status: 'failed', error: 'socket hang up' });
    expect(second).toMatchObject({ status: 'completed', retry: { attempt: 2, of: first?.id } });
    await until(platform, { taskId }, (events) => events.filter(({ type }) => type === 'status.changed').length === 2);
    expect(await typesOf(platform, taskId)).toEqual([
      'status.changed',
      'agent.retry_scheduled',
      'agent.retry_started',
      'status.changed',
    ]);
    expect(await statusOf(platform, taskId)).toBe('pr_review');
    expect(await git(second?.worktree ?? '', 'show', 'HEAD:half.txt')).toBe('half');
  });

  it('follows the file of a trusted project and the person, and what was chosen here most of all', async () => {
    const home = makeFolder();
    writeFileSync(join(home, 'config.json'), JSON.stringify({ retry: { maxAttempts: 9, delayMs: 5 } }));
    const platform = await openTestPlatform({ home, scripts: [failing('read ECONNRESET')] });
    const path = await makeRepository({
      '.attractor/config.json': JSON.stringify({ retry: { maxAttempts: 4, factor: 1 } }),
    });
    const { project, task } = await addTask(platform, { path });
    const { hash } = must(readProjectConfig(project.path, { home }));
    must(await platform.workflow.trustConfig(project.id, hash, PERSON));
    must(await platform.workflow.updateProject(project.id, { config: { retry: { maxAttempts: 2 } } }, PERSON));
    must(await platform.workflow.transition({ taskId: task.id, to: 'implementing' }, PERSON));
    const events = await until(platform, { taskId: task.id }, (told) =>
      told.some(({ type }) => type === 'agent.retries_exhausted'),
    );
    expect(events.filter(({ type }) => type === 'agent.retry_scheduled')).toMatchObject([{ data: { maxAttempts: 2 } }]);
  });

  it('is given up after the last attempt, and only then the task fails', async () => {
    const platform = await openTestPlatform({ scripts: [failing('read ECONNRESET')] });
    const taskId = await begin(platform, { delayMs: 0, maxAttempts: 2 });
    await until(platform, { taskId }, (events) => events.some(({ type }) => type === 'agent.retries_exhausted'));
    expect((await platform.workflow.listRuns({ taskId })).map(({ status }) => status)).toEqual(['failed', 'failed']);
    expect(await statusOf(platform, taskId)).toBe('failed');
    expect((await typesOf(platform, taskId)).filter((type) => type === 'status.changed')).toHaveLength(2);
  });

  it('says why it waits for its time, and can be stopped meanwhile', async () => {
    const platform = await openTestPlatform({ scripts: [failing('read ECONNRESET')] });
    const taskId = await begin(platform, { delayMs: 3_600_000 });
    await until(platform, { taskId }, (events) => events.some(({ type }) => type === 'agent.retry_scheduled'));
    expect(await platform.workflow.taskStates([taskId])).toMatchObject([
      { state: { label: 'Paused: no connection, will be retried later', detail: 'read ECONNRESET' } },
    ]);
    const [waiting] = await platform.workflow.listRuns({ taskId, status: 'running' });
    must(await platform.workflow.stopAgent(waiting?.id ?? '', PERSON));
    expect((await platform.workflow.listRuns({ taskId })).map(({ status }) => status)).toEqual(['failed', 'cancelled']);
    expect(await statusOf(platform, taskId)).toBe('implementing');
  });
});

describe("a run that met its provider's limit", () => {
  it('resumes at the time that was named, and no other run of the account starts before', async () => {
    const home = makeFolder();
    const platform = await openTestPlatform({
      home,
      agents: [createScriptedAgent([failing('5-hour limit reached, try again in 3 hours')])],
    });
    const taskId = await begin(platform);
    const events = await until(platform, { taskId }, (told) =>
      told.some(({ type }) => type === 'agent.retry_scheduled'),
    );
    const limited = events.find((event) => event.type === 'agent.limited');
    expect(limited?.summary).toMatch(/^scripted has reached its provider's limit and resumes at \d\d:\d\d/);
    expect(Date.parse(String(limited?.data.until)) - Date.parse(limited?.at ?? '')).toBe(3 * 3_600_000);
    const [project] = await platform.workflow.listProjects();
    const other = must(await platform.workflow.createTask({ projectId: project?.id ?? '', title: 'other' }, PERSON));
    must(await platform.workflow.transition({ taskId: other.id, to: 'implementing' }, PERSON));
    await platform.worker.idle();
    const [held] = await platform.workflow.listRuns({ taskId: other.id });
    expect(held).toMatchObject({ status: 'running', worktree: null });
    const store = must(await openStore({ home }));
    const jobs = await store.read
      .selectFrom('jobs')
      .select('blocked')
      .where('run_id', '=', held?.id ?? '')
      .execute();
    expect(jobs[0]?.blocked).toContain('resumes at');
    await store.close();
  });
});
