import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createScriptedAgent } from '@attractor/adapters';
import { bundledProgram, compileCache } from '@attractor/base/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openPlatform, type Platform } from '../platform.ts';
import { claimJob } from '../queue/claim.ts';
import { openStore } from '@attractor/store';
import { deadOwner } from '../test-support/dead-owner.ts';
import { expectLogTellsAll } from '../test-support/log-tells-all.ts';
import { makeFolder, must, PERSON, runs } from '@attractor/store/testing';
import { openedDatabase } from '../test-support/opened-database.ts';
import { addTask } from '../test-support/world.ts';
import { ENV, makeRepository } from '@attractor/repository/testing';
import { unconfined } from '@attractor/run';

const CHILD = join(import.meta.dirname, '../test-support/crash-race-child.ts');
const MANY = 8;

/** A task goes to a person, whose answer moves it. */
const PIPELINE = {
  id: 'ask',
  name: 'Ask',
  description: 'Asks at once.',
  initialStatus: 'open',
  terminalStatuses: ['yes', 'no'],
  statuses: [
    { id: 'open', label: 'Open', color: 'gray', category: 'backlog', position: 0 },
    { id: 'asked', label: 'Asked', color: 'amber', category: 'waiting', position: 1 },
    { id: 'yes', label: 'Yes', color: 'green', category: 'done', position: 2 },
    { id: 'no', label: 'No', color: 'gray', category: 'done', position: 3 },
  ],
  transitions: [
    {
      id: 'ask',
      from: 'open',
      to: 'asked',
      label: 'Ask',
      trigger: { type: 'manual' },
      hooks: [
        {
          type: 'create_prompt',
          params: { type: 'review', title: 'Well?', answers: { approve: 'yes', changes: 'open', reject: 'no' } },
        },
      ],
    },
    { id: 'yes', from: 'asked', to: 'yes', label: 'Yes', trigger: { type: 'manual' } },
    { id: 'no', from: 'asked', to: 'no', label: 'No', trigger: { type: 'manual' } },
    { id: 'back', from: 'asked', to: 'open', label: 'Back', trigger: { type: 'manual' } },
  ],
};

type Place = { readonly home: string; readonly databaseUrl?: string };

