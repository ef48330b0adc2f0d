import type { Tx } from './store.ts';

const times = new WeakMap<Tx, string>();

/** Said once by the store, when the transaction begins and the database told its time. */
export function setTransactionTime(tx: Tx, time: Date): void {
  times.set(tx, time.toISOString());
}

/** The database's time of this transaction: the same for all that it writes, whatever the clock of the machine that asks. */
export function transactionTime(tx: Tx): string {
  return times.get(tx) ?? new Date().toISOString();
}
