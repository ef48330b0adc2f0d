import { sql } from 'kysely';
import type { Reader, Tx } from './store.ts';
import { inOrder, type Subject, subjectKey, type Subjects } from './subjects.ts';

/** The subjects of each transaction that has others beside it. */
const heldBy = new WeakMap<Reader, ReadonlySet<Subject>>();

/** Called once by the store, when the transaction begins and has its subjects. */
export function setSubjects(tx: Tx, held: Iterable<Subject>): void {
  heldBy.set(tx, new Set(held));
}

export function subjectsOf(tx: Tx): ReadonlySet<Subject> | undefined {
  return heldBy.get(tx);
}

/** Whether other transactions may run beside this one. Never in SQLite. */
export function hasOthersBeside(db: Reader): boolean {
  return heldBy.has(db);
}

/**
 * The transaction turns out to be about more: it waits for whoever decides about that now. What it read of them before may be old. Two that
 * wait for each other are told apart by the database, and one of them begins again.
 */
export async function alsoAbout(tx: Tx, subjects: Subjects): Promise<void> {
  const held = heldBy.get(tx);
  if (held === undefined) return;
  const missing = inOrder(subjects).filter((subject) => !held.has(subject));
  for (const subject of missing) await sql`select pg_advisory_xact_lock(${subjectKey(subject)}::bigint)`.execute(tx);
  if (missing.length > 0) setSubjects(tx, [...held, ...missing]);
}
