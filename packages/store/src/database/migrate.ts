import { setImmediate as pause } from 'node:timers/promises';
import { done } from '@attractor/base';
import { refuse, type Result } from '../types/refusal.ts';
import type { Migration } from './migration.ts';

/** What a migration needs: one connection that can hold others off while it works. */
export type Migrator = {
  readonly alone: <Value>(work: () => Promise<Value>) => Promise<Value>;
  readonly begin: () => Promise<void>;
  readonly commit: () => Promise<void>;
  readonly rollback: () => Promise<void>;
  readonly run: (migration: Pick<Migration, 'sql' | 'only' | 'sqliteRows'>) => Promise<void>;
  readonly convert: (convert: NonNullable<Migration['convert']>) => Promise<void>;
  readonly names: () => Promise<ReadonlyArray<string>>;
  readonly record: (name: string) => Promise<void>;
};

const LEDGER = { sql: 'create table if not exists migrations (name text primary key, at text not null) strict' };

/**
 * Brings the schema up to date. Each migration is one transaction that checks again what is applied, so that two processes may start at
 * once; all of them together are one where nothing is stored yet. A database of a newer version is refused and left as it is.
 */
export function migrate(
  migrator: Migrator,
  migrations: ReadonlyArray<Migration>,
): Promise<Result<ReadonlyArray<string>>> {
  return migrator.alone(async () => {
    await inTransaction(migrator, () => migrator.run(LEDGER));
    const applied = await migrator.names();
    const newer = refuseNewer(applied, migrations);
    if (newer !== null) return newer;
    const missing = migrations.filter(({ name }) => !applied.includes(name));
    const steps = applied.length === 0 ? [missing] : missing.map((migration) => [migration]);
    const ran: string[] = [];
    for (const step of steps) {
      ran.push(...(await inTransaction(migrator, () => apply(migrator, step))));
      // SQLite works in this thread: between two migrations whoever waits can be told that it takes a while.
      await pause();
    }
    return done(ran);
  });
}

/** Null if all that was applied is known here. */
export function refuseNewer(applied: ReadonlyArray<string>, migrations: ReadonlyArray<Migration>) {
  const known = new Set(migrations.map(({ name }) => name));
  const newer = applied.filter((name) => !known.has(name));
  if (newer.length === 0) return null;
  return refuse(
    'database',
    `The database was written by a newer version of Attractor (${newer.join(', ')}). Update Attractor, or use another database: ATTRACTOR_HOME and ATTRACTOR_DATABASE_URL say which.`,
  );
}

/** Returns the names of those that were not applied meanwhile. */
async function apply(migrator: Migrator, migrations: ReadonlyArray<Migration>): Promise<ReadonlyArray<string>> {
  const applied = await migrator.names();
  const missing = migrations.filter(({ name }) => !applied.includes(name));
  for (const migration of missing) {
    await migrator.run(migration);
    if (migration.convert !== undefined) await migrator.convert(migration.convert);
    await migrator.record(migration.name);
  }
  return missing.map(({ name }) => name);
}

async function inTransaction<Value>(migrator: Migrator, work: () => Promise<Value>): Promise<Value> {
  await migrator.begin();
  try {
    const value = await work();
    await migrator.commit();
    return value;
  } catch (error) {
    await migrator.rollback();
    throw error;
  }
}
