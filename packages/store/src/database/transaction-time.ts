import type { Tx } from './store.ts';

/** `at` for people and records; `now` in milliseconds of the clock of leases (`Store.now`). */
export type TransactionClock = { readonly at: Date; readonly now: number };

const clocks = new WeakMap<Tx, TransactionClock>();

/** Called once by the store, when the transaction begins and the database's time is known. */
export function setTransactionTime(tx: Tx, clock: TransactionClock): void {
  clocks.set(tx, clock);
}

/** The database's time of this transaction: the same for everything it writes, whatever the local clock says. */
export function transactionTime(tx: Tx): string {
  return (clocks.get(tx)?.at ?? new Date()).toISOString();
}

/** The value of `Store.now`, without asking again. */
export function transactionNow(tx: Tx): number {
  const clock = clocks.get(tx);
  if (clock === undefined) throw new Error('A transaction of a store knows its time');
  return clock.now;
}
