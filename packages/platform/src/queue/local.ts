import { type Claim, extendLease, releaseJob } from '../store/jobs.ts';
import type { Store } from '../store/store.ts';
import { claimJob, LEASE_MS } from './claim.ts';
import { ownName } from './owner.ts';

/**
 * Works on jobs in this process, at most `concurrency` at once. A job is claimed with a lease and a fencing number; whoever
 * dies or freezes loses it, and its late writes are refused. `idle` resolves when nothing is queued or running here;
 * `close` takes no new job, tells the running ones to park and gives them back to the queue.
 */
export type Worker = {
  readonly idle: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export type WorkerOptions = {
  readonly store: Store;
  readonly concurrency: number;
  /** Resolves when the job needs no more work by us: finished, parked because of `signal`, or lost. It never throws for an expected reason. */
  readonly work: (claim: Claim, signal: AbortSignal) => Promise<void>;
  /** Told of what a job threw: a bug, never part of the work. */
  readonly onUnexpected: (claim: Claim, error: unknown) => void;
};

const POLL_MS = 1_000;
const HEARTBEAT_MS = 5_000;

const SHUTDOWN = 'shutdown';
const LOST_LEASE = 'lost_lease';

export function startWorker(options: WorkerOptions): Worker {
  const owner = ownName();
  const active = new Set<Promise<void>>();
  const closing = new AbortController();
  let claiming: Promise<void> | null = null;
  let again = false;
  const idleWaiters = new Set<() => void>();

  const claimMore = async (): Promise<void> => {
    while (!closing.signal.aborted && active.size < options.concurrency) {
      const claim = await claimJob(options.store, owner);
      if (claim === null) break;
      const job = workOn(options, claim, closing.signal).finally(() => {
        active.delete(job);
        look();
      });
      active.add(job);
    }
    if (active.size === 0 && !again) {
      for (const waiter of idleWaiters) waiter();
      idleWaiters.clear();
    }
  };

  const look = (): void => {
    if (closing.signal.aborted) return;
    if (claiming !== null) {
      again = true;
      return;
    }
    again = false;
    claiming = claimMore()
      .catch((error: unknown) => options.onUnexpected({ jobId: '', runId: '', fence: 0, attempts: 0 }, error))
      .finally(() => {
        claiming = null;
        if (again) look();
      });
  };

  const stopListening = options.store.onChange(look);
  const timer = setInterval(look, POLL_MS);
  timer.unref();
  look();

  return {
    idle: async () => {
      const idle = Promise.withResolvers<void>();
      idleWaiters.add(idle.resolve);
      look();
      await idle.promise;
    },
    close: async () => {
      closing.abort(SHUTDOWN);
      stopListening();
      clearInterval(timer);
      await claiming;
      await Promise.all(active);
    },
  };
}

async function workOn(options: WorkerOptions, claim: Claim, closing: AbortSignal): Promise<void> {
  const lost = new AbortController();
  const beat = setInterval(() => void heartbeat(options.store, claim, lost), HEARTBEAT_MS);
  beat.unref();
  let because: 'parked' | 'crashed' = 'parked';
  try {
    await options.work(claim, AbortSignal.any([closing, lost.signal]));
  } catch (error) {
    because = 'crashed';
    options.onUnexpected(claim, error);
  } finally {
    clearInterval(beat);
  }
  await giveBack(options, claim, because);
}

async function heartbeat(store: Store, claim: Claim, lost: AbortController): Promise<void> {
  try {
    const leaseUntil = (await store.now()) + LEASE_MS;
    const held = await store.transact((tx) => extendLease(tx, claim, leaseUntil));
    if (!held) lost.abort(LOST_LEASE);
  } catch {
    // A missed beat is made up by the next one; the lease outlasts several.
  }
}

/** A job that is still ours was not finished: the next worker goes on with it. */
async function giveBack(options: WorkerOptions, claim: Claim, because: 'parked' | 'crashed'): Promise<void> {
  try {
    await options.store.transact((tx) => releaseJob(tx, claim, because));
  } catch (error) {
    options.onUnexpected(claim, error);
  }
}
