import type { Tx } from './store.ts';

/** A notice that a job was put: enough to wake a worker at the right time, never enough to take the job. */
export type Ticket = { readonly jobId: string; readonly notBefore: string | null };

const tickets = new WeakMap<Tx, ReadonlyArray<Ticket>>();

export function addTicket(tx: Tx, ticket: Ticket): void {
  setTickets(tx, [...ticketsOf(tx), ticket]);
}

export function setTickets(tx: Tx, all: ReadonlyArray<Ticket>): void {
  tickets.set(tx, all);
}

/** The jobs that this transaction put so far. */
export function ticketsOf(tx: Tx): ReadonlyArray<Ticket> {
  return tickets.get(tx) ?? [];
}
