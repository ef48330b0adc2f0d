import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '@attractor/base';
import {
  ABOUT_NOTHING_ELSE,
  ABOUT_OUTBOX,
  aboutTask,
  type Effect,
  endEffect,
  findEffect,
  listOpenEffects,
  ownName,
  renewEffect,
  type Store,
  type StoredEffect,
  takeEffect,
  transactionNow,
} from '@attractor/store';
import { type Background, createBackground } from './background.ts';
import { conclusionOf } from './conclusion.ts';
import { dueEffects } from './decide-effect.ts';
import { createWhereabouts, OTHERS_FIRST_MS } from './here.ts';
import { createHold, letGo, ownerStateFor } from './in-hand.ts';
import type { OutboxServices } from './outbox-services.ts';
import { performEffect } from './perform.ts';
import { type Performed, tell } from './performed.ts';

/**
 * Carries out the effects in the database. `settle` carries out the named ones, here and now, and resolves when each is done, has failed or
 * waits for another attempt. Once started it carries out whatever is due, until it is closed.
 */
export type Outbox = Background & {
  readonly settle: (ids: ReadonlyArray<string>, patienceMs?: number) => Promise<ReadonlyArray<Effect>>;
};

export type OutboxOptions = OutboxServices & { readonly onUnexpected: (error: unknown) => void };

/**
 * Renewed while an attempt goes on. A dead owner on this machine is noticed sooner, and so is what this process has no longer in hand: it was
 * taken in a transaction whose answer got lost, or its end could not be written.
 */
const LEASE_MS = 60_000;
const RENEW_MS = 15_000;
const PATIENCE_MS = 180_000;

export function createOutbox(options: OutboxOptions): Outbox {
  const { store, onUnexpected } = options;
  const worker = { options, owner: ownName(), whereabouts: createWhereabouts(options), clock: roughClock(store) };
  const background = createBackground({
    store,
    tables: ['outbox'],
    take: () => claim(worker),
    work: (effect) => conclude(worker, effect),
    onUnexpected,
    isBusy: () => state.settling > 0,
  });
  const state = { closed: false, settling: 0 };

  /** Takes one effect of the task and carries it out; false if none is due. */
  const workOne = async (taskId: string): Promise<boolean> => {
    const effect = await claim(worker, taskId);
    if (effect !== null) await conclude(worker, effect);
    return effect !== null;
  };

  const settled = async (ids: ReadonlyArray<string>, deadline: number): Promise<ReadonlyArray<Effect>> => {
    for (;;) {
      const changed = nextChange(store);
      const effects = (await Promise.all(ids.map((id) => findEffect(store.read, id)))).filter(
        (found) => found !== null,
      );
      const open = effects.find((effect) => !isSettled(effect));
      if (open === undefined || state.closed || performance.now() > deadline) return effects;
      if (await workOne(open.taskId)) continue;
      if (await isHeldUp(store, open.taskId)) return effects;
      await changed;
    }
  };

  return {
    ...background,
    settle: async (ids, patienceMs = PATIENCE_MS) => {
      state.settling += 1;
      try {
        return await settled(ids, performance.now() + patienceMs);
      } finally {
        state.settling -= 1;
      }
    },
    close: async () => {
      state.closed = true;
      await background.close();
    },
  };
}

/** An effect may become due by the clock alone, or be left by a process that died. */
const LOOK_AGAIN_MS = 250;

/** Of any effect, from now on. */
async function nextChange(store: Store): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const stop = store.onChange(resolve, ['outbox']);
  await Promise.race([promise, sleep(LOOK_AGAIN_MS)]);
  stop();
}

/** An effect that failed and waits for its next attempt counts as settled for now. */
function isSettled({ state, error }: Effect): boolean {
  return state === 'done' || state === 'failed' || (state === 'waiting' && error !== null);
}

/** An earlier effect waits for another attempt. */
async function isHeldUp({ read }: Store, taskId: string): Promise<boolean> {
  const [first] = await listOpenEffects(read, taskId);
  return first !== undefined && first.state === 'waiting' && first.error !== null;
}

const ASK_CLOCK_MS = 5_000;

