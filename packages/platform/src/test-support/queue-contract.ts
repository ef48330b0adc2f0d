import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SIMPLE, startRun } from '@attractor/pipeline';
import type { Claimer } from '../queue/choose.ts';
import { claimJob } from '../queue/claim.ts';
import { fireDue } from '../workflow/schedules/fire-schedules.ts';
import { startWorker } from '../queue/local.ts';
import {
  type Claim,
  findRun,
  findTask,
  finishJob,
  HEAD_START,
  insertProject,
  insertTask,
  listEvents,
  listTasks,
  ownName,
  type Priority,
  type Project,
  type ProjectSettings,
  putJob,
  type RunOverrides,
  savePipeline,
  type StartGate,
  type Store,
  type Task,
  type Tx,
  updateProject,
} from '@attractor/store';
import { editTask } from '../workflow/tasks/edit-tasks.ts';
import { createQueueCommands } from '../workflow/queue/queue.ts';
import { createTask } from '../workflow/tasks/tasks.ts';
import { must, PERSON, type Place, projectRow, runs, taskRow } from '@attractor/store/testing';
import { createScheduleCommands } from '../workflow/schedules/commands.ts';

/** Nobody takes its jobs over: a lease of seconds runs out on a busy machine while a test looks at something else. */
export const ME: Claimer = { owner: ownName(), leaseMs: 3_600_000 };

/** A project with its settings, on a store that has the simple pipeline. */
export async function putQueueProject(store: Store, config: ProjectSettings = {}): Promise<Project> {
  const project: Project = { ...projectRow(), config };
  await store.transact(async (tx) => {
    await savePipeline(tx, SIMPLE).catch(() => undefined);
    await insertProject(tx, project);
  });
  return project;
}

type Wish = { readonly priority?: Priority; readonly overrides?: RunOverrides };

/** A task with a run that waits in the queue; the run's id. */
export async function putQueued(tx: Tx, project: Project, { priority = 'medium', overrides = {} }: Wish = {}) {
  const task: Task = taskRow(project, { priority });
  await insertTask(tx, task, {});
  const hookParams = {};
  const run = await startRun(tx, {
    task,
    mode: 'implement',
    hookParams,
    overrides,
    defaultAgentType: 'scripted',
    actor: PERSON,
  });
  return run.id;
}

export const finish = (store: Store, claim: Claim): Promise<void> => store.transact((tx) => finishJob(tx, claim));

const claimed = (claim: Claim | null): Claim => {
  if (claim === null) throw new Error('nothing to claim');
  return claim;
};

