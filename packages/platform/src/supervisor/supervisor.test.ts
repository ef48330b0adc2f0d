import { cpSync, existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FEATURE, SIMPLE } from '@attractor/pipeline';
import type { Platform } from '../platform.ts';
import { claimJob } from '../queue/claim.ts';
import { appendEvents, findRun, openStore, ownName, removeProject, savePipeline, type Store } from '@attractor/store';
import { deadOwner } from '../test-support/dead-owner.ts';
import { fillHistory, makeFolder, must, PERSON, putProject, putRun, putTask } from '@attractor/store/testing';
import { IMPLEMENT } from '../test-support/scripts.ts';
import { addTask, openTestPlatform, statusOf, until } from '../test-support/world.ts';
import { git, makeRepository } from '@attractor/repository/testing';
import { whyFull } from './disk-usage.ts';
import { agentStatuses } from './idle-tasks.ts';
import { takeTurn } from './lease.ts';
import { isOverdue } from './overdue-runs.ts';
import { supervisorSettings } from './settings.ts';
import { lockedFor } from './stale-worktree-locks.ts';
import { createSupervisor, type Supervisor } from './supervisor.ts';
import { dueReminder } from './waiting-reminders.ts';

const AUTHOR = { name: 'Agent', email: 'agent@example.test' };

async function openHome(): Promise<{ readonly home: string; readonly store: Store }> {
  const home = makeFolder();
  const store = must(await openStore({ home }));
  onTestFinished(() => store.close());
  return { home, store };
}

function supervise(store: Store, home: string, chosen: Parameters<typeof supervisorSettings>[0] = {}): Supervisor {
  return createSupervisor({ store, home, author: AUTHOR, settings: supervisorSettings(chosen) });
}

/** The only rounds are those that the test asks for: the platform's own could come first on a busy machine. */
async function openUnsupervised(chosen: Parameters<typeof supervisorSettings>[0] = {}) {
  const home = makeFolder();
  const platform = await openTestPlatform({ home, scripts: [IMPLEMENT], supervise: false });
  const store = must(await openStore({ home }));
  onTestFinished(() => store.close());
  return { platform, round: () => supervise(store, home, chosen).runOnce() };
}

const eventTypes = async (store: Store): Promise<ReadonlyArray<string>> =>
  (await store.read.selectFrom('events').select('type').orderBy('seq').execute()).map(({ type }) => type);

describe('runs whose worker died', () => {
  it('are free for others after one round, each told once, however many supervisors look', async () => {
    const { home, store } = await openHome();
    const project = await putProject(store);
    for (let index = 0; index < 3; index += 1) {
      const task = await putTask(store, project);
      await store.transact((tx) => putRun(tx, task));
    }
    const owner = await deadOwner();
    for (let index = 0; index < 3; index += 1) await claimJob(store, { owner: ownName() });
    await store.transact((tx) => tx.updateTable('jobs').set({ owner }).execute());
    const other = must(await openStore({ home }));
    onTestFinished(() => other.close());
    const reports = await Promise.all([supervise(store, home).runOnce(), supervise(other, home).runOnce()]);
    expect(reports.flatMap(({ problems }) => problems)).toEqual([]);
    expect(reports.flatMap(({ findings }) => findings.map(({ check }) => check))).toEqual([
      'dead-owners',
      'dead-owners',
      'dead-owners',
    ]);
    expect((await eventTypes(store)).filter((type) => type === 'supervisor.orphan_recovered')).toHaveLength(3);
    const claims = [];
    for (let index = 0; index < 4; index += 1) claims.push(await claimJob(store, { owner: ownName() }));
    expect(claims.filter((claim) => claim !== null)).toHaveLength(3);
    expect(claims[3]).toBeNull();
    expect((await supervise(store, home).runOnce()).findings).toEqual([]);
  });

  it('are left alone while the worker lives and its lease lasts', async () => {
    const { home, store } = await openHome();
    const task = await putTask(store, await putProject(store));
    await store.transact((tx) => putRun(tx, task));
    await claimJob(store, { owner: ownName() });
    expect((await supervise(store, home).runOnce()).findings).toEqual([]);
    await store.transact((tx) => tx.updateTable('jobs').set({ lease_until: 0 }).execute());
    expect((await supervise(store, home).runOnce()).findings).toMatchObject([{ check: 'dead-owners' }]);
  });

  it('have a place in the queue again where theirs was lost', async () => {
    const { home, store } = await openHome();
    const task = await putTask(store, await putProject(store));
    const run = await store.transact((tx) => putRun(tx, task));
    await store.transact((tx) => tx.updateTable('jobs').set({ state: 'done' }).execute());
    expect((await supervise(store, home).runOnce()).findings).toMatchObject([{ check: 'orphan-runs', runId: run.id }]);
    expect((await claimJob(store, { owner: ownName() }))?.runId).toBe(run.id);
  });
});

