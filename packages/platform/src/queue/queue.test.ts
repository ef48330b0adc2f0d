import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type Claim,
  holdsClaim,
  insertTask,
  openStore,
  ownerState,
  ownName,
  readQueueState,
  type Store,
  wakeJob,
} from '@attractor/store';
import { startRun } from '@attractor/pipeline';
import { makeFolder, must, openedHome, PERSON, putProject, taskRow } from '@attractor/store/testing';
import { ME } from '../test-support/queue-contract.ts';
import { claimJob, claimNext } from './claim.ts';
import { startWorker } from './local.ts';
import { readConcurrency } from './read-concurrency.ts';
import { watchStalls } from './stalls.ts';

const WAITING = process.env['SOAK'] === '1' ? 1_000 : 60;

/** A store with as many queued runs, each of its own task. */
async function storeWithRuns(count: number): Promise<Store> {
  const store = must(await openStore({ home: await openedHome(makeFolder()) }));
  const project = await putProject(store);
  await store.transact(async (tx) => {
    for (let index = 0; index < count; index += 1) {
      const task = taskRow(project);
      await insertTask(tx, task, {});
      await startRun(tx, {
        task,
        mode: 'implement',
        hookParams: {},
        overrides: {},
        defaultAgentType: 'scripted',
        actor: PERSON,
      });
    }
  });
  return store;
}

const must1 = (claim: Claim | null): Claim => {
  if (claim === null) throw new Error('nothing to claim');
  return claim;
};

describe('claiming', () => {
  it('gives each job to one owner, oldest first, whoever asks at the same time', async () => {
    const store = await storeWithRuns(10);
    const oldest = [await claimJob(store, ME), await claimJob(store, ME), await claimJob(store, ME)];
    const others = await Promise.all(Array.from({ length: 12 }, () => claimJob(store, ME)));
    const runs = (claims: ReadonlyArray<Claim | null>) => claims.flatMap((claim) => claim?.runId ?? []);
    // Those who ask at the same time get theirs in no order of their own.
    const taken = [...runs(oldest), ...runs(others).toSorted()];
    expect(new Set(taken).size).toBe(10);
    expect(taken).toEqual(taken.toSorted());
    await store.close();
  });

  it('takes over from a dead owner at once, and refuses what the dead one still had to say', async () => {
    const store = await storeWithRuns(1);
    const other = spawn('sleep', ['60']);
    await once(other, 'spawn');
    const identity: Record<string, unknown> = JSON.parse(ownName());
    const { readFileSync } = await import('node:fs');
    const stat = readFileSync(`/proc/${other.pid}/stat`, 'utf8');
    const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    const owner = JSON.stringify({ ...identity, pid: other.pid, started });
    const first = must1(await claimJob(store, { owner }));
    expect(ownerState(owner)).toBe('alive');
    expect(await claimJob(store, ME)).toBeNull();
    other.kill('SIGKILL');
    await once(other, 'exit');
    expect(ownerState(owner)).toBe('dead');
    const second = must1(await claimJob(store, ME));
    expect(second.fence).toBe(first.fence + 1);
    expect([await holdsClaim(store.read, first), await holdsClaim(store.read, second)]).toEqual([false, true]);
    await store.close();
  });

  it('takes over from an owner whose lease ran out, though it lives', async () => {
    const store = await storeWithRuns(1);
    must1(await claimJob(store, ME));
    await store.transact((tx) => tx.updateTable('jobs').set({ lease_until: 0 }).execute());
    expect(await claimJob(store, ME)).not.toBeNull();
    await store.close();
  });

  it('knows a pid that was used again, another boot and another container apart', () => {
    const me: Record<string, unknown> = JSON.parse(ownName());
    expect(ownerState(ownName())).toBe('alive');
    expect(ownerState(JSON.stringify({ ...me, started: '1' }))).toBe('dead');
    expect(ownerState(JSON.stringify({ ...me, boot: 'another' }))).toBe('dead');
    expect(ownerState(JSON.stringify({ ...me, space: 'another' }))).toBe('unknown');
    expect(ownerState('what is this')).toBe('unknown');
  });
});

