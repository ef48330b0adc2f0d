import { sql } from 'kysely';
import { isRefusal } from '../types/refusal.ts';
import type { Store, Tx, Work } from './store.ts';
import { setSubjects, subjectsOf } from './held-subjects.ts';
import { setTickets, ticketsOf } from './tickets.ts';

/** Work inside a running transaction. A refusal or a throw rolls back what this work wrote and nothing else; the rest may continue. */
export async function nested<Value>(tx: Tx, work: (tx: Tx) => Promise<Value>): Promise<Value> {
  const [tickets, subjects] = [ticketsOf(tx), subjectsOf(tx)];
  const takeBack = async (): Promise<void> => {
    setTickets(tx, tickets);
    // The database gives up the locks that it took since the savepoint.
    if (subjects !== undefined) setSubjects(tx, subjects);
    await sql`rollback to savepoint nested`.execute(tx);
    await sql`release savepoint nested`.execute(tx);
  };
  await sql`savepoint nested`.execute(tx);
  let value: Value;
  try {
    value = await work(tx);
    if (!isRefusal(value)) await sql`release savepoint nested`.execute(tx);
  } catch (error) {
    await takeBack();
    throw error;
  }
  if (isRefusal(value)) await takeBack();
  return value;
}

/** Where nothing is gained by asking for `first` earlier. */
export function firstOf<Value>(first: Work<void> | undefined, work: Work<Value>): Work<Value> {
  if (first === undefined) return work;
  return async (tx) => {
    await first(tx);
    return work(tx);
  };
}

/** The same store as part of a running transaction that is alone: each of its transactions is nested in that one. */
export function joinStore(store: Store, tx: Tx): Store {
  return { ...store, read: tx, transact: (work, _about, first) => nested(tx, firstOf(first, work)) };
}