describe('a time limit', () => {
  it('counts over restarts, and ends a run that its own worker does not end', async () => {
    const home = makeFolder();
    const hang = {
      when: { outcome: 'pr_ready' },
      steps: [{ do: 'output', text: 'working' } as const, { do: 'hang' } as const],
    };
    const platform = await openTestPlatform({ home, scripts: [hang], supervise: { overdueMs: 0 } });
    const { project, task } = await addTask(platform, { path: await makeRepository() });
    must(await platform.workflow.updateProject(project.id, { config: { retry: { enabled: false } } }, PERSON));
    must(await platform.workflow.transition({ taskId: task.id, to: 'implementing' }, PERSON));
    await until(platform, { taskId: task.id }, (events) => events.some(({ type }) => type === 'agent.message'));
    expect(must(await platform.workflow.superviseOnce()).findings).toEqual([]);
    const store = must(await openStore({ home }));
    onTestFinished(() => store.close());
    const isWorking = async (): Promise<boolean> =>
      (await platform.workflow.listRuns({ taskId: task.id, status: 'running' })).length > 0;
    // The worker writes its own meter now and then, and may do so in between; the platform's own round may come first.
    while (await isWorking()) {
      await store.transact((tx) => tx.updateTable('run_meters').set({ agent_ms: 700_000 }).execute());
      must(await platform.workflow.superviseOnce());
    }
    const events = await until(platform, { taskId: task.id }, (seen) =>
      seen.some((event) => event.type === 'status.changed' && event.data.to === 'failed'),
    );
    expect(events.filter(({ type }) => type === 'supervisor.timeout')).toHaveLength(1);
    const [run, ...others] = await platform.workflow.listRuns({ taskId: task.id });
    expect([run?.status, others]).toEqual(['timeout', []]);
    expect(await statusOf(platform, task.id)).toBe('failed');
  });

  it('is passed only while the agent works, and only where there is one', () => {
    const configured = { step: 'configure', ok: true, result: { config: { timeout: 1000 } } } as const;
    expect(isOverdue([configured], 1500, 400)).toBe(1000);
    expect(isOverdue([configured], 1300, 400)).toBeNull();
    expect(isOverdue([configured, { step: 'execute', ok: true, result: {} }], 9999, 0)).toBeNull();
    expect(isOverdue([{ step: 'configure', ok: true, result: { config: {} } }], 9999, 0)).toBeNull();
    expect(isOverdue([], 9999, 0)).toBeNull();
  });
});

