import type { ListenForChanges } from './changes.ts';
import type { LiveChannel } from './live-channel.ts';
import type { Kysely, Transaction } from 'kysely';
import type { DialectName } from './dialect.ts';
import type { Schema } from './schema.ts';
import type { Subjects } from './subjects.ts';

/** A read sees the last commit; inside a transaction it also sees the transaction's own writes. */
export type Reader = Kysely<Schema>;

export type Tx = Transaction<Schema>;

export type Work<Value> = (tx: Tx) => Promise<Value>;

/**
 * Everything that is stored. `transact` is all or nothing and on disk when it resolves: if `work` returns a refusal or throws, nothing of
 * it is written. Transactions about the same subjects run one after another, across processes; without `about` a transaction is alone.
 * `work` may be called again if the database was lost before the commit, so it must only read and write through `tx`. `onChange` is a hint
 * that something was committed, here or by another process; with tables only of what may have changed one of them.
 * `first` is done before `work`: on PostgreSQL its first statement is asked together with the beginning, so it must not need the time. If
 * it asks nothing and `work` doesn't either, all goes out with the end.
 * `manner`: `silent` is for work that as a rule asks nothing, not even the time. On PostgreSQL all that this process writes in that manner
 * in one moment then shares one transaction; each is still kept or lost by itself. If it asks something, it is called again as any other.
 */
export type Manner = 'asking' | 'silent';

export type Store = {
  readonly dialect: DialectName;
  readonly read: Reader;
  readonly transact: <Value>(
    work: Work<Value>,
    about?: Subjects,
    first?: Work<void>,
    manner?: Manner,
  ) => Promise<Value>;
  /** Milliseconds by the clock that everyone on this database shares: the server's, or this machine's monotonic one. For leases. */
  readonly now: () => Promise<number>;
  readonly onChange: ListenForChanges;
  /** Absent: there is no such way to other processes. */
  readonly live?: LiveChannel;
  readonly close: () => Promise<void>;
};
