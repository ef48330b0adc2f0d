import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defined } from '@attractor/base';
import { createScriptedAgent } from '@attractor/adapters';
import { sql } from 'kysely';
import { PgBoss } from 'pg-boss';
import { openPlatform, type Platform } from '../platform.ts';
import { openQueue } from '../queue/open-queue.ts';
import { unconfined } from '@attractor/run';
import {
  finishOnlyJob,
  insertProject,
  insertTask,
  openStore,
  type Result,
  savePipeline,
  type Store,
} from '@attractor/store';
import { SIMPLE } from '@attractor/pipeline';
import { PLAN } from './scripts.ts';
import { projectRow, putRun, taskRow } from '@attractor/store/testing';

/**
 * One measurement of the platform in a separate process: `node measure-child.ts WHAT HOME COUNT [DATABASE_URL]`. Prints
 * `{"count", "wallMs"}`; for `board` the time of one page.
 */
const [what = '', home = '', countText = '0', databaseUrl] = process.argv.slice(2);
const count = Number(countText);
const AT_ONCE = 8;
const PERSON = { type: 'user', name: 'Ada' } as const;
const shared = defined({ databaseUrl });

const MEASUREMENTS: Readonly<Record<string, () => Promise<number>>> = { create, complete, claims, boss, board };
const wallMs = await (MEASUREMENTS[what] ?? unknown)();
process.stdout.write(`${JSON.stringify({ count, wallMs })}\n`);

async function unknown(): Promise<number> {
  throw new Error(`Nothing is called ${what}`);
}

function must<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function openWith(concurrency: number): Promise<Platform> {
  const agents = [createScriptedAgent([PLAN])];
  const options = { home, ...shared, agents, env: process.env, confine: unconfined, concurrency };
  return must(await openPlatform({ ...options, onUnexpected: (error) => console.error(error) }));
}

async function addProject(platform: Platform): Promise<string> {
  const repository = join(home, 'repository');
  mkdirSync(repository, { recursive: true });
  writeFileSync(join(repository, 'a.txt'), 'a\n');
  const git = (...args: ReadonlyArray<string>) => execFileSync('git', args, { cwd: repository });
  git('init', '-q', '-b', 'main');
  git('add', '--all');
  git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.invalid', 'commit', '-q', '-m', 'first');
  return must(await platform.workflow.createProject({ path: repository }, PERSON)).id;
}

/** Tasks created one after another, as by a person or a script. */
async function create(): Promise<number> {
  const platform = await openWith(0);
  const projectId = await addProject(platform);
  const wallMs = await timed(async () => {
    for (let index = 0; index < count; index += 1)
      must(await platform.workflow.createTask({ projectId, title: `Task ${index}` }, PERSON));
  });
  await platform.close();
  return wallMs;
}

/** Whole runs: ten steps with a worktree each, and an agent that answers at once. */
async function complete(): Promise<number> {
  const platform = await openWith(AT_ONCE);
  const projectId = await addProject(platform);
  const wallMs = await timed(async () => {
    for (let index = 0; index < count; index += 1) {
      const task = must(await platform.workflow.createTask({ projectId, title: `Task ${index}` }, PERSON));
      must(await platform.workflow.startAgent({ taskId: task.id, mode: 'plan' }, PERSON));
    }
    await platform.worker.idle();
  });
  const ended = (await platform.workflow.listRuns({ status: 'completed' })).length;
  if (ended !== count) throw new Error(`${ended} of ${count} runs were completed`);
  await platform.close();
  return wallMs;
}

async function openFilled(tasks: number): Promise<{ readonly store: Store; readonly projectId: string }> {
  const store = must(await openStore(databaseUrl === undefined ? { home } : { databaseUrl }));
  const project = projectRow();
  await store.transact(async (tx) => {
    await savePipeline(tx, SIMPLE);
    await insertProject(tx, project);
    for (let index = 0; index < tasks; index += 1) {
      const task = taskRow(project, { sortOrder: index, status: index % 3 === 0 ? 'implementing' : 'open' });
      await insertTask(tx, task, {});
      if (what === 'claims') await putRun(tx, task);
    }
  });
  // The server analyses new rows by itself within a minute; until then it does not know how many there are.
  if (store.dialect === 'postgres') await sql`analyze`.execute(store.read);
  return { store, projectId: project.id };
}

/** Jobs that are claimed and finished with no work in between. */
async function claims(): Promise<number> {
  const { store } = await openFilled(count);
  const queue = must(await openQueue(store, { ...shared, concurrency: AT_ONCE }));
  let finished = 0;
  const all = Promise.withResolvers<void>();
  const wallMs = await timed(async () => {
    const worker = await queue.work({
      concurrency: AT_ONCE,
      work: async (claim) => {
        await finishOnlyJob(queue.store, claim);
        finished += 1;
        if (finished === count) all.resolve();
        return 'finished';
      },
      onUnexpected: (_claim, error) => all.reject(error),
    });
    await all.promise;
    await worker.close();
  });
  await queue.close();
  await store.close();
  return wallMs;
}

/** The same with pg-boss alone: fetched and completed one by one, with the same concurrency. */
async function boss(): Promise<number> {
  const alone = new PgBoss({ connectionString: databaseUrl ?? '', schema: 'alone', max: AT_ONCE, schedule: false });
  await alone.start();
  await alone.createQueue('jobs');
  await alone.insert(
    'jobs',
    Array.from({ length: count }, (_item, index) => ({ data: { index } })),
  );
  const work = async (): Promise<void> => {
    for (;;) {
      const [job] = await alone.fetch('jobs');
      if (job === undefined) return;
      await alone.complete('jobs', job.id);
    }
  };
  const wallMs = await timed(() => Promise.all(Array.from({ length: AT_ONCE }, work)));
  await alone.stop({ graceful: false });
  return wallMs;
}

/** One page of the board and one of a column, with this many tasks. */
async function board(): Promise<number> {
  const { store, projectId } = await openFilled(count);
  await store.close();
  const platform = await openWith(0);
  const page = async (): Promise<void> => {
    await platform.workflow.pageTasks({ projectId, limit: 50 });
    await platform.workflow.pageTasks({ projectId, status: ['implementing'], limit: 50 });
  };
  const times: number[] = [];
  for (let round = 0; round < 40; round += 1) times.push(await timed(page));
  await platform.close();
  return times.toSorted((a, b) => a - b)[20] ?? 0;
}
