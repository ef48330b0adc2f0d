import type { Script } from '@attractor/adapters';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { newId } from '@attractor/base/id';
import { toNano } from '@attractor/analytics';
import {
  addAmounts,
  addArtifact,
  addUsage,
  type AgentRun,
  type AgentRunStatus,
  insertRun,
  listRunUsage,
  NOTHING,
  openStore,
  type Store,
  type StoreLocation,
  SLOT_MS,
  type Task,
  updateRun,
  type UsedAmount,
} from '@attractor/store';
import { makeFolder, must, PERSON, putProject, putRun, putTask, runRow, runs } from '@attractor/store/testing';
import { openedDatabase } from '../../test-support/opened-database.ts';
import { makeRepository } from '@attractor/repository/testing';
import { openTestPlatform } from '../../test-support/world.ts';
import type { Costs, SpendFilter, SpendGroup } from '@attractor/analytics';
import { readCosts, toSpend } from '@attractor/analytics';
import { compareAgents, readStats } from '@attractor/analytics';

const PLACES: Readonly<Record<string, () => Promise<StoreLocation>>> = {
  sqlite: async () => ({ file: `${makeFolder()}/attractor.db` }),
  postgres: async () => ({ databaseUrl: await openedDatabase() }),
};

type Used = {
  readonly task: number;
  readonly model: string;
  readonly at: number;
  readonly tokens: number;
  readonly cost: number | null;
};

const used: fc.Arbitrary<Used> = fc.record({
  task: fc.integer({ min: 0, max: 3 }),
  model: fc.constantFrom('alpha', 'beta', ''),
  at: fc.integer({ min: Date.parse('2026-03-27T00:00:00Z'), max: Date.parse('2026-03-31T00:00:00Z') }),
  tokens: fc.integer({ min: 0, max: 1_000_000 }),
  cost: fc.option(fc.double({ min: 0, max: 3, noNaN: true })),
});

const amount = ({ tokens, cost }: Used): UsedAmount => ({
  ...NOTHING,
  calls: 1,
  inputTokens: tokens,
  outputTokens: tokens % 7,
  costNano: cost === null ? 0 : toNano(cost),
  unpricedCalls: cost === null ? 1 : 0,
});

/** Ranges that begin and end within days, and with them. */
const FILTERS: ReadonlyArray<SpendFilter> = [
  {},
  { model: 'alpha' },
  { from: '2026-03-28', to: '2026-03-29' },
  { from: '2026-03-28T10:00:00Z', to: '2026-03-30T12:00:00Z', model: 'beta' },
];

const countsIn = ({ total, rows }: Costs) => [
  total.runs,
  Object.fromEntries(rows.map(({ key, runs: count, calls }) => [key, [count, calls]])),
];

/** The same from every row of what was used, one after another. */
async function countsByHand(store: Store, { timeZone = 'UTC', from, to, model }: SpendFilter, by: SpendGroup) {
  const rows = await store.read
    .selectFrom('run_usage')
    .innerJoin('runs', 'runs.id', 'run_usage.run_id')
    .select(['run_id', 'project_id', 'task_id', 'agent_type', 'run_usage.model', 'slot', 'calls'])
    .execute();
  const day = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  const timeOf = (slot: number) => new Date(slot * SLOT_MS);
  const isIn = (slot: number): boolean => {
    const at = from?.includes('T') === true ? timeOf(slot).toISOString().slice(0, 19) : day.format(timeOf(slot));
    return (from === undefined || at >= from.slice(0, 19)) && (to === undefined || at <= to.slice(0, 19));
  };
  const keys = { project: 'project_id', task: 'task_id', agent: 'agent_type', model: 'model' } as const;
  const seen = rows.filter((row) => isIn(row.slot) && (model === undefined || row.model === model));
  const groups = Map.groupBy(seen, (row) => (by === 'day' ? day.format(timeOf(row.slot)) : row[keys[by]]));
  const runsIn = (some: typeof rows): number => new Set(some.map(({ run_id }) => run_id)).size;
  const callsIn = (some: typeof rows): number => some.reduce((sum, { calls }) => sum + calls, 0);
  return [runsIn(seen), Object.fromEntries([...groups].map(([key, some]) => [key, [runsIn(some), callsIn(some)]]))];
}