/** Two processes that do what they are told at the same moment; answers how much each of them did. */
async function startTwo({ home, databaseUrl }: Place) {
  const processes = ['Ada', 'Bob'].map((name) => {
    const args = [bundledProgram(CHILD), home, name, ...(databaseUrl === undefined ? [] : [databaseUrl])];
    const child = spawn(process.execPath, args, {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { PATH: ENV.PATH, HOME: ENV.HOME, ...compileCache() },
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    onTestFinished(async () => {
      child.stdin.end();
      if (child.exitCode === null) await once(child, 'exit');
    });
    return { child, line: async () => String((await lines.next()).value) };
  });
  await Promise.all(processes.map(({ line }) => line()));
  return async (...words: readonly [string, string]): Promise<ReadonlyArray<number>> => {
    for (const [index, { child }] of processes.entries()) child.stdin.write(`${words[index] ?? ''}\n`);
    return Promise.all(processes.map(async ({ line }) => Number(await line())));
  };
}

async function open(place: Place, concurrency: number): Promise<Platform> {
  const agent = createScriptedAgent([
    {
      steps: [
        { do: 'createFile', path: 'a.txt', content: 'a\n' },
        { do: 'outcome', outcome: 'pr_ready' },
      ],
    },
  ]);
  const platform = must(
    await openPlatform({ ...place, agents: [agent], env: ENV, confine: unconfined, concurrency, supervise: false }),
  );
  onTestFinished(async () => {
    await platform.worker.close();
    await expectLogTellsAll(platform);
    await platform.close();
  });
  return platform;
}

async function addTasks(platform: Platform, pipelineId: string): Promise<ReadonlyArray<string>> {
  const path = await makeRepository({ 'old.txt': 'old\n' });
  const { project, task } = await addTask(platform, { path, pipelineId });
  const ids: string[] = [task.id];
  while (ids.length < MANY)
    ids.push(
      must(await platform.workflow.createTask({ projectId: project.id, title: 'One more', pipelineId }, PERSON)).id,
    );
  return ids;
}

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((a, b) => a + b, 0);
const ENDS = ['agent.completed', 'agent.failed', 'agent.cancelled'];

const databases: Record<string, () => Promise<Place>> = { SQLite: async () => ({ home: makeFolder() }) };
if (runs(1) > 1) databases['PostgreSQL'] = async () => ({ home: makeFolder(), databaseUrl: await openedDatabase() });

describe.each(Object.entries(databases))('two processes on one %s database', (_name, place) => {
  it('answer each prompt once between them, and each answer moves its task once', async () => {
    const where = await place();
    const platform = await open(where, 0);
    const { workflow } = platform;
    must(await workflow.savePipeline(PIPELINE, PERSON));
    const tasks = await addTasks(platform, 'ask');
    for (const taskId of tasks) must(await workflow.transition({ taskId, to: 'asked' }, PERSON));
    const both = await startTwo(where);
    expect(sum(await both('approve', 'reject'))).toBe(MANY);
    for (const taskId of tasks) {
      const events = await workflow.events({ taskId, limit: 1_000 });
      const answered = events.filter((event) => event.type === 'prompt.answered');
      const moves = events.filter((event) => event.type === 'status.changed').map(({ data }) => data.to);
      expect({ taskId, answers: answered.length, moves: moves.length }).toEqual({ taskId, answers: 1, moves: 2 });
      const [prompt] = await workflow.listPrompts({ taskId });
      expect(prompt?.answer?.decision).toBe(moves.at(-1) === 'yes' ? 'approve' : 'reject');
    }
    expect(await both('approve', 'reject')).toEqual([0, 0]);
  });

  it('stop runs while they complete, and each ends once', async () => {
    const where = await place();
    const platform = await open(where, 2);
    const { workflow } = platform;
    const tasks = await addTasks(platform, 'coding');
    const both = await startTwo(where);
    for (const taskId of tasks) must(await workflow.transition({ taskId, to: 'implementing' }, PERSON));
    while ((await workflow.listRuns({ status: 'completed' })).length === 0)
      await new Promise((resolve) => setTimeout(resolve, 5));
    await both('stop', 'stop');
    await platform.worker.idle();
    const all = await workflow.listRuns({});
    expect(all).toHaveLength(MANY);
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set(['completed', 'cancelled']));
    for (const run of all) {
      const ends = await workflow.events({ runId: run.id, type: ENDS, limit: 1_000 });
      expect(ends.map(({ type }) => type)).toEqual([`agent.${run.status}`]);
      const moves = await workflow.events({ taskId: run.taskId, type: 'status.changed', limit: 1_000 });
      expect(moves).toHaveLength(run.status === 'completed' ? 2 : 1);
    }
    expect(await both('stop', 'stop')).toEqual([0, 0]);
  });

  it('supervise at once, and deal with each trouble once', async () => {
    const where = await place();
    const platform = await open(where, 0);
    const { workflow } = platform;
    const tasks = await addTasks(platform, 'coding');
    for (const taskId of tasks) must(await workflow.transition({ taskId, to: 'implementing' }, PERSON));
    const store = must(await openStore(where.databaseUrl === undefined ? where : { databaseUrl: where.databaseUrl }));
    const owner = await deadOwner();
    for (const _task of tasks) await claimJob(store, { owner });
    // One by one: whoever is dead loses what it has at the next claim.
    await store.transact((tx) => tx.updateTable('jobs').set({ state: 'running', owner, lease_until: 0 }).execute());
    await store.close();
    const both = await startTwo(where);
    expect(sum(await both('supervise', 'supervise'))).toBe(MANY);
    for (const taskId of tasks)
      expect(await workflow.events({ taskId, type: 'supervisor.orphan_recovered', limit: 100 })).toHaveLength(1);
    expect(await both('supervise', 'supervise')).toEqual([0, 0]);
  });
});
