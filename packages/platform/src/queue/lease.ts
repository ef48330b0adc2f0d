import { ABOUT_NOTHING_ELSE, type Claim, extendLease, type Store, transactionNow } from '@attractor/store';

const BEATS_A_LEASE = 4;
const LEAST_BEAT_MS = 50;
const LOST_LEASE = 'lost_lease';

export type LeaseOptions = {
  readonly leaseMs: number;
  /** When the lease began, by this process's clock. */
  readonly since: number;
  readonly onBeat: () => void;
};

/** `lost` is aborted when the work has to end here. */
export type Lease = { readonly lost: AbortSignal; readonly stop: () => void };

/**
 * Renews the lease of a job until it is stopped. The job is lost when another worker has it; on a database that machines share also when
 * one may have it: a process that is cut off can't ask, and what it has running must not go on beside what follows it elsewhere.
 */
export function keepLease(store: Store, claim: Claim, { leaseMs, since, onBeat }: LeaseOptions): Lease {
  const lost = new AbortController();
  let [from, isOver] = [since, false];
  let end: NodeJS.Timeout | undefined;
  const lose = (): void => {
    isOver = true;
    clearTimeout(end);
    lost.abort(LOST_LEASE);
  };
  const hold = (began: number): void => {
    if (isOver || store.dialect !== 'postgres') return;
    from = Math.max(from, began);
    clearTimeout(end);
    end = setTimeout(lose, Math.max(0, from + leaseMs - performance.now())).unref();
  };
  const renew = async (): Promise<void> => {
    let began = 0;
    const isHeld = await store.transact((tx) => {
      began = performance.now();
      return extendLease(tx, claim, transactionNow(tx) + leaseMs);
    }, ABOUT_NOTHING_ELSE);
    if (isHeld) hold(began);
    else if (!isOver) lose();
  };
  const beat = setInterval(
    () => {
      onBeat();
      // One that is missed does not matter: the lease outlasts several.
      if (!isOver) void renew().catch(() => undefined);
    },
    Math.max(LEAST_BEAT_MS, leaseMs / BEATS_A_LEASE),
  );
  beat.unref();
  hold(since);
  const stop = (): void => {
    isOver = true;
    clearInterval(beat);
    clearTimeout(end);
  };
  return { lost: lost.signal, stop };
}
