import type { Tx } from './store.ts';

/**
 * `at` for people and records; `now` in milliseconds of the clock of leases (`Store.now`). `isKnown` is false as long as the database was
 * not asked: to read the time fails then.
 */
export type TransactionClock = { readonly at: Date; readonly now: number; readonly isKnown?: false };

const clocks = new WeakMap<Tx, TransactionClock>();
const texts = new WeakMap<Tx, string>();

/** Called once by the store, when the transaction begins and the database's time is known. */
export function setTransactionTime(tx: Tx, clock: TransactionClock): void {
  clocks.set(tx, clock);
  texts.delete(tx);
}

/** The database's time of this transaction: the same for everything it writes, whatever the local clock says. */
export function transactionTime(tx: Tx): string {
  const known = texts.get(tx);
  if (known !== undefined) return known;
  const clock = clocks.get(tx);
  const text = (clock?.at ?? new Date()).toISOString();
  if (clock !== undefined) texts.set(tx, text);
  return text;
}

/** The value of `Store.now`, without asking again. */
export function transactionNow(tx: Tx): number {
  const clock = clocks.get(tx);
  if (clock === undefined) throw new Error('A transaction of a store knows its time');
  return clock.now;
}

/** False: only the database can fill in the time, when it writes. */
export function knowsTime(tx: Tx): boolean {
  return clocks.get(tx)?.isKnown !== false;
}