/** The server's clock, asked now and then: whether something is due is seen again by the transaction that takes it. */
function roughClock(store: Store): () => Promise<number> {
  let asked = { now: 0, at: -Infinity };
  return async () => {
    const since = performance.now() - asked.at;
    if (store.dialect === 'postgres' && since < ASK_CLOCK_MS) return asked.now + since;
    asked = { now: await store.now(), at: performance.now() };
    return asked.now;
  };
}

type OutboxWorker = {
  readonly options: OutboxOptions;
  readonly owner: string;
  readonly whereabouts: ReturnType<typeof createWhereabouts>;
  readonly clock: ReturnType<typeof roughClock>;
};

async function claim(
  { options, owner, whereabouts, clock }: OutboxWorker,
  taskId?: string,
): Promise<StoredEffect | null> {
  const { store } = options;
  const open = await listOpenEffects(store.read);
  if (open.length === 0) return null;
  const places = await whereabouts.find(open);
  const isOurs = ({ id, createdAt }: StoredEffect, now: number): boolean =>
    places.get(id) !== 'missing' || Date.parse(createdAt) + OTHERS_FIRST_MS < now;
  const isHere = ({ id }: StoredEffect): boolean => places.get(id) === 'here';
  const firstDue = (effects: ReadonlyArray<StoredEffect>, now: number): StoredEffect | undefined =>
    dueEffects(effects, { now, ownerState: ownerStateFor(owner), isHere }).find(
      (effect) => (taskId === undefined || effect.taskId === taskId) && isOurs(effect, now),
    );
  // What is due whatever the time is needs no clock.
  const isTimed = open.some(
    ({ id, state, notBefore }) => state === 'running' || notBefore !== null || places.get(id) === 'missing',
  );
  if (firstDue(open, isTimed ? await clock() : 0) === undefined) return null;
  const claimed = createHold();
  try {
    return await store.transact(async (tx) => {
      claimed.letGo();
      const now = transactionNow(tx);
      const effect = firstDue(await listOpenEffects(tx), now);
      const taken = effect === undefined ? null : await takeEffect(tx, effect, { owner, leaseUntil: now + LEASE_MS });
      // Before others here can see that it is ours.
      if (taken !== null) claimed.hold(taken);
      return taken;
    }, ABOUT_OUTBOX);
  } catch (error) {
    claimed.letGo();
    throw error;
  }
}

async function conclude(worker: OutboxWorker, effect: StoredEffect): Promise<void> {
  try {
    await performAndRecord(worker, effect);
  } finally {
    letGo(effect);
  }
}

async function performAndRecord({ options, whereabouts }: OutboxWorker, effect: StoredEffect): Promise<void> {
  const performed = await whileRenewed(options, effect, () => attempt(options, effect));
  await options.store.transact(async (tx) => {
    const { end, event } = conclusionOf(effect, performed, transactionNow(tx));
    if (end.state === 'waiting' && end.counts === 'not at all') whereabouts.leave(effect);
    if (!(await endEffect(tx, effect, end))) return;
    if (performed.outcome === 'done') {
      await performed.record(tx);
      await options.onDone?.(tx, effect);
    }
    if (event !== null) await tell(tx, { effect }, event);
  }, aboutTask(effect.taskId));
}

/** The checks of a merge may take longer than a lease. */
async function whileRenewed(
  { store, onUnexpected }: OutboxOptions,
  effect: StoredEffect,
  work: () => Promise<Performed>,
): Promise<Performed> {
  const renew = async (): Promise<void> => {
    await store.transact((tx) => renewEffect(tx, effect, transactionNow(tx) + LEASE_MS), ABOUT_NOTHING_ELSE);
  };
  const timer = setInterval(() => void renew().catch(onUnexpected), RENEW_MS);
  timer.unref();
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** A bug is reported and counts as one failed attempt, so that attempts come to an end. */
async function attempt(options: OutboxOptions, effect: StoredEffect): Promise<Performed> {
  try {
    return await performEffect(options, effect);
  } catch (error) {
    options.onUnexpected(error);
    const message = messageOf(error);
    return {
      outcome: 'failed',
      error: { code: 'unavailable', message: `It failed unexpectedly: ${message}`, retryable: true },
    };
  }
}
