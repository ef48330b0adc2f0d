import { sql } from 'kysely';
import { isRefusal } from '../types/refusal.ts';
import type { Store, Tx } from './store.ts';
import { setTickets, ticketsOf } from './tickets.ts';

/** Work inside a running transaction. A refusal or a throw rolls back what this work wrote and nothing else; the rest may continue. */
export async function nested<Value>(tx: Tx, work: (tx: Tx) => Promise<Value>): Promise<Value> {
  const tickets = ticketsOf(tx);
  const takeBack = async (): Promise<void> => {
    setTickets(tx, tickets);
    await sql`rollback to savepoint nested`.execute(tx);
    await sql`release savepoint nested`.execute(tx);
  };
  await sql`savepoint nested`.execute(tx);
  let value: Value;
  try {
    value = await work(tx);
  } catch (error) {
    await takeBack();
    throw error;
  }
  if (isRefusal(value)) await takeBack();
  else await sql`release savepoint nested`.execute(tx);
  return value;
}

/** The same store as part of a running transaction: each of its transactions is nested in that one. */
export function joinStore(store: Store, tx: Tx): Store {
  return { ...store, read: tx, transact: (work) => nested(tx, work) };
}
