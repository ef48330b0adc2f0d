import type { Tx } from './store.ts';

/** Word that a job was put: enough to wake a worker at the right time, never enough to take the job. */
export type Ticket = { readonly jobId: string; readonly notBefore: string | null };

const tickets = new WeakMap<Tx, Ticket[]>();

export function addTicket(tx: Tx, ticket: Ticket): void {
  tickets.set(tx, [...(tickets.get(tx) ?? []), ticket]);
}

/** Of the jobs that this transaction put so far. */
export function ticketsOf(tx: Tx): ReadonlyArray<Ticket> {
  return tickets.get(tx) ?? [];
}
