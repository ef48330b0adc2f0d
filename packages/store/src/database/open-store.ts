import { statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { done, messageOf } from '@attractor/base';
import { isRefusal, type Refusal, refuse, type Result } from '../types/refusal.ts';
import { createChanges } from './changes.ts';
import { fileLiveChannel } from './file-live-channel.ts';
import { createFlush } from './flush.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { migrate } from './migrate.ts';
import { firstOf } from './nested.ts';
import { postgresFailure, postgresRemedy } from './postgres-failure.ts';
import type { PostgresLocation } from './postgres.ts';
import type { Schema } from './schema.ts';
import {
  isSqliteError,
  leaveFlushing,
  openDatabase,
  sqliteDialect,
  sqliteMigrator,
  unlessBusy,
  whenFree,
} from './sqlite.ts';
import { setTransactionTime } from './transaction-time.ts';
import type { Store, Work } from './store.ts';
import { ANYTHING, createWriteNotes, type WriteNotes, writtenAbout, type WrittenTables } from './written.ts';

/** A folder with our SQLite file, an SQLite file anywhere, or the address of a PostgreSQL server: exactly one of them. */
export type StoreLocation =
  | { readonly home: string; readonly databaseUrl?: never }
  | { readonly file: string; readonly databaseUrl?: never }
  | PostgresLocation;

export const DATABASE_FILE = 'attractor.db';

export async function openStore(location: StoreLocation): Promise<Result<Store>> {
  if ('home' in location) return openSqlite(join(location.home, DATABASE_FILE), join(location.home, 'live'));
  if ('file' in location) return openSqlite(location.file);
  const { openPostgres } = await import('./postgres.ts');
  return openPostgres(location);
}

/** Says what is at an address, or why it can't be used; its driver is loaded only for this. */
export async function lookAtServer(databaseUrl: string): Promise<Result<string>> {
  const { lookAtPostgres } = await import('./look-at-postgres.ts');
  return lookAtPostgres(databaseUrl);
}

/** `live`: the folder in which processes of the same home tell each other what is said now. */
async function openSqlite(path: string, live?: string): Promise<Result<Store>> {
  try {
    const writer = await openDatabase(path, 'writing');
    const migrated = await migrateOrClose(writer);
    if (!migrated.ok) return migrated;
    const store = connect(writer, await openDatabase(path, 'reading'));
    return done(live === undefined ? store : withLive(store, live));
  } catch (error) {
    return refuse('database', explain(path, error));
  }
}

async function migrateOrClose(writer: DatabaseSync): Promise<Result<ReadonlyArray<string>>> {
  let migrated: Result<ReadonlyArray<string>> | null = null;
  try {
    migrated = await migrate(sqliteMigrator(writer), MIGRATIONS);
    return migrated;
  } finally {
    if (migrated === null || !migrated.ok) writer.close();
  }
}

function connect(writerDb: DatabaseSync, readerDb: DatabaseSync): Store {
  const notes = createWriteNotes();
  const writer = new Kysely<Schema>({ dialect: sqliteDialect(writerDb, notes) });
  const read = new Kysely<Schema>({ dialect: sqliteDialect(readerDb) });
  const changes = watchChanges(writerDb);
  const flush = createFlush(leaveFlushing(writerDb));
  return {
    dialect: 'sqlite',
    read,
    transact: async (work, _about, first) => {
      const { value, written } = await transactWhenFree({ writer, notes }, firstOf(first, work));
      const hasWritten = written === null || written.size > 0;
      await (hasWritten ? flush.all() : flush.underWay());
      if (hasWritten) changes.tell(writtenAbout(written), 'us');
      return value;
    },
    now: async () => monotonicNow(),
    onChange: changes.listen,
    close: async () => {
      changes.stop();
      await flush.close();
      await Promise.all([writer.destroy(), read.destroy()]);
      for (const db of [writerDb, readerDb]) if (db.isOpen) db.close();
    },
  };
}

function withLive(store: Store, folder: string): Store {
  const { close, ...live } = fileLiveChannel(folder);
  return { ...store, live, close: async () => void (await Promise.all([close(), store.close()])) };
}

function monotonicNow(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}

type NotedWriter = { readonly writer: Kysely<Schema>; readonly notes: WriteNotes };
type Committed<Value> = { readonly value: Value; readonly written: WrittenTables };

const NO_TABLE: WrittenTables = new Set();

/** Once the transaction has begun it holds the lock: a later failure is not about waiting. */
async function transactWhenFree<Value>({ writer, notes }: NotedWriter, work: Work<Value>): Promise<Committed<Value>> {
  const begun = await whenFree(() => writer.startTransaction().execute());
  try {
    setTransactionTime(begun, { at: new Date(), now: monotonicNow() });
    notes.begin();
    const value = await work(begun);
    const written = isRefusal(value) ? NO_TABLE : notes.written();
    await (isRefusal(value) ? begun.rollback() : begun.commit()).execute();
    return { value, written };
  } catch (error) {
    await begun
      .rollback()
      .execute()
      .catch(() => undefined);
    throw error;
  }
}

const FOREIGN_CHANGE_POLL_MS = 200;

/** Commits of the writing connection are announced at once; its counter changes with those of others only. */
function watchChanges(db: DatabaseSync) {
  const changes = createChanges();
  const counter = db.prepare('pragma data_version');
  let seen = counter.get()?.['data_version'];
  const timer = setInterval(() => {
    const now = unlessBusy(() => counter.get()?.['data_version'], seen);
    if (now !== seen) changes.tell(ANYTHING, 'others');
    seen = now;
  }, FOREIGN_CHANGE_POLL_MS);
  timer.unref();
  return { ...changes, stop: () => clearInterval(timer) };
}

const REMEDIES: ReadonlyArray<readonly [RegExp, string]> = [
  [/not a database|malformed/i, 'The file is damaged: restore a backup, or move it away to start anew.'],
  [/locked|busy/i, 'Another program holds it: close that program and try again.'],
  [
    /readonly|EACCES|EPERM|unable to open/i,
    'Check who may write to that folder, or set ATTRACTOR_HOME to another one.',
  ],
  [/full|ENOSPC/i, 'The disk is full: make room and try again.'],
];

function explain(path: string, error: unknown): string {
  const message = messageOf(error);
  const cause = /disk I\/O/.test(message) && !hasRoom(dirname(path)) ? `${message}, no room left: full` : message;
  const remedy = remedyFor(cause) ?? 'Check the folder, or set ATTRACTOR_HOME to another one.';
  return `The database ${path} can't be used (${cause}). ${remedy}`;
}

function remedyFor(cause: string): string | undefined {
  return REMEDIES.find(([pattern]) => pattern.test(cause))?.[1];
}

const LEAST_ROOM = 65_536;

/** SQLite reports a full disk as an I/O error if it fills its shared memory. */
function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= LEAST_ROOM;
  } catch {
    return true;
  }
}

/** A failing database is an expected failure: the command is refused with its cause. Anything else is a bug and rethrown. */
export async function refuseOnDatabaseError<Value>(work: () => Promise<Result<Value>>): Promise<Result<Value>> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && isDatabaseError(error))
      return refuse(
        'database',
        `The database refused the change (${error.message}); nothing was changed. ${postgresRemedy(error) ?? remedyFor(error.message) ?? ''}`.trimEnd(),
      );
    throw error;
  }
}

/** The refusal for a read that the database did not answer; null for every other error, which is a bug. */
export function refusalOfRead(error: unknown): Refusal | null {
  if (!(error instanceof Error) || !isDatabaseError(error)) return null;
  const message = `The database can't be read (${error.message}). Check that it runs and can be reached, then try again.`;
  return { code: 'database', message };
}

function isDatabaseError(error: Error): boolean {
  return isSqliteError(error) || postgresFailure(error) !== null;
}