describe.each(Object.keys(PLACES))('on %s', (name) => {
  const open = async (): Promise<Store> => {
    const store = must(await openStore(await (PLACES[name] ?? (() => Promise.reject(new Error(name))))()));
    onTestFinished(() => store.close());
    return store;
  };

  /** A run that has ended, of its own task. */
  const endedRun = async (store: Store, given: Partial<AgentRun> = {}): Promise<AgentRun> => {
    const task = await putTask(store, await putProject(store));
    return store.transact(async (tx) => {
      const run: AgentRun = { ...(await putRun(tx, task)), status: 'completed', durationMs: 10, ...given };
      await updateRun(tx, run);
      return run;
    });
  };

  it('the sums of every grouping are the sum over the runs, whatever was used when', async () => {
    const store = await open();
    const all = [await endedRun(store), await endedRun(store), await endedRun(store), await endedRun(store)];
    await fc.assert(
      fc.asyncProperty(
        fc.array(used, { maxLength: 12 }),
        fc.constantFrom('UTC', 'Asia/Kathmandu', 'Europe/Berlin'),
        async (uses, timeZone) => {
          await store.transact(async (tx) => {
            for (const use of uses)
              await addUsage(tx, all[use.task]?.id ?? '', {
                model: use.model,
                at: new Date(use.at).toISOString(),
                ...amount(use),
              });
          });
          let sum: UsedAmount = NOTHING;
          for (const run of all)
            for (const { model: _, ...more } of await listRunUsage(store.read, run.id)) sum = addAmounts(sum, more);
          for (const by of ['project', 'task', 'agent', 'model', 'day'] satisfies ReadonlyArray<SpendGroup>) {
            const { total, rows } = must(await readCosts(store, { timeZone }, by));
            expect(total).toMatchObject(toSpend(sum));
            const grouped = rows.reduce(
              (whole, row) => addAmounts(whole, { ...row, costNano: toNano(row.knownCostUsd) }),
              NOTHING,
            );
            expect(grouped).toEqual(sum);
            for (const filter of FILTERS) {
              const asked = { timeZone, ...filter };
              const told = must(await readCosts(store, asked, by));
              expect([by, filter, countsIn(told)]).toEqual([by, filter, await countsByHand(store, asked, by)]);
            }
          }
        },
      ),
      { numRuns: runs(6) },
    );
  });

  it('a day is the day of the people who ask', async () => {
    const store = await open();
    const run = await endedRun(store);
    await store.transact(async (tx) => {
      const use = { task: 0, model: 'alpha', at: 0, tokens: 10, cost: 1 };
      await addUsage(tx, run.id, { model: 'alpha', at: '2026-03-28T23:30:00.000Z', ...amount(use) });
      await addUsage(tx, run.id, { model: 'alpha', at: '2026-03-29T21:59:00.000Z', ...amount(use) });
    });
    const days = async (timeZone: string) =>
      must(await readCosts(store, { timeZone }, 'day')).rows.map(({ key, costUsd }) => [key, costUsd]);
    expect(await days('UTC')).toEqual([
      ['2026-03-28', 1],
      ['2026-03-29', 1],
    ]);
    expect(await days('Europe/Berlin')).toEqual([['2026-03-29', 2]]);
    const only = must(await readCosts(store, { from: '2026-03-29', to: '2026-03-29' }, 'project'));
    expect(only).toMatchObject({ total: { costUsd: 1, runs: 1 }, rows: [{ label: 'p', runs: 1 }] });
  });

  it('every day of a year is told with what was spent on it, though two of them are longer or shorter', async () => {
    const store = await open();
    const run = await endedRun(store);
    const times = Array.from(
      { length: 280 },
      (_, index) => Date.parse('2026-01-01T00:00:00.000Z') + index * 31 * 3_600_000,
    );
    await store.transact(async (tx) => {
      const use = { task: 0, model: 'alpha', at: 0, tokens: 10, cost: 1 };
      for (const time of times)
        await addUsage(tx, run.id, { model: 'alpha', at: new Date(time).toISOString(), ...amount(use) });
    });
    for (const timeZone of ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Pacific/Chatham']) {
      const day = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
      const expected = times.map((time) => day.format(time));
      const { rows } = must(await readCosts(store, { timeZone }, 'day'));
      expect(rows.flatMap(({ key, costUsd }) => Array.from({ length: costUsd ?? 0 }, () => key))).toEqual(expected);
    }
  });

  it('counts how runs ended, how long they took and what each agent costs', async () => {
    const store = await open();
    const ends: ReadonlyArray<readonly [AgentRunStatus, string, number]> = [
      ['completed', 'native', 10],
      ['completed', 'native', 30],
      ['failed', 'native', 20],
      ['timeout', 'codex', 40],
      ['cancelled', 'codex', 1_000],
    ];
    for (const [status, agentType, durationMs] of ends) {
      const run = await endedRun(store, { status, agentType, durationMs, model: 'm' });
      const use = { task: 0, model: 'sub', at: 0, tokens: 1, cost: 0.5 };
      await store.transact((tx) => addUsage(tx, run.id, { model: 'sub', ...amount(use) }));
    }
    expect(must(await readStats(store, {}))).toMatchObject({
      runs: 5,
      completed: 2,
      successRate: 0.5,
      medianDurationMs: 30,
      meanDurationMs: 220,
    });
    expect(must(await compareAgents(store, {}))).toMatchObject([
      { agentType: 'native', runs: 3, spend: { costUsd: 1.5 }, costPerCompletedUsd: 0.75, costPerAcceptedUsd: null },
      { agentType: 'codex', runs: 2, successRate: 0, costPerCompletedUsd: null },
    ]);
  });

  it('counts an accepted change once, for the run that wrote to it last, at the cost of all its runs', async () => {
    const store = await open();
    const project = await putProject(store);
    const use = { model: 'm', ...amount({ task: 0, model: 'm', at: 0, tokens: 1, cost: 1 }) };
    const work = async (task: Task, agentType: string, how: { readonly writes: boolean; readonly attempt?: number }) =>
      store.transact(async (tx) => {
        const run = { ...runRow(task), agentType, status: 'completed' } as const;
        await insertRun(tx, run, { hookParams: {}, overrides: {} });
        await tx
          .updateTable('runs')
          .set({ attempt: how.attempt ?? 0 })
          .where('id', '=', run.id)
          .execute();
        await addUsage(tx, run.id, use);
        if (how.writes)
          await addArtifact(tx, {
            taskId: task.id,
            runId: run.id,
            key: `commit:${run.id}`,
            type: 'commit',
            label: 'c',
            url: null,
            metadata: {},
          });
        return run;
      });
    const taken = await putTask(store, project, { status: 'done' });
    await work(taken, 'codex', { writes: true });
    await work(taken, 'native', { writes: true });
    await work(taken, 'reviewer', { writes: false });
    await work(await putTask(store, project), 'native', { writes: true });
    const tried = await putTask(store, project, { status: 'done' });
    await work(tried, 'native', { writes: true, attempt: 1 });
    const winner = await work(tried, 'codex', { writes: true, attempt: 2 });
    await work(tried, 'native', { writes: true, attempt: 3 });
    const group = { id: newId('atg'), task_id: tried.id, project_id: project.id, created_at: 'now' };
    await store.transact((tx) =>
      tx
        .insertInto('attempt_groups')
        .values({ ...group, winner_run_id: winner.id, judged_at: 'now' })
        .execute(),
    );
    expect(must(await readStats(store, {})).accepted).toBe(2);
    expect(must(await compareAgents(store, {}))).toMatchObject([
      { agentType: 'native', runs: 4, accepted: 1, costPerAcceptedUsd: 4 },
      { agentType: 'codex', runs: 2, accepted: 1, costPerAcceptedUsd: 2 },
      { agentType: 'reviewer', runs: 1, accepted: 0, costPerAcceptedUsd: null },
    ]);
  });

  it('20 runs at once on a budget for 5 exceed it by no more than a turn each', async () => {
    const path = await makeRepository({ 'a.txt': 'a\n' });
    const turns = Array.from({ length: 8 }, () => [
      { do: 'usage', inputTokens: 10, outputTokens: 1, costUsd: 0.2 } as const,
      { do: 'delay', ms: 40 } as const,
    ]).flat();
    const script: Script = {
      steps: [...turns, { do: 'output', text: 'A plan.' }, { do: 'outcome', outcome: 'plan_complete' }],
    };
    const location = await (PLACES[name] ?? (() => Promise.reject(new Error(name))))();
    const platform = await openTestPlatform({
      scripts: [script],
      concurrency: 20,
      runEstimate: { usd: 1, tokens: 1_000 },
      ...('databaseUrl' in location ? { databaseUrl: location.databaseUrl } : {}),
    });
    const { workflow, worker } = platform;
    const project = must(await workflow.createProject({ path }, PERSON));
    must(await workflow.setBudget({ scope: 'project', subjectId: project.id, limitUsd: 5 }, PERSON));
    for (let number = 0; number < 20; number += 1) {
      const task = must(await workflow.createTask({ projectId: project.id, title: `T${number}` }, PERSON));
      must(await workflow.startAgent({ taskId: task.id, mode: 'plan' }, PERSON));
    }
    await worker.idle();
    const { total } = must(await workflow.costs({ projectId: project.id }, 'project'));
    const { jobs } = await workflow.queueState();
    const started = 20 - jobs.length;
    expect(total.knownCostUsd).toBeGreaterThanOrEqual(4.9);
    expect(total.knownCostUsd).toBeLessThanOrEqual(5 + 0.2 * started);
    expect(jobs.length).toBeGreaterThan(0);
    expect(new Set(jobs.map(({ blocked }) => blocked?.code))).toEqual(new Set(['budget']));
    expect(must(await workflow.stats({ projectId: project.id })).waiting.onAgentsMs).toBeGreaterThan(0);
  });
});
