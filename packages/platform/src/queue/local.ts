import { setTimeout as sleep } from 'node:timers/promises';
import { defined, oneAtATime } from '@attractor/base';
import {
  ABOUT_NOTHING_ELSE,
  type Claim,
  forgiveClaim,
  holdsClaim,
  isOutOfService,
  ownName,
  putOffJob,
  releaseJob,
  type Store,
} from '@attractor/store';
import type { Claimer } from './choose.ts';
import { claimNext, LEASE_MS } from './claim.ts';
import { createFarLeases } from './far-leases.ts';
import { keepLease } from './lease.ts';
import { type SignOptions, startSigns } from './sign-of-life.ts';
import { createSlots } from './slots.ts';
import { watchStalls } from './stalls.ts';
import type { Slot, WorkEnd } from '@attractor/run';

/**
 * Works on jobs in this process, at most `concurrency` at once; one that waits for a person does not count. A job is claimed with a lease and a fencing number; a worker that dies or
 * freezes loses it, and its late writes are refused. `idle` resolves when nothing is running here and nothing that could start now is
 * waiting; `drain` takes no new job and resolves when the running ones have ended; `close` takes no new job, tells the running ones to park
 * and returns them to the queue. `wake` is a hint that there may be work.
 */
export type Worker = {
  readonly idle: () => Promise<void>;
  readonly drain: () => Promise<void>;
  readonly close: () => Promise<void>;
  readonly wake: () => void;
};

export type WorkerOptions = Omit<Claimer, 'owner'> & {
  readonly store: Store;
  readonly concurrency: number;
  /** Hints from the store within this time count as one. Default 0. */
  readonly hintPauseMs?: number;
  /** Where a claim costs much: right after one it waits this long, so that all places that become free are filled by the next. Default 0. */
  readonly gatherMs?: number;
  /** How often it reports that it is alive. Default 10 s. */
  readonly signMs?: number;
  /**
   * Resolves when the job needs no more work here: finished, parked because of `signal`, or lost. It never throws for an expected reason.
   */
  readonly work: (claim: Claim, signal: AbortSignal, slot: Slot) => Promise<WorkEnd>;
  /** Called with what a job threw: a bug, never part of the work. */
  readonly onUnexpected: (claim: Claim, error: unknown) => void;
};

const POLL_MS = 1_000;
/** Gates are asked in a transaction: if they hold everything back, not every hint deserves one, and a slow one deserves less. */
const BLOCKED_PAUSE_MS = 250;
const SLOW_FACTOR = 4;
/** Jobs that end this many times `gatherMs` after a claim are followed by others that end as soon. */
const RECENTLY = 4;

/** What claims and the gates of the platform read. A gate that knows of something else is asked again at the next look. */
const DECIDES_CLAIMS = [
  'jobs',
  'job_labels',
  'queue_lanes',
  'queue_limits',
  'projects',
  'runs',
  'attempts',
  'attempt_groups',
  'budgets',
  'reservations',
  'run_usage',
  'provider_limits',
] as const;

const SHUTDOWN = 'shutdown';

export function startWorker(options: WorkerOptions): Worker {
  const claimer: Claimer = { ...options, owner: ownName(), farLeases: createFarLeases(options.leaseMs ?? LEASE_MS) };
  const closing = new AbortController();
  const state = { isDraining: false, isBusy: false };
  const idle = createWaiters();
  const hints = createHints(() => claiming.ask(), options.gatherMs ?? 0);
  const askAgain = (): void => {
    hints.pause(0);
    claiming.ask();
  };
  const active = createActive(options, { closing: closing.signal, onRoom: askAgain });
  const claimMore = async (): Promise<void> => {
    const room = active.room();
    if (!state.isDraining && room > 0) {
      const began = performance.now();
      const { claims, blocked, since } = await hints.during(() =>
        claimNext(options.store, claimer, { room: active.room(), expectsWork: state.isBusy }),
      );
      state.isBusy = claims.length > 0;
      for (const claim of claims) active.begin(claim, since);
      const blockedPause = Math.max(BLOCKED_PAUSE_MS, (performance.now() - began) * SLOW_FACTOR);
      if (claims.length < room) hints.pause(blocked ? blockedPause : (options.hintPauseMs ?? 0));
    }
    hints.judge();
    // Whoever waits for the end wants to know about what was hinted at first.
    if (active.isEmpty() && idle.isAwaited() && hints.takeWaiting()) claiming.ask();
    if (active.isEmpty() && !claiming.isAsked()) idle.tell();
  };
  const claiming = oneAtATime(
    () => (closing.signal.aborted ? Promise.resolve() : claimMore()),
    (error) => options.onUnexpected({ jobId: '', runId: '', fence: 0, attempts: 0 }, error),
  );

  const stopListening = options.store.onChange(hints.hear, DECIDES_CLAIMS);
  const timer = setInterval(claiming.ask, POLL_MS);
  timer.unref();
  claiming.ask();
  const signs = options.concurrency > 0 ? startSigns(ownNote(options, claimer)) : null;

  const ended = async (): Promise<void> => {
    await claiming.settled();
    await active.ended();
  };
  return {
    wake: claiming.ask,
    idle: () => idle.wait(claiming.ask),
    drain: async () => {
      state.isDraining = true;
      await ended();
    },
    close: async () => {
      closing.abort(SHUTDOWN);
      stopListening();
      clearInterval(timer);
      hints.takeWaiting();
      await ended();
      await signs?.stop();
    },
  };
}