/** What the queue must satisfy on every store. */
export function describeQueue(name: string, makePlace: () => Promise<Place>): void {
  const open = async (place?: Place): Promise<Store> => {
    const store = must(await (place ?? (await makePlace())).open());
    onTestFinished(() => store.close());
    return store;
  };
  const put = (store: Store, project: Project, wish: Wish = {}) => store.transact((tx) => putQueued(tx, project, wish));

  describe(`${name}: the order of the queue`, () => {
    it('goes round the projects, the one with the fewest running first, and within one by priority', async () => {
      const store = await open();
      const [a, b] = [await putQueueProject(store), await putQueueProject(store)];
      const low = await put(store, a, { priority: 'low' });
      const medium = await put(store, a);
      const critical = await put(store, a, { priority: 'critical' });
      const other = await put(store, b, { priority: 'low' });
      const order: string[] = [];
      const first = claimed(await claimJob(store, ME));
      order.push(first.runId);
      order.push(claimed(await claimJob(store, ME)).runId);
      await finish(store, first);
      order.push(claimed(await claimJob(store, ME)).runId, claimed(await claimJob(store, ME)).runId);
      expect(order).toEqual([critical, other, medium, low]);
      expect(await claimJob(store, ME)).toBeNull();
    });

    it('changes with the priority of a task that waits', async () => {
      const store = await open();
      const project = await putQueueProject(store);
      const first = await put(store, project);
      const second = await put(store, project);
      const taskId = (await findRun(store.read, second))?.taskId ?? '';
      must(await editTask(store, { taskId, edit: { priority: 'high' } }, PERSON));
      expect([claimed(await claimJob(store, ME)).runId, claimed(await claimJob(store, ME)).runId]).toEqual([
        second,
        first,
      ]);
    });

    it('lets a job be overtaken by a bounded number of later ones, however urgent they are', async () => {
      const store = await open();
      const project = await putQueueProject(store);
      const low = await put(store, project, { priority: 'low' });
      const bound = HEAD_START.critical - HEAD_START.low;
      // As if this many jobs had come and gone meanwhile: two more may pass, the rest may not.
      const last = await put(store, project);
      await store.transact((tx) =>
        tx
          .updateTable('jobs')
          .set({ state: 'done', number: bound - 2 })
          .where('run_id', '=', last)
          .execute(),
      );
      const urgent: string[] = [];
      for (let index = 0; index < 5; index += 1) urgent.push(await put(store, project, { priority: 'critical' }));
      const order: string[] = [];
      for (let index = 0; index < 6; index += 1) order.push(claimed(await claimJob(store, ME)).runId);
      expect(order).toEqual([...urgent.slice(0, 2), low, ...urgent.slice(2)]);
    });

    it('keeps a job back until its time', async () => {
      const store = await open();
      const project = await putQueueProject(store);
      const run = await put(store, project);
      const notBefore = new Date(Date.now() + 3_600_000).toISOString();
      await store.transact(async (tx) => {
        await tx.deleteFrom('jobs').execute();
        await putJob(tx, run, { notBefore });
      });
      expect(await claimJob(store, ME)).toBeNull();
      await store.transact((tx) =>
        tx
          .updateTable('jobs')
          .set({ not_before: new Date(0).toISOString() })
          .execute(),
      );
      expect(await claimJob(store, ME)).toMatchObject({ runId: run });
    });
  });

  describe(`${name}: what may start`, () => {
    it('is held to the caps of project, agent and account by claims that race', async () => {
      const place = await makePlace();
      const stores = [await open(place), await open(place)];
      const [store] = stores;
      if (store === undefined) throw new Error('no store');
      const a = await putQueueProject(store, { maxConcurrentRuns: 2 });
      const b = await putQueueProject(store, { account: 'team' });
      for (let index = 0; index < 6; index += 1) {
        await put(store, a, { overrides: { agentType: 'one' } });
        await put(store, b, { overrides: { agentType: index % 2 === 0 ? 'one' : 'two' } });
      }
      const commands = createQueueCommands({ store });
      must(await commands.setQueueLimit({ kind: 'agent', name: 'one', max: 3 }, PERSON));
      must(await commands.setQueueLimit({ kind: 'account', name: 'team', max: 4 }, PERSON));
      await Promise.all(Array.from({ length: 30 }, (_item, index) => claimJob(stores[index % 2] ?? store, ME)));
      const state = await commands.queueState();
      const running = state.jobs.filter((job) => job.state === 'running');
      expect(running.filter((job) => job.projectId === a.id).length).toBeLessThanOrEqual(2);
      expect(running.filter((job) => job.agentType === 'one')).toHaveLength(3);
      expect(running.filter((job) => job.account === 'team').length).toBeLessThanOrEqual(4);
      expect(running.length).toBeGreaterThanOrEqual(5);
      must(await commands.setQueueLimit({ kind: 'agent', name: 'one', max: null }, PERSON));
      must(await commands.setQueueLimit({ kind: 'account', name: 'team', max: 5 }, PERSON));
      expect(await claimJob(store, ME)).not.toBeNull();
    });

    it('needs a worker that has what the run asks for', async () => {
      const store = await open();
      const project = await putQueueProject(store, { labels: ['gpu'] });
      const own = await put(store, project, { overrides: { labels: [] } });
      const asked = await put(store, project);
      expect(await claimJob(store, ME)).toMatchObject({ runId: own });
      expect(await claimJob(store, { ...ME, labels: ['arm'] })).toBeNull();
      const claim = claimed(await claimJob(store, { ...ME, labels: ['arm', 'gpu'], leaseMs: -1 }));
      expect(claim.runId).toBe(asked);
      expect(await claimJob(store, ME)).toBeNull();
      expect(await claimJob(store, { ...ME, labels: ['gpu'] })).toMatchObject({ runId: asked, fence: claim.fence + 1 });
    });

    it('is what no gate holds back; the reason of one that does is there to read, and the others flow', async () => {
      const store = await open();
      const project = await putQueueProject(store);
      const held = await put(store, project, { priority: 'critical' });
      const free = await put(store, project);
      let isOpen = false;
      const gate: StartGate = async (_tx, run) =>
        run.id === held && !isOpen ? { code: 'budget', message: 'The day has no budget left' } : null;
      const claimer = { ...ME, gates: [gate] };
      expect(await claimJob(store, claimer)).toMatchObject({ runId: free });
      let commits = 0;
      const counted: Store = {
        ...store,
        transact: async (...asked) => {
          const value = await store.transact(...asked);
          commits += 1;
          return value;
        },
      };
      for (let index = 0; index < 3; index += 1) expect(await claimJob(counted, claimer)).toBeNull();
      // Claims that found nothing new are taken back, and wake nobody.
      expect(commits).toBe(0);
      const job = (await createQueueCommands({ store }).queueState()).jobs.find(({ state }) => state === 'queued');
      expect(job).toMatchObject({ runId: held, blocked: { code: 'budget', message: 'The day has no budget left' } });
      isOpen = true;
      expect(await claimJob(store, claimer)).toMatchObject({ runId: held });
      expect((await createQueueCommands({ store }).queueState()).jobs.map(({ blocked }) => blocked)).toEqual([
        null,
        null,
      ]);
    });

    it('waits during a pause, of one project or of all; a drain answers when what ran has ended', async () => {
      const store = await open();
      const [a, b] = [await putQueueProject(store), await putQueueProject(store)];
      for (const project of [a, b]) for (let index = 0; index < 2; index += 1) await put(store, project);
      const commands = createQueueCommands({ store });
      must(await commands.pauseQueue({ projectId: a.id }, PERSON));
      const claim = claimed(await claimJob(store, ME));
      expect((await findRun(store.read, claim.runId))?.projectId).toBe(b.id);
      expect(must(await commands.drainQueue({ patienceMs: 0 }, PERSON))).toMatchObject({ isPaused: true, running: 1 });
      const drained = commands.drainQueue({}, PERSON);
      expect(await claimJob(store, ME)).toBeNull();
      await finish(store, claim);
      expect(must(await drained)).toMatchObject({ isPaused: true, running: 0, queued: 3 });
      must(await commands.resumeQueue({}, PERSON));
      expect((await findRun(store.read, claimed(await claimJob(store, ME)).runId))?.projectId).toBe(b.id);
      expect(await claimJob(store, ME)).toBeNull();
      must(await commands.resumeQueue({ projectId: a.id }, PERSON));
      expect((await findRun(store.read, claimed(await claimJob(store, ME)).runId))?.projectId).toBe(a.id);
      expect(await commands.pauseQueue({ projectId: 'prj_none' }, PERSON)).toMatchObject({ ok: false });
    });
  });

  describe(`${name}: poison`, () => {
    it('ends its run with the reason, parks the task and lets the others flow', async () => {
      const store = await open();
      const project = await putQueueProject(store);
      const poison = await put(store, project, { priority: 'critical' });
      const good = await put(store, project);
      const seen: string[] = [];
      const worker = startWorker({
        store,
        concurrency: 1,
        work: async (claim) => {
          seen.push(claim.runId);
          if (claim.runId === poison) throw new Error('crash');
          await finish(store, claim);
        },
        onUnexpected: () => undefined,
      });
      await worker.idle();
      await worker.close();
      expect(seen.filter((run) => run === poison)).toHaveLength(10);
      expect(seen.filter((run) => run === good)).toHaveLength(1);
      const run = await findRun(store.read, poison);
      expect(run).toMatchObject({ status: 'failed', error: expect.stringContaining('10 workers in a row') });
      expect((await findTask(store.read, run?.taskId ?? ''))?.status).not.toBe('implementing');
    });
  });

  describe(`${name}: many jobs`, () => {
    const COUNT = runs(1) > 1 ? 2_000 : 40;
    it(`are all done once by workers on two stores, none starved (${COUNT} in 4 projects)`, async () => {
      const place = await makePlace();
      const stores = [await open(place), await open(place)];
      const [store] = stores;
      if (store === undefined) throw new Error('no store');
      const projects: Project[] = [];
      for (let index = 0; index < 4; index += 1) projects.push(await putQueueProject(store, { maxConcurrentRuns: 3 }));
      // Nearly all of the work belongs to one project: the others must not wait behind it.
      await store.transact(async (tx) => {
        for (let index = 0; index < COUNT; index += 1)
          await putQueued(tx, projects[index % 10 < 7 ? 0 : (index % 10) - 6] ?? projectRow(), {
            priority: index % 3 === 0 ? 'low' : 'high',
          });
      });
      const started: string[] = [];
      const running = new Map<string, number>();
      let most = 0;
      const workers = stores.map((own) =>
        startWorker({
          store: own,
          concurrency: 4,
          work: async (claim) => {
            const projectId = (await findRun(own.read, claim.runId))?.projectId ?? '';
            started.push(projectId);
            running.set(projectId, (running.get(projectId) ?? 0) + 1);
            most = Math.max(most, running.get(projectId) ?? 0);
            await sleep(1);
            running.set(projectId, (running.get(projectId) ?? 0) - 1);
            await finish(own, claim);
          },
          onUnexpected: (_claim, error) => {
            throw error;
          },
        }),
      );
      while ((await createQueueCommands({ store }).queueState({ limit: 1 })).queued > 0) await sleep(20);
      await Promise.all(workers.map((worker) => worker.drain()));
      await Promise.all(workers.map((worker) => worker.close()));
      expect(started).toHaveLength(COUNT);
      expect(most).toBeLessThanOrEqual(3);
      // While a small project still had work, it was never passed over for longer than one round of all that can run.
      for (const { id } of projects.slice(1)) {
        const turns = started.flatMap((projectId, index) => (projectId === id ? [index] : []));
        const gaps = turns.map((turn, index) => turn - (turns[index - 1] ?? -1));
        expect(Math.max(...gaps)).toBeLessThanOrEqual(16);
      }
    });
  });

  describe(`${name}: schedules`, () => {
    const action = { kind: 'create', task: { title: 'Update the dependencies', pipelineId: 'simple' } } as const;

    it('make one task a time, with two servers and after a long time away', async () => {
      const place = await makePlace();
      const stores = [await open(place), await open(place)];
      const [store] = stores;
      if (store === undefined) throw new Error('no store');
      const project = await putQueueProject(store);
      const commands = createScheduleCommands({ store });
      const saved = must(
        await commands.saveSchedule({ projectId: project.id, name: 'Daily', cron: '0 7 * * *', action }, PERSON),
      );
      expect(await fireDue(store, 'scripted')).toBe(0);
      await store.transact((tx) => tx.updateTable('schedules').set({ next_at: '2020-01-01T07:00:00.000Z' }).execute());
      const fired = await Promise.all([...stores, ...stores].map((own) => fireDue(own, 'scripted')));
      expect(fired.reduce((sum, count) => sum + count, 0)).toBe(1);
      const tasks = await listTasks(store.read, { projectId: project.id });
      expect(tasks.map(({ title }) => title)).toEqual(['Update the dependencies']);
      const [after] = await commands.listSchedules({ projectId: project.id });
      expect(after).toMatchObject({ lastResult: tasks[0]?.id, id: saved.id });
      expect(Date.parse(after?.nextAt ?? '')).toBeGreaterThan(Date.now());
      must(await commands.deleteSchedule(saved.id, PERSON));
      expect(await commands.listSchedules()).toEqual([]);
    });

    it('start an agent where they say so, and tell why where they could not', async () => {
      const store = await open();
      const project = await putQueueProject(store);
      const commands = createScheduleCommands({ store });
      const started = { ...action, start: 'implement' } as const;
      const first = must(
        await commands.saveSchedule({ projectId: project.id, name: 'Start', cron: '@daily', action: started }, PERSON),
      );
      const due = () =>
        store.transact((tx) => tx.updateTable('schedules').set({ next_at: '2020-01-01T07:00:00.000Z' }).execute());
      await due();
      await fireDue(store, 'scripted');
      expect(await claimJob(store, ME)).not.toBeNull();
      const [task] = await listTasks(store.read, { projectId: project.id });
      const again = { kind: 'start', taskId: task?.id ?? '', mode: 'implement' } as const;
      must(
        await commands.saveSchedule(
          { id: first.id, projectId: project.id, name: 'Start', cron: '@daily', action: again },
          PERSON,
        ),
      );
      await due();
      await fireDue(store, 'scripted');
      expect((await commands.listSchedules())[0]?.lastResult).toContain('already working on this task');
    });

    it('leave nothing behind but the word that they failed, where a later part of what they do is refused', async () => {
      const store = await open();
      const project = await putQueueProject(store);
      const commands = createScheduleCommands({ store });
      const moved = { ...action, to: 'done' } as const;
      must(await commands.saveSchedule({ projectId: project.id, name: 'Move', cron: '@daily', action: moved }, PERSON));
      await store.transact((tx) => tx.updateTable('schedules').set({ next_at: '2020-01-01T07:00:00.000Z' }).execute());
      expect(await fireDue(store, 'scripted')).toBe(1);
      expect(await listTasks(store.read, { projectId: project.id })).toEqual([]);
      const told = await listEvents(store.read, { projectId: project.id });
      expect(told.map(({ type }) => type)).toEqual(['schedule.saved', 'schedule.failed']);
      const [after] = await commands.listSchedules();
      expect(after?.lastResult).toContain('No transition leads from');
      expect(Date.parse(after?.nextAt ?? '')).toBeGreaterThan(Date.now());
    });

    it('that can never work any more can still be switched off', async () => {
      const store = await open();
      const project = await putQueueProject(store);
      const commands = createScheduleCommands({ store });
      const input = { projectId: project.id, name: 'Gone', cron: '@daily', action } as const;
      const { id } = must(await commands.saveSchedule(input, PERSON));
      const broken = { ...input, id, action: { ...action, to: 'nowhere' } } as const;
      expect(await commands.saveSchedule(broken, PERSON)).toMatchObject({ ok: false });
      expect(await commands.saveSchedule({ ...broken, isEnabled: false }, PERSON)).toMatchObject({ ok: true });
    });

    it('are refused where they can never work', async () => {
      const store = await open();
      const project = await putQueueProject(store);
      await store.transact((tx) => updateProject(tx, project));
      const task = must(
        await createTask(
          store,
          { ...action.task, projectId: project.id },
          { actor: PERSON, defaultAgentType: 'scripted' },
        ),
      );
      const commands = createScheduleCommands({ store });
      const good = { projectId: project.id, name: 'n', cron: '* * * * *', action };
      for (const [bad, words] of [
        [{ ...good, cron: 'each morning' }, 'cron line'],
        [{ ...good, cron: '0 0 31 2 *' }, 'ever due'],
        [{ ...good, cron: '99 * * * *' }, 'cron line'],
        [{ ...good, timeZone: 'Mars/Olympus' }, 'time zone'],
        [{ ...good, projectId: 'prj_none' }, 'no project'],
        [{ ...good, name: ' ' }, 'name'],
        [{ ...good, action: { kind: 'move', taskId: 'tsk_none', to: 'x' } }, 'no task'],
        [{ ...good, action: { kind: 'create', task: { title: '', template: 'none' } } }, 'no template'],
        [{ ...good, action: { ...action, to: 'nowhere' } }, 'has no status "nowhere"; it has open, '],
        [
          { ...good, action: { kind: 'move', taskId: task.id, to: 'nowhere' } },
          'has no status "nowhere"; it has open, ',
        ],
      ] as const)
        expect(await commands.saveSchedule(bad, PERSON)).toMatchObject({
          ok: false,
          error: { message: expect.stringContaining(words) },
        });
      expect(await commands.listSchedules()).toEqual([]);
    });
  });
}
