import type { Tx } from './store.ts';

/** `at` for people and records; `now` in milliseconds of the clock of leases (`Store.now`). */
export type TransactionClock = { readonly at: Date; readonly now: number };

const clocks = new WeakMap<Tx, TransactionClock>();

/** Said once by the store, when the transaction begins and the database told its time. */
export function setTransactionTime(tx: Tx, clock: TransactionClock): void {
  clocks.set(tx, clock);
}

/** The database's time of this transaction: the same for all that it writes, whatever the clock of the machine that asks. */
export function transactionTime(tx: Tx): string {
  return (clocks.get(tx)?.at ?? new Date()).toISOString();
}

/** What `Store.now` would say, without asking again. */
export function transactionNow(tx: Tx): number {
  const clock = clocks.get(tx);
  if (clock === undefined) throw new Error('A transaction of a store knows its time');
  return clock.now;
}
