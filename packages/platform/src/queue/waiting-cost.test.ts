import type { KyselyPlugin } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import {
  listTasks,
  noteWorker,
  openStore,
  readQueueState,
  saveProviderLimit,
  type StartGate,
  type Store,
} from '@attractor/store';
import { makeFolder, must, openedHome } from '@attractor/store/testing';
import { openPlatformOn } from '../platform.ts';
import { unconfined, providerLimitGate } from '@attractor/run';
import { putCodingProject, putHeld, putRuns, putWaiting } from '../test-support/waiting-rows.ts';
import { claimNext } from './claim.ts';

type Cost = { queries: number; rows: number };

/** More than a page of the inbox shows, in both worlds. */
const [FEW, MANY] = [60, 300];

it.each(['person', 'provider', 'budget'] as const)(
  'costs a claim and every page as much beside many runs that wait for a %s as beside few',
  async (by) => {
    const [few, many] = [await costsBeside(FEW, by), await costsBeside(MANY, by)];
    expect(many).toEqual(few);
    expect(many['inbox']?.queries).toBeLessThanOrEqual(18);
  },
);

it('finds what is free behind any number of runs of an account that its provider limits', async () => {
  const store = must(await openStore({ home: await openedHome(makeFolder()) }));
  onTestFinished(store.close);
  const project = await putCodingProject(store);
  await putRuns(store, project, MANY);
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const [run] = await putRuns(store, project, 1);
  await store.transact(async (tx) => {
    await tx
      .updateTable('jobs')
      .set({ account: 'mine' })
      .where('run_id', '=', run?.id ?? '')
      .execute();
    await saveProviderLimit(tx, { account: 'scripted', until, reason: 'Too many requests', runId: run?.id ?? '' });
  });
  let asked = 0;
  const gate: StartGate = (tx, one) => {
    asked += 1;
    return providerLimitGate(tx, one);
  };
  const { claims, blocked } = await claimNext(store, { owner: 'a', gates: [gate] }, { room: 4, expectsWork: true });
  expect({ claims: claims.map(({ runId }) => runId), blocked, asked }).toEqual({
    claims: [run?.id],
    blocked: true,
    asked: 2,
  });
  const { jobs } = await readQueueState(store.read, { limit: 3 });
  expect(jobs.slice(1).map((job) => job.blocked?.code)).toEqual(['provider_limit', 'provider_limit']);
});

/** What is asked of the database, and how many rows come back, beside so many runs that wait. */
async function costsBeside(
  waiting: number,
  by: 'person' | 'provider' | 'budget',
): Promise<Readonly<Record<string, Cost>>> {
  const home = makeFolder();
  const store = must(await openStore({ home }));
  const cost: Cost = { queries: 0, rows: 0 };
  const counted = counting(store, cost);
  const options = { home, agents: [], env: {}, confine: unconfined, concurrency: 0 };
  const platform = must(await openPlatformOn(counted, options));
  onTestFinished(platform.close);
  const project = await putCodingProject(store);
  if (by === 'person') await putWaiting(store, project, waiting);
  else await putHeld(store, project, { count: waiting, by });
  await putRuns(store, project, 4);
  await store.transact((tx) =>
    noteWorker(tx, { id: 'w', owner: 'elsewhere', host: 'there', labels: [], concurrency: 1 }),
  );
  const { workflow } = platform;
  const page = (await listTasks(store.read, { limit: 50 })).map(({ id }) => id);
  const looks: Readonly<Record<string, () => Promise<unknown>>> = {
    ...(by === 'person' ? claims(counted) : {}),
    inbox: () => workflow.inbox({}),
    board: () => workflow.taskStates(page),
    'what is running': async () => {
      await workflow.listRuns({ status: 'running', unlessWaiting: true, limit: 50 });
      await workflow.countRuns({ status: 'running', unlessWaiting: true });
    },
    health: () => workflow.health(),
    queue: () => workflow.queueState({ limit: 50 }),
  };
  const costs: Record<string, Cost> = {};
  for (const [name, look] of Object.entries(looks)) {
    Object.assign(cost, { queries: 0, rows: 0 });
    await look();
    costs[name] = { ...cost };
  }
  const { items, left } = await workflow.inbox({});
  expect({ items: items.length, left }).toEqual(
    by === 'provider' ? { items: 0, left: 0 } : { items: 50, left: waiting - 50 },
  );
  return costs;
}

function claims(store: Store): Readonly<Record<string, () => Promise<unknown>>> {
  return {
    claim: () => claimNext(store, { owner: 'a' }, { room: 4, expectsWork: false }),
    'a claim that finds nothing': () => claimNext(store, { owner: 'b' }, { room: 4, expectsWork: false }),
  };
}

function counting(store: Store, cost: Cost): Store {
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      cost.queries += 1;
      return node;
    },
    transformResult: async ({ result }) => {
      cost.rows += result.rows.length;
      return result;
    },
  };
  return { ...store, read: store.read.withPlugin(plugin) };
}
