import { type RawBuilder, sql } from 'kysely';
import { hasOthersBeside } from './held-subjects.ts';
import { lockNumber } from './subjects.ts';
import type { Reader } from './store.ts';

/**
 * The log without one writer. A number is given when an event is written, but transactions end in any order: a reader that went on after
 * the highest number it saw would miss what a slower transaction wrote before. So a transaction that has others beside it registers, before
 * it writes anything, the last number that was given: all of its own are higher. A registration is a shared advisory lock, which PostgreSQL
 * itself releases with the transaction, after its rows are visible.
 *
 * Every number up to the lowest registration, and up to the last number given before the registrations were read, is settled: its event is
 * visible to any later query, or will never exist. That holds forever, so it may be read first and used later.
 */
const OF_LOG = 0x4154n;

/** For the statement that begins a transaction: registers it. */
export const REGISTER = `pg_advisory_xact_lock_shared(${lockNumber(OF_LOG, 0n)} | last_value)`;

/** The sequence that the database itself made for the column `events.seq`. */
export const LOG_SEQUENCE = 'events_seq_seq';

const readers = new WeakSet<Reader>();

/** Called once by a store whose transactions run side by side. */
export function setSharedLog(read: Reader): void {
  readers.add(read);
}

/** The number up to which a reader of all events may go; null: up to the last. */
export async function settledSeq(db: Reader): Promise<number | null> {
  if (!readers.has(db) && !hasOthersBeside(db)) return null;
  const { rows } = await SETTLED.execute(db);
  return rows[0]?.seq ?? 0;
}

/**
 * The registrations are read after the last number: the inner query needs it. A registration that is missing then belongs to a transaction
 * that has ended, or to one whose numbers are higher.
 */
const SETTLED: RawBuilder<{ seq: number }> = sql`
  select least(given.last_value, registered.lowest) as seq
  from ${sql.table(LOG_SEQUENCE)} as given,
    lateral (
      select min(((classid::bigint & 65535) << 32) | objid::bigint) as lowest from pg_locks
      where given.last_value > 0 and locktype = 'advisory' and objsubid = 1 and classid::bigint >> 16 = ${sql.lit(Number(OF_LOG))}
        and database = (select oid from pg_database where datname = current_database())
    ) as registered`;
