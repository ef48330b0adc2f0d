import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely';
import type { Migrator } from './migrate.ts';
import type { WriteNotes } from './written.ts';

const BUSY_TIMEOUT_MS = 5_000;
const PATIENCE_MS = 15_000;

/**
 * One connection to the database file. Folder 0700, file 0600 (SQLite gives its companion files the same mode). Commits are on disk when
 * they return (`synchronous=FULL`), unless `leaveFlushing` says otherwise; readers never wait for the writer (WAL).
 */
export async function openDatabase(path: string, use: 'reading' | 'writing'): Promise<DatabaseSync> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
  const db = new DatabaseSync(path);
  try {
    db.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
    await switchToWal(db);
    db.exec('pragma synchronous = full; pragma foreign_keys = on');
    if (use === 'writing') db.exec('pragma busy_timeout = 0');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * From now on a commit is only written; the caller flushes the file of which this returns the path. Flushing inside of a commit would stop
 * the whole process until the disk has answered.
 */
export function leaveFlushing(db: DatabaseSync): string {
  db.exec('pragma synchronous = normal');
  return `${db.location() ?? ''}-wal`;
}

/**
 * Kysely's dialect over `node:sqlite`. A transaction takes the write lock when it begins: a later upgrade would fail at once, whatever the
 * timeout.
 */
export function sqliteDialect(db: DatabaseSync, notes?: Pick<WriteNotes, 'note'>): SqliteDialect {
  const statements = keptStatements((text) => adaptStatement(db.prepare(text), () => notes?.note(text)));
  const database: SqliteDatabase = {
    close: () => db.close(),
    prepare: (text) => statements(text === 'begin' ? 'begin immediate' : text),
  };
  return new SqliteDialect({ database });
}

/** Changes the schema on one connection; the write lock at each `begin` holds others off. */
export function sqliteMigrator(db: DatabaseSync): Migrator {
  return {
    alone: (work) => work(),
    begin: () => whenFree(async () => db.exec('begin immediate')),
    commit: async () => db.exec('commit'),
    rollback: async () => db.exec('rollback'),
    run: async ({ sql, only, sqliteRows }) => db.exec([sql, only?.sqlite, sqliteRows].join(';\n')),
    convert: async ({ read, write }) => db.exec(write(db.prepare(read).all())),
    names: async () =>
      db
        .prepare('select name from migrations order by name')
        .all()
        .map((row) => String(row['name'])),
    record: async (name) =>
      void db.prepare('insert into migrations (name, at) values (?, ?)').run(name, new Date().toISOString()),
  };
}

/**
 * SQLite's own wait for a lock blocks the whole process; here only the caller waits. `work` is retried while another holds the lock: it
 * must have done nothing before it learns that.
 */
export async function whenFree<Value>(work: () => Promise<Value>): Promise<Value> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      await sleep(1 + Math.random() * 20);
    }
  }
}

/** For what is asked again soon. */
export function unlessBusy<Value>(ask: () => Value, otherwise: Value): Value {
  try {
    return ask();
  } catch (error) {
    if (isBusy(error)) return otherwise;
    throw error;
  }
}

/** The switch takes an exclusive lock for which SQLite does not wait by itself if two processes open a new file at once. */
async function switchToWal(db: DatabaseSync): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      db.exec('pragma journal_mode = wal');
      return;
    } catch (error) {
      if (attempt >= 50 || !isBusy(error)) throw error;
      await sleep(20 + Math.random() * 80);
    }
  }
}

const MAX_KEPT = 200;

/** Compiling a statement takes longer than running most of them, so those used last are kept. SQLite notices a changed schema. */
function keptStatements(prepare: (text: string) => SqliteStatement): (text: string) => SqliteStatement {
  const kept = new Map<string, SqliteStatement>();
  return (text) => {
    const statement = kept.get(text) ?? prepare(text);
    kept.delete(text);
    kept.set(text, statement);
    const [oldest] = kept.size > MAX_KEPT ? kept.keys() : [];
    if (oldest !== undefined) kept.delete(oldest);
    return statement;
  };
}

/** `onWrite` is called when it may have changed a row. */
function adaptStatement(statement: StatementSync, onWrite: () => void): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => {
      onWrite();
      return statement.all(...bindable(parameters));
    },
    run: (parameters) => {
      const result = statement.run(...bindable(parameters));
      if (result.changes > 0) onWrite();
      return result;
    },
    iterate: (parameters) => {
      onWrite();
      return statement.iterate(...bindable(parameters));
    },
  };
}

function bindable(parameters: ReadonlyArray<unknown>): SQLInputValue[] {
  return parameters.map((value) => {
    if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint')
      return value;
    if (value instanceof Uint8Array) return value;
    throw new TypeError(`A ${typeof value} can't be stored in SQLite`);
  });
}

const SQLITE_BUSY = 5;

function isBusy(error: unknown): boolean {
  return isSqliteError(error) && (error.errcode & 0xff) === SQLITE_BUSY;
}

export function isSqliteError(error: unknown): error is Error & { readonly errcode: number } {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number';
}