describe('what waits for people', () => {
  it('is told again once a day, whoever looks how often', async () => {
    const { platform, round } = await openUnsupervised({ reminderMs: 1 });
    const { task } = await addTask(platform, { path: await makeRepository() });
    must(await platform.workflow.transition({ taskId: task.id, to: 'implementing' }, PERSON));
    await until(platform, { taskId: task.id }, (events) => events.some(({ type }) => type === 'prompt.created'));
    const first = await round();
    expect(first.findings).toMatchObject([{ check: 'waiting-reminders', taskId: task.id }]);
    expect([dueReminder('2026-01-01T00:00:00Z', '2026-01-01T23:59:59Z', 86_400_000)]).toEqual([0]);
    expect([dueReminder('2026-01-01T00:00:00Z', '2026-01-03T00:00:00Z', 86_400_000)]).toEqual([2]);
  });

  it('includes a task that an agent should be working on: told once for each time it got there', async () => {
    const { home, store } = await openHome();
    const project = await putProject(store);
    await store.transact((tx) => savePipeline(tx, FEATURE));
    const task = await putTask(store, project, {
      pipelineId: 'feature',
      pipelineVersion: FEATURE.version,
      status: 'in_progress',
      updatedAt: '2026-01-01T00:00:00.000Z',
    });
    await putTask(store, project, { status: 'in_progress', updatedAt: '2026-01-01T00:00:00.000Z' });
    const found = await supervise(store, home).runOnce();
    expect(found.problems).toEqual([]);
    expect(found.findings).toMatchObject([{ check: 'idle-tasks', taskId: task.id }]);
    expect((await supervise(store, home).runOnce()).findings).toEqual([]);
    expect(agentStatuses(SIMPLE)).toEqual([]);
  });
});

describe('notifications', () => {
  it('that were settled a month ago are forgotten; younger and open ones stay', async () => {
    const { home, store } = await openHome();
    const row = { channel: 'desktop', notification: '{}', attempts: 1, task_id: null, not_before: null };
    const free = { owner: null, lease_until: null, error: null, created_at: '2026-01-01T00:00:00.000Z' };
    const put = (id: string, state: 'sent' | 'given_up' | 'due', settled: string | null) =>
      store.transact((tx) =>
        tx
          .insertInto('deliveries')
          .values({ ...row, ...free, id, dedup_key: id, state, settled_at: settled })
          .execute(),
      );
    await put('dlv_old', 'sent', '2026-01-01T00:00:00.000Z');
    await put('dlv_tired', 'given_up', '2026-01-01T00:00:00.000Z');
    await put('dlv_young', 'sent', new Date().toISOString());
    await put('dlv_open', 'due', null);
    expect((await supervise(store, home).runOnce()).problems).toEqual([]);
    const left = await store.read.selectFrom('deliveries').select('id').orderBy('id').execute();
    expect(left.map(({ id }) => id)).toEqual(['dlv_open', 'dlv_young']);
  });
});

async function finishedTask(platform: Platform, path: string) {
  const { task } = await addTask(platform, { path });
  must(await platform.workflow.transition({ taskId: task.id, to: 'implementing' }, PERSON));
  await until(platform, { taskId: task.id }, (events) => events.some(({ type }) => type === 'prompt.created'));
  const [run] = await platform.workflow.listRuns({ taskId: task.id });
  return { task, worktree: run?.worktree ?? '', branch: run?.branch ?? '' };
}