describe('a worker', () => {
  it('has room for as many runs as the setting says, else for as many as suit the machine', async () => {
    const home = makeFolder();
    const machine = await readConcurrency(home);
    expect(machine).toBeGreaterThanOrEqual(2);
    for (const [concurrency, room] of [
      [7, 7],
      [0, machine],
      ['x', machine],
    ] as const) {
      writeFileSync(join(home, 'config.json'), JSON.stringify({ queue: { concurrency } }));
      expect(await readConcurrency(home)).toBe(room);
    }
  });

  it('holds no claim against a run that it lost while it was frozen or cut off', async () => {
    const store = await storeWithRuns(1);
    const begun = Promise.withResolvers<void>();
    const worker = startWorker({
      store,
      concurrency: 1,
      leaseMs: 400,
      work: async (_, signal) => {
        begun.resolve();
        await once(signal, 'abort');
        return undefined;
      },
      onUnexpected: (_, error) => {
        throw error;
      },
    });
    await begun.promise;
    const attempts = async () => (await store.read.selectFrom('jobs').select('attempts').executeTakeFirst())?.attempts;
    await store.transact(async (tx) => {
      const taken = { fence: 2, attempts: 2, owner: 'elsewhere', lease_until: Number.MAX_SAFE_INTEGER };
      await tx.updateTable('jobs').set(taken).execute();
    });
    await expect.poll(attempts).toBe(1);
    await worker.close();
    expect(await attempts()).toBe(1);
    await store.close();
  });

  it('takes over from one that is gone also if the clock of the database went back since, and not from one that lives', async () => {
    const store = await storeWithRuns(2);
    const begun: string[] = [];
    const beginWorker = () =>
      startWorker({
        store,
        concurrency: 1,
        leaseMs: 3_000,
        work: async ({ runId }, signal) => {
          begun.push(runId);
          await once(signal, 'abort');
        },
        onUnexpected: (_, error) => {
          throw error;
        },
      });
    const living = beginWorker();
    await expect.poll(() => begun.length).toBe(1);
    must1(await claimJob(store, { owner: 'elsewhere' }));
    const later = (await store.now()) + 3_600_000;
    await store.transact((tx) => tx.updateTable('jobs').set({ lease_until: later }).execute());
    const other = beginWorker();
    await expect.poll(() => begun.length).toBe(2);
    expect(new Set(begun).size).toBe(2);
    await living.close();
    await other.close();
    await store.close();
  });

  it('knows its own computing from a machine that stood still', async () => {
    const waiting = async (): Promise<boolean> => {
      const still = watchStalls(20);
      await new Promise((resolve) => setTimeout(resolve, 200));
      return still.wereOurs();
    };
    // Until nothing that other tests left is computed meanwhile.
    await expect.poll(waiting).toBe(false);
    const computing = watchStalls(0);
    // Until others leave it the processor for a while.
    while (!computing.wereOurs());
    expect(computing.wereOurs()).toBe(true);
  });

  it('never works on more jobs at once than it may, and on all of them in the end', async () => {
    const store = await storeWithRuns(9);
    const seen: string[] = [];
    let now = 0;
    let most = 0;
    const worker = startWorker({
      store,
      concurrency: 3,
      work: async ({ jobId, runId }) => {
        now += 1;
        most = Math.max(most, now);
        await new Promise((resolve) => setTimeout(resolve, 10));
        seen.push(runId);
        await store.transact((tx) => tx.updateTable('jobs').set({ state: 'done' }).where('id', '=', jobId).execute());
        now -= 1;
      },
      onUnexpected: (_claim, error) => {
        throw error;
      },
    });
    await worker.idle();
    expect([new Set(seen).size, seen.length, most]).toEqual([9, 9, 3]);
    await worker.close();
    await store.close();
  });

  it('gives its job back when it is closed, and what crashes counts its attempts', async () => {
    const store = await storeWithRuns(1);
    const attempts: number[] = [];
    const worker = startWorker({
      store,
      concurrency: 1,
      work: async (claim, signal) => {
        attempts.push(claim.attempts);
        if (attempts.length < 3) throw new Error('crash');
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      },
      onUnexpected: () => undefined,
    });
    while (attempts.length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
    await worker.close();
    expect(attempts).toEqual([1, 2, 3]);
    expect(must1(await claimJob(store, ME)).attempts).toBe(3);
    await store.close();
  });

  it('has room for another job while one waits for a person, and takes it back only when there is room again', async () => {
    const store = await storeWithRuns(2);
    const other = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const seen: unknown[] = [];
    const finish = (jobId: string) =>
      store.transact((tx) => tx.updateTable('jobs').set({ state: 'done' }).where('id', '=', jobId).execute());
    let isFirst = true;
    const worker = startWorker({
      store,
      concurrency: 1,
      work: async ({ jobId }, _signal, slot) => {
        const rests = isFirst;
        isFirst = false;
        if (rests) {
          await slot.rest({ code: 'person', message: 'Waits for a person' });
          await other.promise;
          const { running, waiting } = await readQueueState(store.read, {});
          seen.push({ running, waiting }, await slot.wake());
          end.resolve();
          while (!(await slot.wake())) await new Promise((resolve) => setTimeout(resolve, 5));
          seen.push((await readQueueState(store.read, {})).waiting);
        } else {
          other.resolve();
          await end.promise;
        }
        await finish(jobId);
      },
      onUnexpected: (_claim, error) => {
        throw error;
      },
    });
    await worker.idle();
    expect(seen).toEqual([{ running: 1, waiting: 1 }, false, 0]);
    await worker.close();
    await store.close();
  });

  it('sees runs that wait for a person only as rows, a thousand of them too: claims, pages and the answer to one are as without them', async () => {
    const store = await storeWithRuns(WAITING + 4);
    const all = await store.read.selectFrom('jobs').select(['id', 'run_id']).orderBy('id').execute();
    const waiting = all.slice(0, WAITING);
    await store.transact((tx) =>
      tx
        .updateTable('jobs')
        .set({ state: 'waiting', blocked: JSON.stringify({ code: 'person', message: 'Waits for a person' }) })
        .where('id', '<=', waiting.at(-1)?.id ?? '')
        .execute(),
    );
    const claims = await claimNext(store, ME, { room: 10, expectsWork: true });
    expect(claims.claims.map(({ runId }) => runId)).toEqual(all.slice(WAITING).map(({ run_id }) => run_id));
    const state = await readQueueState(store.read, { limit: 5 });
    expect(state).toMatchObject({ running: 4, queued: 0, waiting: WAITING });
    expect(state.jobs.map((job) => job.state)).toEqual(['running', 'running', 'running', 'running', 'waiting']);
    const [one] = waiting;
    await store.transact((tx) => wakeJob(tx, one?.run_id ?? ''));
    const next = await claimNext(store, ME, { room: 10, expectsWork: false });
    expect(next.claims.map(({ runId }) => runId)).toEqual([one?.run_id]);
    await store.close();
  });
});
