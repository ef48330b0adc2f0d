import { setTimeout as sleep } from 'node:timers/promises';
import { ownerState, ownName } from '../queue/owner.ts';
import type { ScmServices } from '../scm/open-scm.ts';
import { endEffect, findEffect, listOpenEffects, type StoredEffect, takeEffect } from '../store/outbox.ts';
import type { Store } from '../store/store.ts';
import type { Effect } from '../types/index.ts';
import { dueEffects, nextDelay } from './decide-effect.ts';
import { performEffect } from './perform.ts';
import { type Performed, tell } from './performed.ts';

/**
 * Does the effects that were put into the database. `settle` does those that are named, here and now, and answers when each is done,
 * has failed or waits for another attempt. `start` does whatever is due, until it is closed; `idle` resolves when nothing is due.
 */
export type Outbox = {
  readonly settle: (ids: ReadonlyArray<string>, patienceMs?: number) => Promise<ReadonlyArray<Effect>>;
  readonly start: () => void;
  readonly idle: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export type OutboxOptions = ScmServices & { readonly onUnexpected: (error: unknown) => void };

/** Longer than any one attempt may take. A dead owner is found before. */
const LEASE_MS = 300_000;
const POLL_MS = 1_000;
const ELSEWHERE_MS = 15_000;
const PATIENCE_MS = 180_000;
const AT_ONCE = 4;
const CLOSE_PATIENCE_MS = 10_000;

export function createOutbox(options: OutboxOptions): Outbox {
  const { store } = options;
  const owner = ownName();
  const active = new Set<Promise<void>>();
  let closed = false;
  let looking: Promise<void> | null = null;
  let again = false;
  let stop = (): void => undefined;

  /** Takes one effect and does it to its end; false when none is due. */
  const workOne = async (taskId?: string): Promise<boolean> => {
    const effect = closed ? null : await claim(options, owner, taskId);
    if (effect === null) return false;
    await conclude(options, effect);
    return true;
  };
  const fill = async (): Promise<void> => {
    while (!closed && active.size < AT_ONCE) {
      const effect = await claim(options, owner);
      if (effect === null) return;
      const work = conclude(options, effect)
        .catch(options.onUnexpected)
        .finally(() => {
          active.delete(work);
          look();
        });
      active.add(work);
    }
  };
  const look = (): void => {
    if (closed) return;
    again = looking !== null;
    if (again) return;
    looking = fill()
      .catch(options.onUnexpected)
      .finally(() => {
        looking = null;
        if (again) look();
      });
  };

  return {
    settle: async (ids, patienceMs = PATIENCE_MS) => {
      const deadline = performance.now() + patienceMs;
      for (;;) {
        const effects = (await Promise.all(ids.map((id) => findEffect(store.read, id)))).filter(
          (found) => found !== null,
        );
        const open = effects.filter((effect) => !isSettled(effect));
        if (open.length === 0 || closed || performance.now() > deadline) return effects;
        if (await workOne(open[0]?.taskId)) continue;
        if (await isHeldUp(store, open[0]?.taskId)) return effects;
        await sleep(20);
      }
    },
    start: () => {
      const unlisten = store.onChange(look);
      const timer = setInterval(look, POLL_MS);
      timer.unref();
      stop = () => {
        unlisten();
        clearInterval(timer);
      };
      look();
    },
    idle: async () => {
      look();
      while (looking !== null || active.size > 0) await (looking ?? Promise.all(active));
    },
    close: async () => {
      closed = true;
      stop();
      await looking;
      // What takes longer is taken over by whoever comes next, once this process is gone.
      await Promise.race([Promise.all(active), sleep(CLOSE_PATIENCE_MS, null, { ref: false })]);
    },
  };
}

/** One that met a failure and waits for its next attempt is settled for now. */
function isSettled({ state, error }: Effect): boolean {
  return state === 'done' || state === 'failed' || (state === 'waiting' && error !== null);
}

/** What comes before it waits for another attempt of its own. */
async function isHeldUp({ read }: Store, taskId: string | undefined): Promise<boolean> {
  const [first] = await listOpenEffects(read, taskId);
  return first !== undefined && first.state === 'waiting' && first.error !== null;
}

async function claim({ store }: ScmServices, owner: string, taskId?: string): Promise<StoredEffect | null> {
  const now = await store.now();
  const look = { now, ownerState };
  if (dueEffects(await listOpenEffects(store.read, taskId), look).length === 0) return null;
  return store.transact(async (tx) => {
    const [effect] = dueEffects(await listOpenEffects(tx, taskId), look);
    return effect === undefined ? null : takeEffect(tx, effect, { owner, leaseUntil: now + LEASE_MS });
  });
}

async function conclude(options: OutboxOptions, effect: StoredEffect): Promise<void> {
  const performed = await attempt(options, effect);
  const now = await options.store.now();
  const kind = effect.work?.kind ?? 'push';
  await options.store.transact(async (tx) => {
    if (performed.outcome === 'done') {
      if (await endEffect(tx, effect, { state: 'done', result: performed.result })) await performed.record(tx);
      return;
    }
    if (performed.outcome === 'elsewhere') {
      const wait = { notBefore: now + ELSEWHERE_MS, error: performed.reason, counts: 'not at all' } as const;
      const ended = await endEffect(tx, effect, { state: 'waiting', ...wait });
      if (!ended || effect.error !== null) return;
      const summary = `${WORDS[kind]} yet: ${performed.reason} It waits for a machine that has it.`;
      await tell(tx, { effect }, { type: 'git.effect_retried', summary, data: { effectId: effect.id, kind } });
      return;
    }
    const { error } = performed;
    const delay = nextDelay(error, effect.attempts);
    const data = {
      effectId: effect.id,
      kind,
      code: error.code,
      attempts: effect.attempts,
      detail: error.detail ?? null,
    };
    if (delay === null) {
      if (await endEffect(tx, effect, { state: 'failed', error: error.message }))
        await tell(tx, { effect }, { type: FAILURES[kind], summary: `${WORDS[kind]}: ${error.message}`, data });
      return;
    }
    const wait = { notBefore: now + delay, error: error.message, counts: 'as an attempt' } as const;
    const summary = `${WORDS[kind]}: ${error.message} It is tried again in ${Math.round(delay / 1000)} s.`;
    if (await endEffect(tx, effect, { state: 'waiting', ...wait }))
      await tell(tx, { effect }, { type: 'git.effect_retried', summary, data });
  });
}

type Kind = NonNullable<Effect['work']>['kind'];

const FAILURES: Readonly<Record<Kind, string>> = {
  push: 'git.push_failed',
  create_pr: 'pr.create_failed',
  merge_pr: 'pr.merge_failed',
  comment_pr: 'pr.comment_failed',
  create_branch: 'hook.failed',
  create_worktree: 'hook.failed',
};

const WORDS: Readonly<Record<Kind, string>> = {
  push: 'Not pushed',
  create_pr: 'No pull request',
  merge_pr: 'Not merged',
  comment_pr: 'Not commented',
  create_branch: 'No branch',
  create_worktree: 'No worktree',
};

/** A bug is told and counts as a failure of this attempt, so that it comes to an end. */
async function attempt(options: OutboxOptions, effect: StoredEffect): Promise<Performed> {
  try {
    return await performEffect(options, effect);
  } catch (error) {
    options.onUnexpected(error);
    const message = error instanceof Error ? error.message : String(error);
    return {
      outcome: 'failed',
      error: { code: 'unavailable', message: `It failed unexpectedly: ${message}`, retryable: true },
    };
  }
}