describe('folders', () => {
  it('of a task that has ended go, and nothing that was not committed goes with them', async () => {
    const { platform, round } = await openUnsupervised({ keepWorktreesMs: 0 });
    const path = await makeRepository();
    const { task, worktree, branch } = await finishedTask(platform, path);
    await git(path, 'worktree', 'lock', '--reason', 'attractor run_0 for task x', worktree);
    writeFileSync(join(worktree, 'mine.txt'), 'not committed\n');
    expect((await round()).findings).toEqual([]);
    must(await platform.workflow.transition({ taskId: task.id, to: 'cancelled' }, PERSON));
    await platform.worker.idle();
    expect((await round()).findings).toEqual([]);
    await git(path, 'worktree', 'unlock', worktree);
    const { findings } = await round();
    expect(findings).toMatchObject([{ check: 'finished-worktrees', taskId: task.id }]);
    expect(existsSync(worktree)).toBe(false);
    expect(await git(path, 'show', `refs/attractor/rescue/${task.id}/1:mine.txt`)).toBe('not committed');
    expect(await git(path, 'log', '-1', '--format=%s', branch)).toBe('Make sum add');
    expect(await git(path, 'worktree', 'list', '--porcelain')).not.toContain(worktree);
  });

  it('that a person removed, alone or with the whole repository, are no trouble', async () => {
    const platform = await openTestPlatform({ scripts: [IMPLEMENT], supervise: { keepWorktreesMs: 0 } });
    const path = await makeRepository();
    const { task, worktree } = await finishedTask(platform, path);
    must(await platform.workflow.transition({ taskId: task.id, to: 'cancelled' }, PERSON));
    await platform.worker.idle();
    for (const gone of [worktree, path]) {
      rmSync(gone, { recursive: true });
      expect(must(await platform.workflow.superviseOnce()).problems).toEqual([]);
    }
  });

  it('that were moved aside go once they are old, unless a repository in them has work that is nowhere else', async () => {
    const platform = await openTestPlatform({
      scripts: [IMPLEMENT],
      supervise: { keepWorktreesMs: 0, keepFoldersMs: 0 },
    });
    const path = await makeRepository();
    const { task, worktree } = await finishedTask(platform, path);
    const kept = `${worktree}.kept-abc`;
    cpSync(await makeRepository({ 'b.txt': 'b\n' }), join(kept, 'inner'), { recursive: true });
    const stays = async (): Promise<boolean> => {
      expect(must(await platform.workflow.superviseOnce()).problems).toEqual([]);
      return existsSync(kept);
    };
    await git(join(kept, 'inner'), 'update-ref', 'refs/remotes/origin/main', 'HEAD');
    expect(await stays()).toBe(true);
    must(await platform.workflow.transition({ taskId: task.id, to: 'cancelled' }, PERSON));
    await platform.worker.idle();
    writeFileSync(join(kept, 'inner', 'new.txt'), 'not committed\n');
    expect(await stays()).toBe(true);
    await git(join(kept, 'inner'), 'add', '--all');
    await git(join(kept, 'inner'), 'commit', '--quiet', '-m', 'not pushed');
    expect(await stays()).toBe(true);
    await git(join(kept, 'inner'), 'update-ref', 'refs/remotes/origin/main', 'HEAD');
    expect(await stays()).toBe(false);
    expect(await git(path, 'for-each-ref', 'refs/attractor/base')).toBe('');
  });

  it("that are locked for a run which has ended are unlocked, and people's own locks stay", async () => {
    const { platform, round } = await openUnsupervised();
    const path = await makeRepository();
    const { task, worktree } = await finishedTask(platform, path);
    const [run] = await platform.workflow.listRuns({ taskId: task.id });
    await git(path, 'worktree', 'lock', '--reason', `attractor ${run?.id ?? ''} for task ${task.id}`, worktree);
    const { findings } = await round();
    expect(findings).toMatchObject([{ check: 'stale-worktree-locks', runId: run?.id }]);
    await git(path, 'worktree', 'lock', '--reason', 'on a usb stick', worktree);
    expect((await round()).findings).toEqual([]);
    expect(lockedFor('on a usb stick')).toBeNull();
  });

  it('of runs that nobody knows go once they are old; known ones and others stay', async () => {
    const { home, store } = await openHome();
    const task = await putTask(store, await putProject(store));
    const run = await store.transact((tx) => putRun(tx, task));
    for (const name of ['run_0gone', 'run_0young', run.id, 'notes']) {
      mkdirSync(join(home, 'runs', name), { recursive: true });
      if (name !== 'run_0young') utimesSync(join(home, 'runs', name), 1, 1);
    }
    const { findings } = await supervise(store, home).runOnce();
    expect(findings.filter(({ check }) => check === 'orphan-folders').map(({ runId }) => runId)).toEqual(['run_0gone']);
    expect([existsSync(join(home, 'runs', run.id)), existsSync(join(home, 'runs', 'notes'))]).toEqual([true, true]);
    expect((await findRun(store.read, run.id))?.status).toBe('running');
  });
});