/**
 * Hints that come in a pause count as one, which is acted on when that is over. A claim that writes why jobs are held back hints at itself:
 * what is heard during a claim is judged after it. A claim that follows another at once waits for more to become free.
 */
function createHints(ask: () => void, gatherMs: number) {
  let deafUntil = 0;
  let claimedAt = -Infinity;
  let isClaiming = false;
  let isHinted = false;
  let later: NodeJS.Timeout | undefined;
  const askLater = (): void => {
    later = undefined;
    ask();
  };
  const takeWaiting = (): boolean => {
    const isWaiting = later !== undefined;
    clearTimeout(later);
    later = undefined;
    return isWaiting;
  };
  const hear = (): void => {
    isHinted = isClaiming;
    if (isClaiming) return;
    const wait = deafUntil - performance.now();
    if (wait <= 0) ask();
    else later ??= setTimeout(askLater, wait).unref();
  };
  return {
    hear,
    during: async <Value>(claim: () => Promise<Value>): Promise<Value> => {
      if (performance.now() - claimedAt < gatherMs * RECENTLY) await sleep(gatherMs);
      isClaiming = true;
      return claim().finally(() => {
        isClaiming = false;
        claimedAt = performance.now();
      });
    },
    judge: (): void => {
      if (isHinted) hear();
    },
    pause: (ms: number): void => {
      deafUntil = performance.now() + ms;
    },
    takeWaiting,
  };
}

type ActiveOptions = { readonly closing: AbortSignal; readonly onRoom: () => void };

/** The jobs that this worker has; those that wait for a person leave room for others. */
function createActive(options: WorkerOptions, { closing, onRoom }: ActiveOptions) {
  const jobs = new Set<Promise<void>>();
  const slots = createSlots(options.store, { concurrency: options.concurrency, onFree: onRoom });
  return {
    room: slots.room,
    isEmpty: (): boolean => jobs.size === 0,
    ended: async (): Promise<void> => void (await Promise.all(jobs)),
    /** `since`: when its lease began. */
    begin: (claim: Claim, since: number): void => {
      const job = workOn(options, claim, { closing, slot: slots.add(claim), since }).finally(() => {
        jobs.delete(job);
        slots.remove(claim);
        onRoom();
      });
      jobs.add(job);
    },
  };
}

function ownNote({ store, concurrency, signMs }: WorkerOptions, { owner, labels = [] }: Claimer): SignOptions {
  return { store, owner, labels, concurrency, ...defined({ signMs }) };
}

function createWaiters() {
  const waiters = new Set<() => void>();
  return {
    wait: (ask: () => void): Promise<void> => {
      const reached = new Promise<void>((resolve) => void waiters.add(resolve));
      ask();
      return reached;
    },
    isAwaited: (): boolean => waiters.size > 0,
    tell: (): void => {
      for (const waiter of waiters) waiter();
      waiters.clear();
    },
  };
}

type Work = { readonly closing: AbortSignal; readonly slot: Slot; readonly since: number };

async function workOn(options: WorkerOptions, claim: Claim, { closing, slot, since }: Work): Promise<void> {
  const leaseMs = options.leaseMs ?? LEASE_MS;
  const stalls = watchStalls(leaseMs / 2);
  const lease = keepLease(options.store, claim, { leaseMs, since, onBeat: stalls.look });
  let because: End = 'parked';
  try {
    if ((await options.work(claim, AbortSignal.any([closing, lease.lost]), slot)) === 'finished') return;
  } catch (error) {
    // Whoever is cut off from the database fails for that.
    because = lease.lost.aborted ? 'parked' : isOutOfService(error) ? 'put off' : 'crashed';
    if (because === 'crashed') options.onUnexpected(claim, error);
  } finally {
    lease.stop();
  }
  await giveBack(options, claim, because === 'parked' && stalls.wereOurs() ? 'stalled' : because);
}

/** `stalled`: it kept the whole process from its lease by what it computed. `put off`: the database took no changes. */
type End = 'parked' | 'crashed' | 'stalled' | 'put off';

/**
 * A job that is still ours was not finished: the next worker continues it. One that was lost while this process was frozen or cut off did
 * not end it: that claim is not held against the run.
 */
async function giveBack(options: WorkerOptions, claim: Claim, because: End): Promise<void> {
  try {
    // A read is cheaper than a transaction.
    const isHeld = await holdsClaim(options.store.read, claim);
    if (!isHeld && because !== 'parked' && because !== 'put off') return;
    await options.store.transact(async (tx) => {
      if (!isHeld) await forgiveClaim(tx, claim);
      else if (because === 'put off') await putOffJob(tx, claim);
      else await releaseJob(tx, claim, because === 'crashed' ? 'crashed' : 'parked');
    }, ABOUT_NOTHING_ELSE);
  } catch (error) {
    options.onUnexpected(claim, error);
  }
}