it('the shared set-up of a project goes with it, on other machines too; that of an unknown one stays', async () => {
  const { home, store } = await openHome();
  const [gone, kept] = [await putProject(store), await putProject(store)];
  for (const name of [gone.id, kept.id, 'prj_0other'])
    mkdirSync(join(home, 'setups', name, 'key'), { recursive: true });
  await store.transact(async (tx) => {
    await removeProject(tx, gone.id);
    const told = { projectId: gone.id, summary: 'Removed', data: { projectId: gone.id }, actor: PERSON } as const;
    await appendEvents(tx, [{ ...told, type: 'project.deleted' }]);
  });
  const { findings } = await supervise(store, home).runOnce();
  expect(findings).toMatchObject([{ check: 'orphan-folders' }]);
  expect(readdirSync(join(home, 'setups')).toSorted()).toEqual([kept.id, 'prj_0other'].toSorted());
});

describe('the disk', () => {
  it('is bounded: no run starts over it, and the reason says what to do', async () => {
    const home = makeFolder();
    writeFileSync(join(home, 'ballast'), Buffer.alloc(2_000_000, 1));
    const platform = await openTestPlatform({
      home,
      scripts: [IMPLEMENT],
      supervise: { maxDiskGb: 0.001, measureEveryMs: 0 },
    });
    const usage = must(await platform.workflow.diskUsage());
    expect(usage.totalBytes).toBeGreaterThan(2_000_000);
    expect(must(await platform.workflow.superviseOnce()).findings).toMatchObject([{ check: 'disk' }]);
    const { task } = await addTask(platform, { path: await makeRepository() });
    must(await platform.workflow.transition({ taskId: task.id, to: 'implementing' }, PERSON));
    await platform.worker.idle();
    expect(await platform.workflow.listRuns({ taskId: task.id })).toMatchObject([
      { status: 'running', worktree: null },
    ]);
    const health = await platform.workflow.health();
    expect([health.ok, health.parts.find(({ name }) => name === 'disk')?.summary]).toEqual([
      false,
      expect.stringContaining('maxDiskGb'),
    ]);
    expect(whyFull({ ...usage, maxBytes: null })).toBeNull();
    expect(whyFull({ ...usage, maxBytes: null, freeBytes: 5 })).toContain('free some space');
  });
});

describe('turns', () => {
  it('are held by one at a time, and a dead holder loses its own', async () => {
    const { store } = await openHome();
    const turn = await takeTurn(store, 'records');
    expect(await takeTurn(store, 'records')).toBeNull();
    expect(await takeTurn(store, 'other')).not.toBeNull();
    expect(await turn?.holds()).toBe(true);
    await turn?.release();
    expect(await takeTurn(store, 'records')).not.toBeNull();
    const owner = await deadOwner();
    await store.transact((tx) => tx.updateTable('supervision').set({ owner }).execute());
    expect(await takeTurn(store, 'records')).not.toBeNull();
    expect(await turn?.holds()).toBe(false);
  });

  it('tell all that is well, and what is not', async () => {
    const platform = await openTestPlatform();
    const health = await platform.workflow.health();
    expect(health.parts.map(({ name }) => name)).toEqual([
      'database',
      'git',
      'disk',
      'workers',
      'queue',
      'prompts',
      'limits',
      'supervisor',
    ]);
    expect(health.ok).toBe(true);
  });
});

it('moves transcripts into files after as many days as their project says, and none of a project that says nothing', async () => {
  const { home, store } = await openHome();
  await fillHistory(store, 200);
  const long = '2020-01-01T00:00:00.000Z';
  await store.transact(async (tx) => {
    await tx.updateTable('runs').set({ finished_at: long }).where('status', '=', 'completed').execute();
    await tx.updateTable('tasks').set({ updated_at: long }).execute();
  });
  const moved = async () =>
    (await supervise(store, home).runOnce()).findings.filter(({ check }) => check === 'old-transcripts');
  expect(await moved()).toEqual([]);
  const config = JSON.stringify({ keepTranscriptsDays: 30 });
  await store.transact((tx) => tx.updateTable('projects').set({ config }).execute());
  expect(await moved()).toMatchObject([{ summary: 'Moved the transcripts of 2 ended runs into files' }]);
  expect(await moved()).toEqual([]);
});
